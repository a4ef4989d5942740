import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { somebody, startService, type TestService, tokenOf } from '../support/app.js';
import { aTeam } from '../support/builders.js';
import { type HeldLock, holdTeam } from '../support/locks.js';
import { until } from './process.js';

/** So many large responses that the system cannot take them without a reader. */
const BIG = 16;

let service: TestService;
let stopped: Promise<void> | undefined;
beforeEach(async () => {
  service = await startService();
  stopped = undefined;
});
afterEach(() => stopped ?? service.stop());

/** A connection that the test writes to by hand. */
async function open(): Promise<{ socket: Socket; got(): string }> {
  const { port } = new URL(service.url);
  const socket = connect(Number(port), '127.0.0.1');
  let got = '';
  socket.on('data', (data) => {
    got += data;
  });
  socket.on('error', () => undefined);
  await new Promise<void>((resolve) => socket.once('connect', resolve));
  return { socket, got: () => got };
}

/** Begins to stop the service; resolves when it takes no more connections. */
async function beginToStop(): Promise<void> {
  stopped = service.stop();
  await until(async () => {
    const refused = await fetch(`${service.url}/health/live`).catch(() => null);
    await refused?.text();
    return refused === null;
  });
}

const head = (line: string, more: string[] = []): string =>
  [`${line} HTTP/1.1`, 'Host: x', ...more, '', ''].join('\r\n');

test('a request that has half arrived has 2 seconds for its other half, not 8', async () => {
  const { socket, got } = await open();
  const body = ['Content-Type: application/json', 'Content-Length: 99', 'Expect: 100-continue'];
  const authorization = `Authorization: Bearer ${tokenOf(somebody())}`;
  socket.write(head('POST /teams', [authorization, ...body]));
  await until(() => got().includes('100 Continue'));
  socket.write('{"name"');
  await beginToStop();
  await service.advance(2_000);
  // With a clock that is moved, the 2 seconds take none.
  const closed = until(() => socket.closed).then(() => 'closed');
  expect(await Promise.race([closed, sleep(4_000, 'open')])).toBe('closed');
});

describe('of two requests on one connection', () => {
  const ada = somebody();
  let slug: string;
  let lock: HeldLock;
  beforeEach(async () => {
    slug = await aTeam(service.as(ada));
    lock = await holdTeam(service.databaseUrl, slug);
  });

  /** A request that waits for the lock. */
  function update(name: string): string {
    const body = JSON.stringify({ name });
    const headers = [`Authorization: Bearer ${tokenOf(ada)}`, `Content-Length: ${body.length}`];
    return head(`PUT /teams/${slug}`, [...headers, 'Content-Type: application/json']) + body;
  }

  test('both get responses, and the later one closes it', async () => {
    const { socket, got } = await open();
    socket.write(update('First'));
    await lock.waiting(1);
    await beginToStop();
    socket.write(update('Second'));
    await lock.waiting(2);
    await lock.release();
    await until(() => socket.closed);
    expect(got().match(/HTTP\/1\.1 \d+|"name":"\w+"|connection: close/gi)).toEqual([
      'HTTP/1.1 200',
      '"name":"First"',
      'HTTP/1.1 200',
      'Connection: close',
      '"name":"Second"',
    ]);
  });

  test('the later one gets a response even if the one before it is already being sent', async () => {
    const { socket, got } = await open();
    // More than the system takes without a reader: its end waits for the test.
    socket.write(head('GET /docs/swagger-ui-bundle.js').repeat(BIG));
    await until(() => got().includes('HTTP/1.1 200'));
    socket.pause();
    await beginToStop();
    socket.write(update('Late'));
    socket.resume();
    const closed = until(() => socket.closed);
    await Promise.race([lock.waiting(1), closed]);
    await lock.release();
    await closed;
    expect(
      got()
        .match(/HTTP\/1\.1 200|"name":"Late"/g)
        ?.slice(BIG),
    ).toEqual(['HTTP/1.1 200', '"name":"Late"']);
  });
});
