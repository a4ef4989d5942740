import jwt from 'jsonwebtoken';
import type request from 'supertest';
import { type Caller, SECRET, somebody, startService, type TestService } from '../support/app.js';
import { freshSlug } from '../support/builders.js';
import { type Document, type ResponseHead, undeclaredHeaders } from '../support/open-api.js';
import { WEBHOOK_ENV } from '../support/receiver.js';
import { aWorld, OPERATIONS } from './operations.js';

const services: TestService[] = [];
afterAll(() => Promise.all(services.map((service) => service.stop())));

/** A service that counts requests, and records its responses. */
async function recordingService(requestsPerMinute: number) {
  const service = await startService({
    RATE_LIMIT_PER_MINUTE: String(requestsPerMinute),
    PLAN_LIMITS: '{"free":{"workspaces":0}}',
    ...WEBHOOK_ENV,
  });
  services.push(service);
  const { body } = await service.with(null).get('/openapi.json');
  const heads: (ResponseHead & { cacheControl: string })[] = [];
  const recorded = (caller: Caller): Caller => {
    const record = (method: string, path: string, test: request.Test) =>
      test.on('response', ({ status, headers }: request.Response) =>
        heads.push({
          ...{ method, path, status, headers: Object.keys(headers) },
          cacheControl: headers['cache-control'] ?? 'none',
        }),
      );
    return {
      get: (path) => record('GET', path, caller.get(path)),
      post: (path, body) => record('POST', path, caller.post(path, body)),
      put: (path, body) => record('PUT', path, caller.put(path, body)),
      patch: (path, body) => record('PATCH', path, caller.patch(path, body)),
      delete: (path, body) => record('DELETE', path, caller.delete(path, body)),
    };
  };
  return {
    ...service,
    as: (person: Parameters<TestService['as']>[0]) => recorded(service.as(person)),
    with: (authorization: string | null) => recorded(service.with(authorization)),
    document: body as Document,
    heads,
  };
}

/** Sends a request to every operation, for records that do not exist. */
async function callAll({ paths }: Document, caller: Caller): Promise<void> {
  for (const [path, methods] of Object.entries(paths)) {
    const url = path.replace(/\{\w+\}/g, freshSlug());
    for (const method of Object.keys(methods)) await caller[method as keyof Caller](url);
  }
}

/** Requests whose response a shared cache, or a browser without asking, may keep. */
const cached = (heads: readonly { method: string; path: string; cacheControl: string }[]) =>
  heads
    .filter(({ cacheControl }) => cacheControl !== 'private, no-cache')
    .map(({ method, path, cacheControl }) => `${method} ${path}: ${cacheControl}`);

const statuses = (heads: readonly ResponseHead[]): number[] =>
  [...new Set(heads.map(({ status }) => status))].sort();

test('every header of a success is declared at its operation and status', async () => {
  const service = await recordingService(1_000_000);
  const world = await aWorld(service, service.as(somebody()));
  for (const prepare of Object.values(OPERATIONS)) await (await prepare(world))();
  const { document, heads } = service;
  expect(statuses(heads)).toEqual([200, 304]);
  expect(undeclaredHeaders(document, heads)).toEqual([]);
  expect(cached(heads)).toEqual([]);
  const sent = new Set(heads.flatMap(({ headers }) => headers));
  expect([...sent]).toEqual(
    expect.arrayContaining(['etag', 'link', 'idempotent-replayed', 'ratelimit', 'x-request-id']),
  );
});

test('every header of a refusal is declared at its operation and status', async () => {
  const service = await recordingService(1_000_000);
  const { document, heads } = service;
  const narrowed = jwt.sign({ ...somebody(), scope: 'teamspaces:' }, SECRET, { expiresIn: 600 });
  for (const authorization of [null, 'Bearer x', `Bearer ${narrowed}`]) {
    await callAll(document, service.with(authorization));
  }
  await callAll(document, service.as(somebody()));
  const hasWays = heads.filter(({ headers }) => headers.includes('www-authenticate'));
  expect(statuses(hasWays)).toEqual([401, 403]);
  expect(cached(heads)).toEqual([]);
  expect(undeclaredHeaders(document, heads)).toEqual([]);
});

test('every header of a request beyond the rate limit is declared at its operation', async () => {
  const service = await recordingService(1);
  const { document, heads } = service;
  await callAll(document, service.as(somebody()));
  expect(heads.filter(({ status }) => status === 429).length).toBeGreaterThan(80);
  expect(cached(heads)).toEqual([]);
  expect(undeclaredHeaders(document, heads)).toEqual([]);
});
