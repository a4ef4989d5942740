import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  createClient,
  NoAnswerError,
  RateLimitError,
  type RetryOptions,
  TeamspacesError,
} from '../../clients/typescript/src/client.js';
import { nextCursor } from '../../clients/typescript/src/lists.js';
import { retryAfter } from '../../clients/typescript/src/retry.js';
import { offenders } from '../support/offenders.js';

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

interface Seen {
  method: string;
  key: string | undefined;
  body: string;
}

let stop: (() => void) | undefined;
afterEach(() => stop?.());

/** A server that gives these answers, one a request, and then 200; and what it was sent. */
async function serverOf(...answers: Answer[]) {
  const seen: Seen[] = [];
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    const key = request.headers['idempotency-key'] as string | undefined;
    seen.push({ method: `${request.method}`, key, body });
    const answer = answers.shift() ?? reply(200, { _id: '1' });
    answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  stop = () => server.close().closeAllConnections();
  const { port } = server.address() as AddressInfo;
  const api = (retry?: RetryOptions) =>
    createClient({
      baseUrl: `http://127.0.0.1:${port}`,
      token: 'token',
      ...(retry && { retry }),
    });
  return { seen, api };
}

const reply =
  (status: number, body: unknown, headers: Record<string, string> = {}): Answer =>
  (_, response) =>
    response
      .writeHead(status, { 'content-type': 'application/json', ...headers })
      .end(JSON.stringify(body));

const failed = (code: string) => ({ error: { code, message: code } });
const busy = (after: string) => reply(429, failed('rate_limit_exceeded'), { 'retry-after': after });
const drop: Answer = (request) => request.socket.destroy();

const team = { body: { name: 'Acme', slug: 'acme' } };
const item = { params: { path: { id: '1' } }, body: { name: 'Guides' } };
const underMatch = { params: { path: { id: '1' }, header: { 'If-Match': '"1"' } }, body: {} };

describe('a request is sent again', () => {
  test('after 429, when Retry-After has passed: in seconds or as a date', async () => {
    const { seen, api } = await serverOf(busy('0'), busy(new Date().toUTCString()));
    await api().GET('/me');
    expect(seen).toHaveLength(3);
  });

  test('with the same body and the same Idempotency-Key, where it is a POST', async () => {
    const { seen, api } = await serverOf(drop, reply(500, failed('internal_server_error')));
    await api().POST('/teams', team);
    expect(seen.map(({ body }) => JSON.parse(body))).toEqual([team.body, team.body, team.body]);
    expect(seen[0]?.key).toMatch(/^[0-9a-f-]{36}$/);
    expect(new Set(seen.map(({ key }) => key)).size).toBe(1);
  });

  test('while the same Idempotency-Key is at work', async () => {
    const { seen, api } = await serverOf(reply(409, failed('conflict'), { 'retry-after': '0' }));
    await api().POST('/teams', { ...team, headers: { 'Idempotency-Key': 'mine' } });
    expect(seen.map(({ key }) => key)).toEqual(['mine', 'mine']);
  });

  test('after a lost connection, where it is a PUT', async () => {
    const { seen, api } = await serverOf(drop);
    await api().PUT('/collections/{id}', item);
    expect(seen).toHaveLength(2);
  });

  test('after an answer that breaks off, and says why', async () => {
    const broken: Answer = (_, response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': 100 });
      response.write('{"_id":', () => response.destroy());
    };
    const { seen, api } = await serverOf(broken);
    const told: string[] = [];
    const onRetry = (reason: string) => told.push(reason);
    expect(await api({ onRetry }).POST('/teams', team)).toEqual({ _id: '1' });
    expect(seen).toHaveLength(2);
    expect(told).toEqual([expect.stringMatching(/^http:.* does not answer: /)]);
  });

  test('under If-Match only where nothing was done', async () => {
    const { seen, api } = await serverOf(busy('0'), drop);
    await expect(api().PUT('/collections/{id}', underMatch)).rejects.toBeInstanceOf(NoAnswerError);
    expect(seen).toHaveLength(2);
  });
});

describe('a request is not sent again', () => {
  test('after a conflict', async () => {
    const { seen, api } = await serverOf(reply(409, failed('conflict')));
    await expect(api().POST('/teams', team)).rejects.toThrow('conflict');
    expect(seen).toHaveLength(1);
  });

  test('more often than attempts allow', async () => {
    const { seen, api } = await serverOf(busy('0'), busy('0'), busy('0'));
    await expect(api({ attempts: 2 }).GET('/me')).rejects.toBeInstanceOf(RateLimitError);
    expect(seen).toHaveLength(2);
  });

  test('when the wait is longer than longestWait', async () => {
    const { seen, api } = await serverOf(busy('120'));
    await expect(api().GET('/me')).rejects.toBeInstanceOf(RateLimitError);
    expect(seen).toHaveLength(1);
  });

  test('once its signal is aborted', async () => {
    const { seen, api } = await serverOf(busy('30'));
    const aborting = new AbortController();
    const call = api().GET('/me', { signal: aborting.signal });
    while (seen.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    aborting.abort(new Error('enough'));
    await expect(call).rejects.toThrow('enough');
    expect(seen).toHaveLength(1);
  });
});

test('an answer of a proxy is an error without a code', async () => {
  const { api } = await serverOf((_, response) => response.writeHead(502).end('<h1>Bad</h1>'));
  const call = api({ attempts: 1 }).GET('/me');
  await expect(call).rejects.toMatchObject({ code: null, status: 502 });
  await expect(call).rejects.toBeInstanceOf(TeamspacesError);
});

test('a success that is no JSON is an error without a code', async () => {
  const { api } = await serverOf((_, response) =>
    response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Log in</h1>'),
  );
  await expect(api().GET('/me')).rejects.toMatchObject({ code: null, status: 200 });
});

test('Retry-After asks for so many ms', async () => {
  const wrong = await offenders(
    [
      ['0', 0],
      ['7', 7_000],
      ['Thu, 01 Jan 2026 00:00:05 GMT', 5_000],
      ['Wed, 31 Dec 2025 23:59:00 GMT', 0],
      ['soon', null],
      ['', null],
      [null, null],
    ],
    ([header, wait]) => {
      expect(retryAfter(header, Date.UTC(2026, 0, 1))).toBe(wait);
    },
  );
  expect(wrong).toEqual([]);
});

test('the Link leads to a cursor', async () => {
  const wrong = await offenders(
    [
      ['</collections?limit=2&cursor=abc>; rel="next"', 'abc'],
      [
        '<https://elsewhere.example/?cursor=x>; rel=prev, <https://a.example/?cursor=y>; rel=next',
        'y',
      ],
      ['<https://a.example/?cursor=x>; rel="prev"', null],
      [null, null],
    ],
    ([link, cursor]) => {
      expect(nextCursor(link)).toBe(cursor);
    },
  );
  expect(wrong).toEqual([]);
});
