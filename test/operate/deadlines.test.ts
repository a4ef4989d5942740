import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer } from 'node:http';
import {
  type AddressInfo,
  createServer as createTcpServer,
  type Server,
  type Socket,
} from 'node:net';
import { AllowedHosts } from '../../src/webhooks/attempts/addresses.js';
import { Names, SYSTEM_NAMES } from '../../src/webhooks/attempts/names.js';
import { post } from '../../src/webhooks/attempts/post.js';
import { MAX_ATTEMPT } from '../../src/webhooks/limits.js';
import { anItem } from '../support/builders.js';
import { changesOf } from '../support/replica.js';
import { scene } from '../support/scene.js';

// Deadlines that no clock of a test moves: it takes as long as they say.

describe('a message of a webhook', () => {
  const servers: Server[] = [];
  const sockets: Socket[] = [];
  afterAll(async () => {
    for (const socket of sockets) socket.destroy();
    await Promise.all(servers.map((server) => new Promise((end) => server.close(end))));
  });

  async function listen(server: Server): Promise<string> {
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  }

  test('a receiver that says nothing has 15 seconds; so has a name that nobody resolves, and the end of a response', async () => {
    const silent = await listen(createTcpServer((socket) => sockets.push(socket)));
    const unfinished = await listen(createServer((_request, response) => void response.write('o')));
    // A name server that says nothing.
    const dns = createSocket('udp4').bind(0, '127.0.0.1');
    await once(dns, 'listening');
    const allowed = new AllowedHosts(['127.0.0.1']);
    const servers = [0, 1, 2, 3].map(() => `127.0.0.1:${dns.address().port}`);
    const names = new Names(allowed, { ...SYSTEM_NAMES, servers });
    const send = (url: string) => {
      const by = { teamId: 'team', makerId: 'maker', within: 1_000 };
      const attempt = { url, body: '{"a":1}', headers: {}, ...by };
      return post(attempt, { allowed, beginLookup: names.begin });
    };
    const start = performance.now();
    const outcomes = await Promise.all([
      send(silent),
      send('http://receiver.example/'),
      send(unfinished),
    ]);
    expect(outcomes).toMatchObject([{ status: 'timeout' }, { status: 'timeout' }, { status: 200 }]);
    expect(performance.now() - start).toBeGreaterThan(MAX_ATTEMPT - 100);
    expect(performance.now() - start).toBeLessThan(MAX_ATTEMPT + 3_000);
    dns.close();
  });
});

describe('a request that waits for changes', () => {
  const at = scene({ once: 'workspace' });

  test('the deadline of requests does not cut a wait', async () => {
    await anItem(at.ada, at.query, { object: 'item' });
    const { cursor } = await changesOf(at.ada, at.query);
    const start = performance.now();
    const response = await at.ada.get(`/collections/changes${at.query}&cursor=${cursor}&wait=11`);
    expect(response.status).toBe(200);
    expect(performance.now() - start).toBeGreaterThan(10_900);
  });
});
