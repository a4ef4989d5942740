import {
  Client,
  type OAuthDiscoveryState,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from '@modelcontextprotocol/client';
import { UnauthorizedError as PreviousUnauthorizedError } from '@modelcontextprotocol/sdk/client/auth.js';
import { Client as PreviousClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as PreviousTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { IdentityProvider } from '../support/identity-provider.js';

const ABOUT = { name: 'test', version: '1' };

/** What a client of a model has sent to the service, and what came back. */
export interface Exchange {
  /** Method and status. */
  answer: string;
  type: string | null;
  challenge: string | null;
  session: string | null;
  /** Names of the headers of the request. */
  sent: string[];
}

/** A user's login, as an application keeps it: what the provider gives is stored in memory. */
export class Login {
  readonly redirectUrl = 'http://127.0.0.1/callback';
  readonly clientMetadata = {
    client_name: 'Model',
    redirect_uris: [this.redirectUrl],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
    application_type: 'native',
  };
  /** Where the user was sent to log in, each time. */
  readonly addresses: URL[] = [];
  private client: { client_id: string } | undefined;
  private granted: { access_token: string; token_type: string } | undefined;
  private verifier = '';
  private discovered: OAuthDiscoveryState | undefined;

  clientInformation = () => this.client;
  saveClientInformation = (client: { client_id: string }) => {
    this.client = client;
  };
  tokens = () => this.granted;
  saveTokens = (granted: { access_token: string; token_type: string }) => {
    this.granted = granted;
  };
  codeVerifier = () => this.verifier;
  saveCodeVerifier = (verifier: string) => {
    this.verifier = verifier;
  };
  discoveryState = () => this.discovered;
  saveDiscoveryState = (discovered: OAuthDiscoveryState) => {
    this.discovered = discovered;
  };
  redirectToAuthorization = (address: URL) => {
    this.addresses.push(address);
  };

  /** The access token is not valid any more; all else is kept. */
  expire(): void {
    if (this.granted) this.granted = { ...this.granted, access_token: 'expired' };
  }
}

/** A connected client, of either generation. */
export interface Model {
  /** The revision of the protocol that client and service have agreed on. */
  revision: string | undefined;
  tools(): Promise<string[]>;
  /** The structured content of a result. */
  call(name: string, input: object): Promise<unknown>;
  /** The text of a resource. */
  read(uri: string): Promise<string>;
  close(): Promise<void>;
}

/** Calls the service at an address; the user logs in as `ada` whenever the service asks for it. */
export type Connect = (url: URL, login: Login, as: As) => Promise<Model>;

export interface As {
  provider: IdentityProvider;
  heard: Exchange[];
}

const recording =
  (url: URL, heard: Exchange[]) =>
  async (to: string | URL, init?: RequestInit): Promise<Response> => {
    const response = await fetch(to, init);
    if (`${to}` === url.href) {
      heard.push({
        answer: `${init?.method ?? 'GET'} ${response.status}`,
        type: response.headers.get('content-type'),
        challenge: response.headers.get('www-authenticate'),
        session: response.headers.get('mcp-session-id'),
        sent: [...new Headers(init?.headers).keys()],
      });
    }
    return response;
  };

/** The code with which the browser comes back, after the user has logged in. */
const logIn = async (login: Login, provider: IdentityProvider): Promise<URLSearchParams> =>
  (await provider.authorize(login.addresses.at(-1) as URL, 'ada')).searchParams;

/**
 * The official client.
 *
 * @param mode which revisions it may choose from
 */
export const currentClient =
  (mode: 'auto' | 'legacy'): Connect =>
  async (url, login, { provider, heard }) => {
    const client = new Client(ABOUT, { versionNegotiation: { mode } });
    const options = { authProvider: login, fetch: recording(url, heard) };
    const transport = new StreamableHTTPClientTransport(url, options);
    try {
      await client.connect(transport);
    } catch (error) {
      if (!(error instanceof UnauthorizedError)) throw error;
      await transport.finishAuth(await logIn(login, provider));
      await client.connect(new StreamableHTTPClientTransport(url, options));
    }
    return {
      revision: client.getNegotiatedProtocolVersion(),
      tools: async () => (await client.listTools()).tools.map(({ name }) => name),
      call: async (name, input) =>
        resultOf(await client.callTool({ name, arguments: { ...input } })),
      read: async (uri) => textOf(await client.readResource({ uri })),
      close: () => client.close(),
    };
  };

/** The official client of the generation before. */
export const previousClient: Connect = async (url, login, { provider, heard }) => {
  const client = new PreviousClient(ABOUT);
  const options = { authProvider: login, fetch: recording(url, heard) };
  let transport = new PreviousTransport(url, options);
  try {
    await client.connect(transport);
  } catch (error) {
    if (!(error instanceof PreviousUnauthorizedError)) throw error;
    await transport.finishAuth(`${(await logIn(login, provider)).get('code')}`);
    transport = new PreviousTransport(url, options);
    await client.connect(transport);
  }
  return {
    revision: transport.protocolVersion,
    tools: async () => (await client.listTools()).tools.map(({ name }) => name),
    call: async (name, input) => resultOf(await client.callTool({ name, arguments: { ...input } })),
    read: async (uri) => textOf(await client.readResource({ uri })),
    close: () => client.close(),
  };
};

/** @throws Error if it is one of the tool, with its sentence */
function resultOf(result: object): unknown {
  const { isError, content, structuredContent } = result as {
    isError?: boolean;
    content: { text: string }[];
    structuredContent?: unknown;
  };
  if (isError) throw new Error(content[0]?.text);
  return structuredContent;
}

const textOf = ({ contents }: { contents: object[] }): string =>
  (contents[0] as { text: string }).text;
