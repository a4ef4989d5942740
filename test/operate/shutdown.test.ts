import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { somebody, tokenOf } from '../support/app.js';
import { build } from '../support/build.js';
import { fire, send } from './load.js';
import { endProcesses, type ServiceProcess, startProcess, until } from './process.js';

beforeAll(build, 300_000);
afterEach(endProcesses, 60_000);

const authorization = `Bearer ${tokenOf(somebody())}`;
const headers = { authorization, 'content-type': 'application/json' };
/** Milliseconds of a test that starts and ends a process. */
const TIMEOUT = 120_000;
/** The longest that an end may take beyond SHUTDOWN_DELAY_MS. */
const LONGEST = 10_000;

async function aWorkspace({ url }: ServiceProcess): Promise<string> {
  for (const [path, body] of [
    ['/teams', { name: 'Acme', slug: 'acme' }],
    ['/teams/acme/workspaces', { name: 'Docs' }],
  ] as const) {
    const { response, text } = await send(url, {
      ...{ method: 'POST', path, headers },
      body: JSON.stringify(body),
    });
    if (response.statusCode !== 200) throw new Error(text);
  }
  return '/teams/acme/workspaces/docs/collections';
}

/** A connection that the test writes to by hand. */
async function open(
  { port }: ServiceProcess,
  text = '',
): Promise<{ socket: Socket; got(): string }> {
  const socket = connect(port, '127.0.0.1');
  let got = '';
  socket.on('data', (data) => {
    got += data;
  });
  socket.on('error', () => undefined);
  await new Promise<void>((resolve) => socket.once('connect', resolve));
  socket.write(text);
  return { socket, got: () => got };
}

describe('SIGTERM', () => {
  test.each([
    ['reads', 'GET', undefined],
    ['writes', 'POST', '{"name":"Page","object":"item"}'],
  ])(
    'under a load of %s cuts off no request',
    async (_, method, body) => {
      const service = await startProcess({
        LOG_LEVEL: 'warn',
        PLAN_LIMITS: '{"free":{"pages":0}}',
      });
      const path = await aWorkspace(service);
      const load = fire(service.url, 40, { method, path, headers, ...(body && { body }) });
      await sleep(1_000);
      const { status, took } = await service.end();
      const { statuses, last, refused, cut } = await load;
      expect(cut).toEqual([]);
      expect(Object.keys(statuses)).toEqual(['200']);
      expect(last).toBe(40);
      expect(refused).toBe(40);
      expect(status).toBe(0);
      expect(took).toBeLessThan(LONGEST);
    },
    TIMEOUT,
  );

  test(
    'makes it not ready, and keeps accepting for SHUTDOWN_DELAY_MS',
    async () => {
      const service = await startProcess({ SHUTDOWN_DELAY_MS: '1500' });
      const ending = service.end();
      await until(async () => (await fetch(`${service.url}/health/ready`)).status === 503);
      expect((await fetch(`${service.url}/health/live`)).status).toBe(200);
      expect((await fetch(`${service.url}/teams`, { headers })).status).toBe(200);
      expect((await ending).status).toBe(0);
      expect(service.child.exitCode).toBe(0);
    },
    TIMEOUT,
  );

  test(
    'is not held by connections that are idle, silent, or stop in the midst of a request',
    async () => {
      const service = await startProcess();
      await open(service);
      await open(service, 'GET /teams HTTP/1.1\r\nHost: x\r\nAccept');
      const half = `POST /teams HTTP/1.1\r\nHost: x\r\nAuthorization: ${authorization}\r\n`;
      await open(
        service,
        `${half}Content-Type: application/json\r\nContent-Length: 99\r\n\r\n{"name"`,
      );
      const idle = await open(service, 'GET /health/live HTTP/1.1\r\nHost: x\r\n\r\n');
      await until(() => idle.got().includes('"ok"'));
      const { status, took } = await service.end();
      expect(status).toBe(0);
      expect(took).toBeLessThan(LONGEST);
    },
    TIMEOUT,
  );

  test(
    'lets a response that is being sent arrive completely',
    async () => {
      const service = await startProcess();
      const { socket, got } = await open(service);
      socket.pause();
      socket.write('GET /docs/swagger-ui-bundle.js HTTP/1.1\r\nHost: x\r\n\r\n');
      await sleep(500);
      const ending = service.end();
      await sleep(500);
      socket.resume();
      expect((await ending).status).toBe(0);
      await until(() => socket.closed);
      const [head = '', ...rest] = got().split('\r\n\r\n');
      const length = Number(/content-length: (\d+)/i.exec(head)?.[1]);
      expect(Buffer.byteLength(rest.join('\r\n\r\n'))).toBe(length);
    },
    TIMEOUT,
  );

  test(
    'responds to every request that was sent on one connection at once',
    async () => {
      const service = await startProcess();
      const request = `GET /teams HTTP/1.1\r\nHost: x\r\nAuthorization: ${authorization}\r\n\r\n`;
      const { got } = await open(service);
      const piped = await open(service, request.repeat(20));
      expect((await service.end()).status).toBe(0);
      expect(piped.got().match(/HTTP\/1\.1 200/g)).toHaveLength(20);
      expect(piped.got().match(/connection: close/gi)).toHaveLength(1);
      expect(got()).toBe('');
    },
    TIMEOUT,
  );
});

describe('Ctrl-C', () => {
  test(
    'in development, with a browser open, takes under a second',
    async () => {
      // The fastest of five: a busy machine is slow, not wrong.
      const took: number[] = [];
      while (took.length < 5 && !took.some((each) => each < 1_000)) {
        const service = await startProcess({ NODE_ENV: '' });
        // What a browser keeps: connections that have served a page, and one made in advance.
        await open(service);
        for (const path of ['/docs', '/health/live']) {
          const kept = await open(service, `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`);
          await until(() => kept.got().includes('\r\n\r\n'));
        }
        // Whoever presses the keys has looked at the page before.
        await sleep(500);
        const end = await service.end('SIGINT');
        expect(end.status).toBe(0);
        took.push(end.took);
      }
      expect(Math.min(...took)).toBeLessThan(1_000);
    },
    TIMEOUT,
  );
});
