import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { somebody, startService, tokenOf } from '../support/app.js';
import { build } from '../support/build.js';
import { sendRaw } from '../support/raw-socket.js';
import { endProcesses, freePort, type LogLine, startProcess, until } from './process.js';

const TIMEOUT = 120_000;
const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
beforeAll(build, 300_000);
afterEach(endProcesses, 60_000);

const ada = somebody();
const headers = { authorization: `Bearer ${tokenOf(ada)}`, 'content-type': 'application/json' };

describe('X-Request-Id', () => {
  test('is taken where it is well-formed, made otherwise, and always returned', async () => {
    const service = await startService();
    try {
      const ask = (path: string, id: string) =>
        service.with(null).get(path).set('x-request-id', id);
      for (const path of ['/teams', '/nothing', '/%zz', '/health/live']) {
        expect((await ask(path, 'a-1.b:2')).headers['x-request-id']).toBe('a-1.b:2');
      }
      expect(await sendRaw(service.url, 'no HTTP\r\n\r\n')).toMatch(/\r\nX-Request-Id: \S+\r\n/);
      for (const id of ['two words', '"quoted"', 'x'.repeat(129)]) {
        expect((await ask('/teams', id)).headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
      }
    } finally {
      await service.stop();
    }
  });
});

test(
  'the log has a line for each request, with who and why, and no token or content',
  async () => {
    const service = await startProcess();
    const token = tokenOf(somebody('Eve'));
    const secret = 'nobody reads this in a log';
    const ask = (path: string, init: RequestInit = {}) =>
      fetch(`${service.url}${path}`, { ...init, headers: { ...headers, ...init.headers } });
    const body = JSON.stringify({ name: 'Acme', slug: 'acme', description: secret });
    await ask('/teams', { method: 'POST', body, headers: { 'x-request-id': 'made' } });
    await ask('/teams/acme', { headers: { 'x-request-id': 'read' } });
    const broken = `Bearer ${token.slice(0, -3)}abc`;
    await ask('/teams/acme', { headers: { authorization: broken, 'x-request-id': 'refused' } });
    const find = (id: string): LogLine | undefined =>
      service.lines().find(({ requestId }) => requestId === id);
    await until(() => find('refused') !== undefined);

    expect(find('made')).toMatchObject({
      level: 'info',
      method: 'POST',
      route: '/teams',
      status: 200,
    });
    const read = { team: 'acme', route: '/teams/:team_slug', status: 200 };
    expect(find('read')).toMatchObject({
      ...read,
      userId: expect.any(String),
      durationMs: expect.any(Number),
    });
    expect(find('refused')).toMatchObject({ status: 401, cause: { message: 'invalid signature' } });
    const { inviteCode } = (await (await ask('/teams/acme')).json()) as { inviteCode: string };
    for (const hidden of [secret, inviteCode, token.slice(0, 40)]) {
      expect(service.output()).not.toContain(hidden);
    }
  },
  TIMEOUT,
);

test(
  "the log has the id of the caller's trace, and nothing of a malformed traceparent",
  async () => {
    const service = await startProcess();
    const trace = '0af7651916cd43dd8448eb211c80319c';
    const span = 'b7ad6b7169203331';
    const rows: [traceparent: string, traceId: string | undefined][] = [
      [`00-${trace}-${span}-01`, trace],
      [`00-${trace}-${span}-00`, trace],
      [`01-${trace}-${span}-01`, trace],
      [`cc-${trace}-${span}-01-what-comes-later`, trace],
      ['', undefined],
      [`00-${trace}-${span}`, undefined],
      [`00-${trace}-${span}-01-more`, undefined],
      [`00-${trace}-${span}-01-`, undefined],
      [`01-${trace}-${span}-01more`, undefined],
      [`00-${trace.slice(1)}-${span}-01`, undefined],
      [`00-${trace}0-${span}-01`, undefined],
      [`00-${trace.toUpperCase()}-${span}-01`, undefined],
      [`00-${'0'.repeat(32)}-${span}-01`, undefined],
      [`00-${trace}-${'0'.repeat(16)}-01`, undefined],
      [`ff-${trace}-${span}-01`, undefined],
      [`00-${trace}-${span}-01, 00-${trace}-${span}-01`, undefined],
      [`00-${'hostile"} '.repeat(4).slice(0, 32)}-${span}-01`, undefined],
      [`hostile 00-${trace}-${span}-01`, undefined],
    ];
    for (const [index, [traceparent]] of rows.entries()) {
      const id = { 'x-request-id': `trace-${index}` };
      await fetch(`${service.url}/me`, { headers: { ...headers, ...id, traceparent } });
    }
    await fetch(`${service.url}/%zz`, {
      headers: { 'x-request-id': 'unrouted', traceparent: `00-${trace}-${span}-01` },
    });
    const find = (id: string) => service.lines().find(({ requestId }) => requestId === id);
    await until(() => find('unrouted') !== undefined);
    expect(
      rows.map(([traceparent], index) => [traceparent, find(`trace-${index}`)?.traceId]),
    ).toEqual(rows);
    expect(find('unrouted')?.traceId).toBe(trace);
    expect(service.output()).not.toContain('hostile');
  },
  TIMEOUT,
);

test(
  'a line of the log that comes while another one is being written is written, too',
  async () => {
    // More than a pipe holds: the first line is being written until somebody reads.
    const program = `
      import { createLog } from './dist/observability/logger.js';
      const log = createLog({ logLevel: 'info', production: true });
      log.error('x'.repeat(1024 * 1024));
      setTimeout(() => log.error('second'), 500);
      setTimeout(() => log.info('third'), 500);
      setInterval(() => undefined, 1000);`;
    const child = spawn(process.execPath, ['--input-type=module', '--eval', program], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const chunks: Buffer[] = [];
    const has = (text: string) => Buffer.concat(chunks).includes(text);
    try {
      // Both lines and the half second that the third waits for more are over by then.
      await sleep(3_000);
      child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
      const deadline = Date.now() + 30_000;
      await until(() => (has('"second"') && has('"third"')) || Date.now() > deadline);
      expect([has('"second"'), has('"third"')]).toEqual([true, true]);
    } finally {
      child.kill('SIGKILL');
    }
  },
  TIMEOUT,
);

test(
  'every metric on the dashboard and in the alerts is served on METRICS_PORT, by route templates, and described',
  async () => {
    const metricsPort = String(await freePort());
    const service = await startProcess({ METRICS_PORT: metricsPort });
    await fetch(`${service.url}/teams/some-slug`, { headers });
    const read = async () => (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
    await until(async () => (await read()).includes('route="/teams/:team_slug",status="404"'));
    const text = await read();
    expect(text).not.toContain('some-slug');
    expect(text).toContain(
      `\nteamspaces_build_info{version="${version}",node="${process.version}"} 1\n`,
    );
    expect((await fetch(`${service.url}/metrics`, { headers })).status).toBe(404);

    const files = ['deploy/grafana/teamspaces.json', 'deploy/prometheus/alerts.yml'];
    const users = await Promise.all(files.map((file) => readFile(file, 'utf8')));
    const used = new Set(users.join().match(/\b(?:teamspaces|nodejs|process)_[a-z0-9_]+/g));
    // A histogram that has counted nothing yet shows its type only.
    const isServed = (name: string) =>
      text.includes(`\n${name}`) ||
      text.includes(`# TYPE ${name.replace(/_(?:sum|count|bucket)$/, '')} histogram`);
    const unknown = [...used].filter((name) => !isServed(name));
    expect(unknown).toEqual([]);

    const served = [...text.matchAll(/^# TYPE (teamspaces_\w+)/gm)].map(([, name]) => name);
    const page = await readFile('docs/monitor.md', 'utf8');
    const documented = [...page.matchAll(/^\| `(teamspaces_\w+)` \|/gm)].map(([, name]) => name);
    expect(documented.sort()).toEqual(served.sort());
  },
  TIMEOUT,
);

test(
  'OTEL_EXPORTER_OTLP_ENDPOINT gets the spans of a request, in the trace of its caller',
  async () => {
    const received: Buffer[] = [];
    const collector = createServer(async (request, response) => {
      for await (const chunk of request) received.push(chunk as Buffer);
      response.end();
    });
    await new Promise<void>((resolve) => collector.unref().listen(0, '127.0.0.1', resolve));
    const { port } = collector.address() as AddressInfo;
    const service = await startProcess({
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`,
      OTEL_BSP_SCHEDULE_DELAY: '100',
    });
    const traceId = '0af7651916cd43dd8448eb211c80319c';
    const traceparent = `00-${traceId}-b7ad6b7169203331-01`;
    const traced = { ...headers, traceparent };
    const malformed = { ...headers, traceparent: 'hostile', 'x-request-id': 'malformed' };
    await fetch(`${service.url}/teams`, { headers: malformed });
    await fetch(`${service.url}/teams`, { headers: traced });
    const body = JSON.stringify({ name: 'Acme', slug: 'acme' });
    await fetch(`${service.url}/teams`, { method: 'POST', headers: traced, body });
    const has = (text: string | Buffer) => Buffer.concat(received).includes(text);
    await fetch(`${service.url}/teams/acme/invites`, { headers: traced });
    await until(() => has('GET /teams') && has('users.record') && has('invites.pending'));
    expect(has(Buffer.from(traceId, 'hex'))).toBe(true);
    expect(has('teamspaces')).toBe(true);
    const lines = () => service.lines().filter(({ route }) => /^\/teams/.test(`${route}`));
    await until(() => lines().length === 4);
    const traceOf = (id: string) => lines().find(({ requestId }) => requestId === id)?.traceId;
    expect(traceOf('malformed')).toMatch(/^[0-9a-f]{32}$/);
    const ofCaller = lines().filter((line) => line.traceId === traceId);
    expect(ofCaller).toHaveLength(3);
    // What the service sends to itself for a model is in the trace of the message.
    const params = { name: 'list_teams', arguments: {} };
    await fetch(`${service.url}/mcp`, {
      method: 'POST',
      headers: { ...headers, 'x-request-id': 'model' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
    });
    const ofModel = () => service.lines().filter(({ requestId }) => requestId === 'model');
    await until(() => ofModel().length === 2);
    expect(ofModel().map(({ route }) => route)).toEqual(['/teams', '/mcp']);
    const [inner, outer] = ofModel().map((line) => line.traceId);
    expect(inner).toMatch(/^[0-9a-f]{32}$/);
    expect(inner).toBe(outer);
    expect((await service.end()).status).toBe(0);
    collector.close();
  },
  TIMEOUT,
);
