import { once } from 'node:events';
import { createServer, request } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { type AddressInfo, connect, type Server } from 'node:net';
import { join } from 'node:path';
import { tokenOf } from '../support/app.js';
import { selfSigned } from '../support/certificate.js';
import { API_CLI, ended } from '../support/command.js';
import { aFolder, removeFolders } from '../support/folders.js';
import { scene } from '../support/scene.js';
import { skipped } from '../support/skipped.js';

const at = scene({ once: 'team' });
afterAll(removeFolders);

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

async function portOf(server: Server): Promise<number> {
  servers.push(server.listen(0, '127.0.0.1'));
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

/** A proxy that opens tunnels to this machine, whatever host they are for. */
async function aProxy() {
  const tunnels: string[] = [];
  const server = createServer().on('connect', ({ url = '' }, socket) => {
    tunnels.push(url);
    const target = connect(Number(url.split(':').at(-1)), '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      target.pipe(socket).pipe(target);
    });
    for (const end of [socket, target]) end.on('error', () => undefined);
  });
  const url = `http://127.0.0.1:${await portOf(server)}`;
  return { tunnels, env: { HTTP_PROXY: url, HTTPS_PROXY: url } };
}

/** The service by https, at a port of its own. */
const secureService = (pair: object): Promise<number> =>
  portOf(
    createSecureServer(pair, ({ url, method, headers }, response) => {
      request(at.url + url, { method, headers }, (received) => {
        response.writeHead(received.statusCode ?? 0, received.headers);
        received.pipe(response);
      }).end();
    }),
  );

const list = (url: string, env: Record<string, string>) =>
  ended(process.execPath, [API_CLI, 'list', '--url', url], {
    env: { ...env, PATH: process.env.PATH, TEAMSPACES_TOKEN: tokenOf(at.ada.person) },
  });

const teams = () => ({ status: 0, output: expect.stringContaining(at.team) });

test('HTTP_PROXY alone changes nothing', async () => {
  const { tunnels, env } = await aProxy();
  expect(await list(at.url, env)).toEqual(teams());
  expect(tunnels).toEqual([]);
});

const pair = selfSigned();
const mayUseProxy = process.allowedNodeEnvironmentFlags.has('--use-env-proxy');
const testWithProxy = !mayUseProxy
  ? skipped(test, 'this version of Node does not know NODE_USE_ENV_PROXY')
  : pair
    ? test
    : skipped(test, 'openssl is missing');

testWithProxy(
  'NODE_USE_ENV_PROXY=1 sends requests through the proxy, but those of NO_PROXY',
  async () => {
    const { tunnels, env } = await aProxy();
    const variables = { ...env, NODE_USE_ENV_PROXY: '1', NO_PROXY: 'localhost,127.0.0.1,::1' };
    expect(await list(at.url, variables)).toEqual(teams());
    expect(tunnels).toEqual([]);

    const authority = `receiver.example:${await secureService({ ...pair })}`;
    const ca = await aFolder({ 'ca.pem': `${pair?.cert}` });
    const trusted = { ...variables, NODE_EXTRA_CA_CERTS: join(ca, 'ca.pem') };
    expect(await list(`https://${authority}`, trusted)).toEqual(teams());
    expect(new Set(tunnels)).toEqual(new Set([authority]));
  },
);
