import { startHaproxy } from '../instances/haproxy.js';
import { createTestDatabase } from '../support/database.js';
import {
  AUDIENCE,
  type IdentityProvider,
  startIdentityProvider,
} from '../support/identity-provider.js';
import { endProcesses, freePort, type ServiceProcess, startProcess, until } from './process.js';

/** Two instances behind the balancer, whose callers log in at an identity provider. */
export interface McpScene {
  /** Of the balancer: what `PUBLIC_URL` is. */
  publicUrl: string;
  /** Where the Model Context Protocol is spoken. */
  url: URL;
  provider: IdentityProvider;
  /** An access token of Ada, who owns the team `acme` with the workspace `docs`. */
  token: string;
  /** How many requests of the protocol each instance has had, by their logs. */
  requests(): number[];
  stop(): Promise<void>;
}

/** @param origins further origins whose pages may call */
export async function startMcpScene(origins: string[] = []): Promise<McpScene> {
  const database = await createTestDatabase();
  const provider = await startIdentityProvider();
  const port = await freePort();
  const publicUrl = `http://127.0.0.1:${port}`;
  const env = {
    DATABASE_URL: database.url,
    PUBLIC_URL: publicUrl,
    AUTH_JWT_SECRET: '',
    AUTH_JWKS_URL: provider.jwksUrl,
    AUTH_ISSUER: provider.issuer,
    AUTH_AUDIENCE: AUDIENCE,
    CORS_ORIGINS: origins.join(','),
  };
  const instances = [await startProcess(env), await startProcess(env)];
  const ports = instances.map((instance) => instance.port);
  const balancer = await startHaproxy(ports, { port, env: { PUBLIC_URL: publicUrl } });
  const token = await provider.signIn('ada');
  await post(`${publicUrl}/teams`, token, { name: 'Acme', slug: 'acme' });
  await post(`${publicUrl}/teams/acme/workspaces`, token, { name: 'Docs' });
  return {
    publicUrl,
    url: new URL('/mcp', publicUrl),
    provider,
    token,
    requests: () => instances.map(requestsOf),
    stop: async () => {
      await balancer.stop();
      await endProcesses();
      await provider.stop();
      await database.drop();
    },
  };
}

const requestsOf = (instance: ServiceProcess): number =>
  instance.lines().filter(({ method, route }) => method === 'POST' && route === '/mcp').length;

async function post(url: string, token: string, body: object): Promise<void> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
  if (!response.ok) throw new Error(`${url}: ${response.status}`);
}

/** Waits until the logs have so many requests of the protocol: a line is written after its response. */
export const logged = (at: McpScene, count: number): Promise<void> =>
  until(() => at.requests().reduce((sum, some) => sum + some, 0) >= count);
