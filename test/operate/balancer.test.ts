import { randomUUID } from 'node:crypto';
import { Agent, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { type Haproxy, startHaproxy } from '../instances/haproxy.js';
import { somebody, tokenOf } from '../support/app.js';
import { build } from '../support/build.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { type Fate, type FlakyProxy, startFlakyProxy } from '../support/flaky-proxy.js';
import { describeWith } from '../support/programs.js';
import { send } from './load.js';
import { endProcesses, type ServiceProcess, startProcess } from './process.js';

const TIMEOUT = 120_000;
const PUBLIC_URL = 'https://teamspaces.test';
const PATH = '/teams/acme/workspaces/docs/collections';
const SIX = [0, 1, 2, 3, 4, 5];

const authorization = `Bearer ${tokenOf(somebody())}`;

interface Page {
  id: string;
  name: string;
  content: { list: number[] };
}

describeWith('haproxy')('behind the balancer', () => {
  let database: TestDatabase;
  let instances: ServiceProcess[];
  const proxies: FlakyProxy[] = [];
  let balancer: Haproxy;
  /** The method whose next response is lost, after the service has done what it was asked for. */
  let losing = '';
  /** Methods of the requests that have reached an instance. */
  let arrived: string[] = [];

  const fateOf = ({ method = '', url = '' }: IncomingMessage): Fate => {
    if (url.startsWith('/health')) return 'well';
    arrived.push(method);
    if (method !== losing) return 'well';
    losing = '';
    return 'response lost';
  };

  beforeAll(async () => {
    await build();
    database = await createTestDatabase();
    const env = { DATABASE_URL: database.url, PUBLIC_URL };
    instances = [await startProcess(env), await startProcess(env)];
    for (const { url } of instances) proxies.push(await startFlakyProxy(url, fateOf));
    const ports = proxies.map(({ url }) => Number(new URL(url).port));
    balancer = await startHaproxy(ports, { env: { PUBLIC_URL } });
    await ask('POST', '/teams', { name: 'Acme', slug: 'acme' });
    await ask('POST', '/teams/acme/workspaces', { name: 'Docs' });
  }, 300_000);
  afterAll(async () => {
    await balancer?.stop();
    for (const proxy of proxies) await proxy.stop();
    await endProcesses();
    await database?.drop();
  }, 60_000);

  /** Sends a request, on a new connection by default. */
  async function ask(
    method: string,
    path: string,
    body?: object,
    more: Record<string, string> = {},
    { url = balancer.url, agent = new Agent() }: { url?: string; agent?: Agent } = {},
  ): Promise<{ status: number; headers: IncomingHttpHeaders; text: string }> {
    const headers = { authorization, ...(body && { 'content-type': 'application/json' }), ...more };
    const shot = { method, path, headers, ...(body && { body: JSON.stringify(body) }) };
    const { response, text } = await send(url, shot, agent);
    return { status: response.statusCode ?? 0, headers: response.headers, text };
  }

  const aPage = async (): Promise<Page> => {
    const body = { name: 'Page', object: 'item', content: { list: [] } };
    return JSON.parse((await ask('POST', PATH, body)).text) as Page;
  };
  const read = async (id: string): Promise<Page> =>
    JSON.parse((await ask('GET', `${PATH}/${id}`)).text) as Page;
  const named = async (name: string): Promise<number> =>
    (JSON.parse((await ask('GET', PATH)).text) as Page[]).filter((page) => page.name === name)
      .length;
  const append = (n: number) => [{ op: 'add', path: '/list/-', value: n }];

  /** A request whose first response is lost; its status, and how often it has reached an instance. */
  async function lose(...request: Parameters<typeof ask>): Promise<[number, number]> {
    const [method] = request;
    losing = method;
    arrived = [];
    const { status } = await ask(...request);
    expect(losing).toBe('');
    return [status, arrived.filter((one) => one === method).length];
  }

  describe('a request whose response is lost is not sent again', () => {
    const once = SIX.map(() => [502, 1]);

    test('a PATCH without a key', async () => {
      const { id } = await aPage();
      const sent: unknown[] = [];
      for (const n of SIX) sent.push(await lose('PATCH', `${PATH}/${id}/content`, append(n)));
      expect({ sent, list: (await read(id)).content.list }).toEqual({ sent: once, list: SIX });
    });

    test('a POST without a key', async () => {
      const sent: unknown[] = [];
      for (const _ of SIX) sent.push(await lose('POST', PATH, { name: 'Posted', object: 'item' }));
      expect({ sent, times: await named('Posted') }).toEqual({ sent: once, times: 6 });
    });

    test('a PUT, with a key, too', async () => {
      const { id } = await aPage();
      const sent: unknown[] = [];
      for (const n of SIX) {
        const etag = String((await ask('GET', `${PATH}/${id}`)).headers.etag);
        const more = { 'if-match': etag, 'idempotency-key': randomUUID() };
        sent.push(await lose('PUT', `${PATH}/${id}`, { name: `Put ${n}` }, more));
      }
      expect({ sent, name: (await read(id)).name }).toEqual({ sent: once, name: 'Put 5' });
    });

    test('a DELETE, with a key, too', async () => {
      const sent: unknown[] = [];
      for (const _ of SIX) {
        const { id } = await aPage();
        const more = { 'idempotency-key': randomUUID() };
        sent.push(await lose('DELETE', `${PATH}/${id}`, undefined, more));
        expect((await ask('GET', `${PATH}/${id}`)).status).toBe(404);
      }
      expect(sent).toEqual(once);
    });

    test('a PATCH on a connection that was used before', async () => {
      const agent = new Agent({ keepAlive: true, maxSockets: 1 });
      const { id } = await aPage();
      const path = `${PATH}/${id}`;
      for (const n of SIX) {
        await ask('GET', path, undefined, {}, { agent });
        losing = 'PATCH';
        const patch = ask('PATCH', `${path}/content`, append(n), {}, { agent });
        // haproxy before 3.0 closes such a connection without a response.
        const what = await patch.then(
          ({ status }) => status,
          () => 'closed',
        );
        expect([502, 'closed']).toContain(what);
        expect(losing).toBe('');
      }
      expect((await read(id)).content.list).toEqual(SIX);
      agent.destroy();
    });
  });

  describe('a request whose response is lost is sent again, and its caller does not notice', () => {
    const twice = SIX.map(() => [200, 2]);

    test('a read', async () => {
      const sent: unknown[] = [];
      for (const _ of SIX) sent.push(await lose('GET', '/teams/acme'));
      expect(sent).toEqual(twice);
    });

    test('a PATCH with a key, and it is done once', async () => {
      const { id } = await aPage();
      const sent: unknown[] = [];
      for (const n of SIX) {
        const more = { 'idempotency-key': randomUUID() };
        sent.push(await lose('PATCH', `${PATH}/${id}/content`, append(n), more));
      }
      expect({ sent, list: (await read(id)).content.list }).toEqual({ sent: twice, list: SIX });
    });

    test('a POST with a key, and it is done once', async () => {
      const sent: unknown[] = [];
      for (const _ of SIX) {
        const more = { 'idempotency-key': randomUUID() };
        sent.push(await lose('POST', PATH, { name: 'Keyed', object: 'item' }, more));
      }
      expect({ sent, times: await named('Keyed') }).toEqual({ sent: twice, times: 6 });
    });
  });

  /** Asserts the body of the API's errors; returns the status and the wait that it asks for. */
  function failure(response: Awaited<ReturnType<typeof ask>>, code: string) {
    const { status, headers, text } = response;
    expect(JSON.parse(text)).toEqual({
      error: {
        code,
        message: expect.stringMatching(/^[a-z].*[a-z]$/i),
        doc_url: `${PUBLIC_URL}/api-reference/errors#${code}`,
      },
    });
    expect(headers['content-type']).toBe('application/json; charset=utf-8');
    return [status, headers['retry-after']];
  }

  /** What comes back for a body that breaks off from HTTP once the service has asked for it. */
  function sendBrokenBody(url: string): Promise<string> {
    const { port, host } = new URL(url);
    const head = [
      'POST /teams HTTP/1.1',
      `Host: ${host}`,
      `Authorization: ${authorization}`,
      'Content-Type: application/json',
      'Transfer-Encoding: chunked',
      'Expect: 100-continue',
    ];
    return new Promise((resolve, reject) => {
      let heard = '';
      const socket = connect(Number(port), '127.0.0.1', () =>
        socket.write(`${head.join('\r\n')}\r\n\r\n`),
      );
      socket.on('data', (data) => {
        if (heard === '') socket.write('no length\r\n');
        heard += data.toString('utf8');
      });
      socket.on('close', () => resolve(heard));
      socket.on('error', reject);
    });
  }

  test(
    'its own errors have the body of the API, and headers of 32 KiB reach the service',
    async () => {
      losing = 'DELETE';
      const { id } = await aPage();
      const lost = await ask('DELETE', `${PATH}/${id}`);
      expect(failure(lost, 'internal_server_error')).toEqual([502, '1']);

      const options = { timeout: '1s', env: { PUBLIC_URL } };
      const impatient = await startHaproxy(
        instances.map(({ port }) => port),
        options,
      );
      try {
        const get = (path: string, more = {}) =>
          ask('GET', path, undefined, more, { url: impatient.url });
        const { cursor } = JSON.parse((await get(`${PATH}/changes`)).text) as { cursor: string };
        const late = await get(`${PATH}/changes?cursor=${cursor}&wait=20`);
        expect(failure(late, 'internal_server_error')).toEqual([504, '1']);

        const long = await get('/teams', { authorization: `Bearer ${'x'.repeat(30 * 1024)}` });
        expect(failure(long, 'unauthorized')).toEqual([401, undefined]);

        const [, answer = '', body = ''] = (await sendBrokenBody(impatient.url)).split('\r\n\r\n');
        expect([answer.slice(0, 12), JSON.parse(body).error.code]).toEqual([
          'HTTP/1.1 400',
          'bad_request',
        ]);

        // It checks them through proxies that cannot do without them.
        await balancer.stop();
        await Promise.all(instances.map((instance) => instance.end()));
        const away = await get('/teams');
        expect(failure(away, 'internal_server_error')).toEqual([503, '1']);
      } finally {
        await impatient.stop();
      }
    },
    TIMEOUT,
  );
});
