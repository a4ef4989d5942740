import { createHash, randomBytes } from 'node:crypto';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair } from 'jose';
import Provider, { type Configuration } from 'oidc-provider';

export const AUDIENCE = 'https://teamspaces.example.com';

const CLIENT = { client_id: 'browser', redirect_uris: ['http://127.0.0.1/callback'] };
const SCOPES = 'teamspaces:read teamspaces:write teamspaces:manage';
const MACHINE = { client_id: 'robot', client_secret: 'a secret of the robot alone' };

// The provider reminds its operators of what production needs; nobody reads that in a test.
for (const level of ['info', 'warn'] as const) {
  const say = console[level];
  console[level] = (...words: unknown[]) => {
    if (!String(words[0]).startsWith('oidc-provider')) say(...words);
  };
}

/** A real OpenID Connect provider, on a port of its own. */
export interface IdentityProvider {
  issuer: string;
  jwksUrl: string;
  /** An access token by the authorization code flow with PKCE, for whoever signs in as `login`. */
  signIn(login: string): Promise<string>;
  /**
   * What the browser does that a client sends to an address of authorization, for whoever signs in as
   * `login`, who agrees to everything.
   * @returns where the provider sends the browser back to
   */
  authorize(address: URL, login: string): Promise<URL>;
  /** An access token by the client credentials flow. @param scope of ours, separated by spaces */
  machineToken(scope?: string): Promise<string>;
  /** From now on there is another key, alone. */
  rotate(): Promise<void>;
  stop(): Promise<void>;
}

/** @param redirects further addresses to which the browser's login may come back */
export async function startIdentityProvider(redirects: string[] = []): Promise<IdentityProvider> {
  let handle: RequestListener = () => undefined;
  const server = createServer((request, response) => handle(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  let rotations = 0;
  const rotate = async () => {
    const { privateKey } = await generateKeyPair('RS256', { extractable: true });
    const key = { ...(await exportJWK(privateKey)), kid: `key-${++rotations}`, use: 'sig' };
    handle = new Provider(issuer, configuration(key, redirects)).callback();
  };
  await rotate();
  return {
    issuer,
    jwksUrl: `${issuer}/jwks`,
    signIn: (login) => signIn(issuer, login),
    authorize: (address, login) => authorize(issuer, address, login),
    machineToken: (scope) =>
      tokenFrom(issuer, {
        grant_type: 'client_credentials',
        ...MACHINE,
        resource: AUDIENCE,
        ...(scope && { scope }),
      }),
    rotate,
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const configuration = (key: object, redirects: string[]): Configuration => ({
  // A page of ours fetches the token itself.
  clientBasedCORS: () => true,
  jwks: { keys: [key] },
  cookies: { keys: ['a key of cookies'] },
  clients: [
    {
      ...CLIENT,
      redirect_uris: [...CLIENT.redirect_uris, ...redirects],
      token_endpoint_auth_method: 'none',
      application_type: 'native',
    },
    {
      ...MACHINE,
      token_endpoint_auth_method: 'client_secret_post',
      grant_types: ['client_credentials'],
      response_types: [],
      redirect_uris: [],
    },
  ],
  // Beside those of a resource: a client that registers itself names what it will ask for.
  scopes: ['openid', 'offline_access', ...SCOPES.split(' ')],
  findAccount: (_, id) => ({ accountId: id, claims: () => ({ sub: id }) }),
  // An access token says who its bearer is, as a provider is set up to do for this service.
  extraTokenClaims: (_, token) =>
    'accountId' in token
      ? { email: `${token.accountId}@example.com`, email_verified: true, name: 'Ada' }
      : undefined,
  features: {
    clientCredentials: { enabled: true },
    // A client of the Model Context Protocol registers itself.
    registration: { enabled: true },
    resourceIndicators: {
      enabled: true,
      defaultResource: () => AUDIENCE,
      getResourceServerInfo: () => ({
        scope: SCOPES,
        audience: AUDIENCE,
        accessTokenFormat: 'jwt',
        accessTokenTTL: 600,
      }),
      useGrantedResource: () => true,
    },
  },
});

async function tokenFrom(issuer: string, form: Record<string, string>): Promise<string> {
  const response = await fetch(`${issuer}/token`, {
    method: 'POST',
    body: new URLSearchParams(form),
  });
  const body = (await response.json()) as { access_token?: string };
  if (!body.access_token) throw new Error(`no token: ${JSON.stringify(body)}`);
  return body.access_token;
}

/** What a browser does, with the forms filled in. */
async function authorize(issuer: string, address: URL, login: string): Promise<URL> {
  const redirect = `${address.searchParams.get('redirect_uri')}`;
  const cookies = new Map<string, string>();
  const visit = async (url: string, form?: Record<string, string>): Promise<string> => {
    const response = await fetch(url, {
      redirect: 'manual',
      headers: { cookie: [...cookies].map((pair) => pair.join('=')).join('; ') },
      ...(form && { method: 'POST', body: new URLSearchParams(form) }),
    });
    for (const cookie of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      cookies.set(name, value);
    }
    const page = await response.text();
    const next = response.headers.get('location');
    if (next?.startsWith(redirect)) return next;
    if (next) return visit(new URL(next, issuer).href);
    const [, prompt] = /name="prompt" value="(\w+)"/.exec(page) ?? [];
    if (!prompt) throw new Error(`no form on ${url}: ${response.status} ${page}`);
    return visit(url, { prompt, login, password: 'any' });
  };
  return new URL(await visit(address.href));
}

async function signIn(issuer: string, login: string): Promise<string> {
  const verifier = randomBytes(32).toString('base64url');
  const [redirect_uri = ''] = CLIENT.redirect_uris;
  const query = new URLSearchParams({
    client_id: CLIENT.client_id,
    response_type: 'code',
    scope: 'openid',
    redirect_uri,
    resource: AUDIENCE,
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  });
  const reached = await authorize(issuer, new URL(`${issuer}/auth?${query}`), login);
  return tokenFrom(issuer, {
    grant_type: 'authorization_code',
    code: reached.searchParams.get('code') ?? '',
    client_id: CLIENT.client_id,
    redirect_uri,
    code_verifier: verifier,
    resource: AUDIENCE,
  });
}
