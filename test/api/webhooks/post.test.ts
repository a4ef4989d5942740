import { createServer } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import {
  type AddressInfo,
  createServer as createTcpServer,
  isIP,
  type Server,
  type Socket,
} from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { jest } from '@jest/globals';
import { AllowedHosts, literalOf } from '../../../src/webhooks/attempts/addresses.js';
import type { BeginLookup } from '../../../src/webhooks/attempts/names.js';
import { type Attempt, type Outcome, post } from '../../../src/webhooks/attempts/post.js';
import { selfSigned } from '../../support/certificate.js';
import { skipped } from '../../support/skipped.js';
import { outside } from '../../support/sources.js';

const servers: Server[] = [];
afterAll(() => Promise.all(servers.map((server) => new Promise((end) => server.close(end)))));

async function listen(server: Server, host = '127.0.0.1'): Promise<number> {
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  return (server.address() as AddressInfo).port;
}

/** The names of the tests, and what they resolve to. */
const ADDRESSES: Record<string, string[]> = {
  'receiver.example': ['127.0.0.1'],
  'private.example': ['10.0.0.1'],
  'mixed.example': ['127.0.0.1', '10.0.0.1'],
  'mapped.example': ['::ffff:10.0.0.1'],
};

const familyOf = (address: string) => ({ address, family: isIP(address) });
const lookupIn =
  (addresses: typeof ADDRESSES): BeginLookup =>
  async (hostname) => {
    const found = addresses[hostname] ?? [literalOf(hostname) ?? []].flat();
    return async () => found.map(familyOf);
  };

const allowed = new AllowedHosts(['127.0.0.1']);
const send = (url: string, beginLookup = lookupIn(ADDRESSES), more: Partial<Attempt> = {}) => {
  const by = { teamId: 'team', makerId: 'maker', within: 1_000 };
  const attempt = { url, body: '{"a":1}', headers: { 'x-test': 'yes' }, ...by, ...more };
  return post(attempt, { allowed, beginLookup });
};

test('posts the body and the headers, with the name as the host', async () => {
  const seen: unknown[] = [];
  const port = await listen(
    createServer(async (request, response) => {
      let body = '';
      for await (const chunk of request) body += chunk;
      const { host, connection } = request.headers;
      seen.push([request.method, request.url, host, connection, request.headers['x-test'], body]);
      response.end();
    }),
  );
  const outcome = await send(`http://receiver.example:${port}/hooks?a=1`);
  expect(outcome).toMatchObject({ status: 200 });
  const host = `receiver.example:${port}`;
  expect(seen).toEqual([['POST', '/hooks?a=1', host, 'close', 'yes', '{"a":1}']]);
});

test('follows no redirect', async () => {
  let calls = 0;
  const port = await listen(
    createServer((_request, response) => {
      calls++;
      response.writeHead(307, { location: '/other' }).end();
    }),
  );
  expect(await send(`http://127.0.0.1:${port}/`)).toMatchObject({ status: 307 });
  expect(calls).toBe(1);
});

test.each([
  'http://private.example/',
  'http://mixed.example/',
  'http://mapped.example/',
  'http://unknown.example/',
  'http://10.0.0.1/',
  'http://[::1]/',
  'http://[::ffff:127.0.0.2]/',
  'http://127.0.0.2/',
])('%s is unreachable', async (url) => {
  let calls = 0;
  const port = await listen(
    createServer((_request, response) => {
      calls++;
      response.end();
    }),
  );
  const target = Object.assign(new URL(url), { port: String(port) }).href;
  expect(await send(target)).toEqual({ status: 'unreachable' });
  expect(calls).toBe(0);
});

test('connects to the address that was checked, whatever the name resolves to a moment later', async () => {
  const good = await listen(createServer((_request, response) => void response.end()));
  let asked = 0;
  const rebinding: BeginLookup = async () => async () => [
    familyOf(++asked === 1 ? '127.0.0.1' : '10.0.0.1'),
  ];
  const url = `http://receiver.example:${good}/`;
  expect(await send(url, rebinding)).toMatchObject({ status: 200 });
  expect(asked).toBe(1);
  expect(await send(url, rebinding)).toEqual({ status: 'unreachable' });
});

test('a connection that breaks is unreachable, and so is a port on which nobody listens', async () => {
  const port = await listen(createTcpServer((socket) => socket.destroy()));
  expect(await send(`http://127.0.0.1:${port}/`)).toEqual({ status: 'unreachable' });
  const server = createTcpServer();
  const free = await listen(server);
  await new Promise((end) => server.close(end));
  servers.splice(servers.indexOf(server), 1);
  expect(await send(`http://127.0.0.1:${free}/`)).toEqual({ status: 'unreachable' });
});

test('a response without an end counts by its status', async () => {
  let written = 0;
  const port = await listen(
    createServer((_request, response) => {
      response.on('error', () => undefined);
      const write = () => {
        while (!response.destroyed && response.write(Buffer.alloc(65_536))) written += 65_536;
        if (!response.destroyed) response.once('drain', write);
      };
      write();
    }),
  );
  expect(await send(`http://127.0.0.1:${port}/`)).toMatchObject({ status: 200 });
  expect(written).toBeLessThan(64 * 1024 * 1024);
});

test('a receiver that keeps its connection open after the response delays nothing', async () => {
  const server = createTcpServer({ allowHalfOpen: true });
  const isLeft = new Promise<Socket>((resolve) => {
    server.once('connection', (socket) => {
      socket.once('data', () => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n'));
      for (const event of ['end', 'error']) socket.once(event, () => resolve(socket));
    });
  });
  const port = await listen(server);
  let outcome: Outcome | null | undefined;
  const sent = send(`http://127.0.0.1:${port}/`).then((found) => {
    outcome = found;
  });
  const socket = await isLeft;
  for (let turn = 0; turn < 100; turn++) await new Promise((resolve) => setImmediate(resolve));
  const seen = outcome;
  socket.destroy();
  await sent;
  expect(seen).toMatchObject({ status: 200 });
});

test.each([
  ['48 KiB of a response are read to their end', 3, 3],
  ['of a longer response little more than 64 KiB are read', 100, 8],
])('%s', async (_name, chunks, most) => {
  let written = 0;
  let end: (isCut: boolean) => void;
  const ended = new Promise<boolean>((resolve) => {
    end = resolve;
  });
  const port = await listen(
    createServer(async (_request, response) => {
      response.on('error', () => undefined);
      // Slowly: otherwise the system's buffers take much more than is read.
      for (; written < chunks && !response.destroyed; written++) {
        response.write(Buffer.alloc(16 * 1024));
        await sleep(50);
      }
      end(response.destroyed);
      response.end();
    }),
  );
  expect(await send(`http://127.0.0.1:${port}/`)).toMatchObject({ status: 200 });
  expect(await ended).toBe(chunks > most);
  expect(written).toBeLessThanOrEqual(most);
});

test('a receiver has 15 seconds', async () => {
  const server = createTcpServer();
  const isCalled = new Promise<Socket>((resolve) => {
    server.once('connection', (socket) => socket.once('data', () => resolve(socket)));
  });
  const port = await listen(server);
  jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask'] });
  let outcome: Outcome | null | undefined;
  void send(`http://127.0.0.1:${port}/`).then((found) => {
    outcome = found;
  });
  const socket = await isCalled;
  try {
    const seen: (Outcome | null | undefined)[] = [];
    for (const passed of [14_999, 1]) {
      jest.advanceTimersByTime(passed);
      for (let turn = 0; turn < 10; turn++) await new Promise((resolve) => setImmediate(resolve));
      seen.push(outcome);
    }
    expect(seen).toEqual([undefined, { status: 'timeout' }]);
  } finally {
    jest.useRealTimers();
    socket.destroy();
  }
});

test('names that are known only when the 15 seconds are over are a timeout, and nobody is called', async () => {
  let calls = 0;
  const port = await listen(
    createTcpServer((socket) => {
      calls++;
      socket.destroy();
    }),
  );
  // As of a name server that tells the IPv4 address, and nothing about IPv6.
  const late: BeginLookup = async () => (end) =>
    new Promise((resolve) => end.addEventListener('abort', () => resolve([familyOf('127.0.0.1')])));
  jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask'] });
  try {
    const outcome = send(`http://receiver.example:${port}/`, late);
    await new Promise((resolve) => setImmediate(resolve));
    jest.advanceTimersByTime(15_000);
    expect(await outcome).toEqual({ status: 'timeout' });
    expect(calls).toBe(0);
  } finally {
    jest.useRealTimers();
  }
});

const own = selfSigned();
(own ? test : skipped(test, 'openssl is missing'))(
  'a certificate that nobody vouches for, and no TLS at all, are told apart from silence',
  async () => {
    const port = await listen(createTlsServer(own ?? {}, (_request, response) => response.end()));
    // Node reads the environment of the process, which is not that of a test file.
    const { env } = outside.process;
    env.NODE_TLS_REJECT_UNAUTHORIZED = '0';
    try {
      expect(await send(`https://receiver.example:${port}/`)).toEqual({ status: 'tls' });
    } finally {
      delete env.NODE_TLS_REJECT_UNAUTHORIZED;
    }
    const plain = await listen(createServer((_request, response) => response.end()));
    expect(await send(`https://receiver.example:${plain}/`)).toEqual({ status: 'tls' });
  },
);
