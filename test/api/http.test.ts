import { gzipSync } from 'node:zlib';
import jwt from 'jsonwebtoken';
import { ERROR_CODES } from '../../src/errors/domain-error.js';
import { ERROR_STATUS } from '../../src/errors/error-status.js';
import { SECRET, somebody, startService, tokenOf } from '../support/app.js';
import { anItem, aTeam, aWorkspace, freshSlug } from '../support/builders.js';
import { error } from '../support/errors.js';
import { testInside } from '../support/inside.js';
import { offenders } from '../support/offenders.js';
import { parseResponse, sendRaw } from '../support/raw-socket.js';
import { scene } from '../support/scene.js';

const ORIGIN = 'https://app.example.com';
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'];

const at = scene({ env: { CORS_ORIGINS: `${ORIGIN},https://other.example.com` } });

const ada = somebody();
const call = (path: string, init: RequestInit = {}) => fetch(at.url + path, init);
const words = (header: string | null) => (header ?? '').toLowerCase().split(/, */);

describe('a preflight', () => {
  const preflight = (origin: string, method: string, headers = 'authorization') =>
    call('/teams/acme/workspaces/handbook', {
      method: 'OPTIONS',
      headers: {
        origin,
        'access-control-request-method': method,
        'access-control-request-headers': headers,
      },
    });

  test('of every method is allowed for an origin in CORS_ORIGINS', async () => {
    const wrong = await offenders(METHODS, async (method) => {
      const answer = await preflight(ORIGIN, method);
      expect(answer.status).toBe(204);
      expect(answer.headers.get('access-control-allow-origin')).toBe(ORIGIN);
      expect(words(answer.headers.get('access-control-allow-methods'))).toContain(
        method.toLowerCase(),
      );
      expect(answer.headers.get('access-control-allow-credentials')).toBeNull();
    });
    expect(wrong).toEqual([]);
  });

  test('allows the headers that callers send', async () => {
    const answer = await preflight(ORIGIN, 'PUT');
    expect(words(answer.headers.get('access-control-allow-headers'))).toEqual(
      expect.arrayContaining([
        'authorization',
        'content-type',
        'if-match',
        'if-none-match',
        'idempotency-key',
        'x-request-id',
        'traceparent',
        'tracestate',
        'mcp-protocol-version',
        'mcp-method',
        'mcp-name',
      ]),
    );
  });

  test('of another origin is allowed nothing', async () => {
    const wrong = await offenders(
      ['https://evil.example.com', 'null', `${ORIGIN}.evil.example.com`, 'http://app.example.com'],
      async (origin) => {
        const answer = await preflight(origin, 'PUT');
        expect(answer.headers.get('access-control-allow-origin')).toBeNull();
      },
    );
    expect(wrong).toEqual([]);
  });

  test('needs an origin and a method: any other OPTIONS is 404', async () => {
    for (const headers of [{}, { origin: ORIGIN }, { 'access-control-request-method': 'GET' }]) {
      const answer = await call('/teams', { method: 'OPTIONS', headers: new Headers(headers) });
      expect(answer.status).toBe(404);
      expect(await answer.json()).toMatchObject({ error: { code: 'not_found' } });
    }
  });
});

describe('an answer to another origin', () => {
  test('may be read by an origin in CORS_ORIGINS, with the headers that matter', async () => {
    const answer = await call('/teams', { headers: { origin: ORIGIN } });
    expect(answer.status).toBe(401);
    expect(answer.headers.get('access-control-allow-origin')).toBe(ORIGIN);
    expect(words(answer.headers.get('access-control-expose-headers'))).toEqual(
      expect.arrayContaining([
        'etag',
        'link',
        'retry-after',
        'ratelimit',
        'ratelimit-policy',
        'x-request-id',
        'idempotent-replayed',
        'www-authenticate',
      ]),
    );
    expect(words(answer.headers.get('vary'))).toContain('origin');
  });

  test('may not be read by others', async () => {
    const answer = await call('/teams', { headers: { origin: 'https://evil.example.com' } });
    expect(answer.headers.get('access-control-allow-origin')).toBeNull();
  });
});

describe('every answer', () => {
  const paths = [
    '/teams',
    '/nothing',
    '/teams/%zz',
    '/docs',
    '/manual',
    '/manual/none',
    '/manual/roles.md',
    '/llms.txt',
    '/openapi.json',
    '/api-reference/errors',
  ];

  test('has the X-Request-Id of the request, or one of its own where that is malformed', async () => {
    const idOf = async (sent: string) => {
      const { headers } = await call('/teams', { headers: { 'x-request-id': sent } });
      return headers.get('x-request-id');
    };
    const given = [`${'a'.repeat(127)}=`, 'A-1._:/+=@'];
    expect(await Promise.all(given.map(idOf))).toEqual(given);
    for (const malformed of ['a'.repeat(129), 'a b', 'a,b', '"a"', 'ä']) {
      expect(await idOf(malformed)).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
    }
  });

  test('with data is kept by private caches only; documents and pages have rules of their own', async () => {
    const rules: Record<string, string | null> = {
      '/teams': 'private, no-cache',
      '/nothing': 'private, no-cache',
      '/teams/%zz': 'private, no-cache',
      '/docs': 'no-cache',
      '/reference': 'no-cache',
      '/manual': 'public, no-cache',
      '/manual/roles.md': 'public, no-cache',
      '/manual/none': null,
      '/openapi.json': 'public, no-cache',
      '/llms.txt': 'public, no-cache',
      '/api-reference/errors': 'public, no-cache',
      '/health/live': 'no-store',
      '/health/ready': 'no-store',
    };
    for (const [path, rule] of Object.entries(rules)) {
      const answer = await call(path);
      expect([path, answer.headers.get('cache-control')]).toEqual([path, rule]);
    }
  });

  test('protects browsers and names no software', async () => {
    const wrong = await offenders(paths, async (path) => {
      const answer = await call(path, { headers: { origin: ORIGIN } });
      const { headers } = answer;
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('x-frame-options')).toBe('DENY');
      expect(headers.get('referrer-policy')).toBe('no-referrer');
      expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
      expect(headers.get('content-security-policy')).not.toContain('upgrade-insecure-requests');
      expect(headers.get('server')).toBeNull();
      expect(headers.get('x-powered-by')).toBeNull();
      // The public address is plain HTTP here.
      expect(headers.get('strict-transport-security')).toBeNull();
    });
    expect(wrong).toEqual([]);
  });

  test('with data may load nothing', async () => {
    const answer = await at.as(ada).get('/teams');
    expect(answer.status).toBe(200);
    expect(answer.headers['content-security-policy']).toBe(
      "default-src 'none';frame-ancestors 'none'",
    );
  });

  test('that is a page of Swagger UI may load all that the page names', async () => {
    const page = await call('/docs');
    const policy = page.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'self'");
    const html = await page.text();
    // Scripts and styles come from the service itself; nothing runs inline.
    expect(html).not.toMatch(/<script(?![^>]*\ssrc=)/);
    for (const [, address = ''] of html.matchAll(/(?:src|href)=["']([^"'#]+)["']/g)) {
      const { origin, href } = new URL(address, `${at.url}/docs`);
      expect(origin).toBe(at.url);
      expect((await fetch(href)).status).toBe(200);
    }
  });
});

test('HSTS is sent where the public address is https', async () => {
  const secure = await startService({ PUBLIC_URL: 'https://spaces.example.com' });
  try {
    const answer = await secure.with(null).get('/teams');
    expect(answer.headers['strict-transport-security']).toBe('max-age=31536000');
  } finally {
    await secure.stop();
  }
});

test('without CORS_ORIGINS a preflight is a request like any other', async () => {
  const closed = await startService();
  try {
    const answer = await fetch(`${closed.url}/teams`, {
      method: 'OPTIONS',
      headers: { origin: ORIGIN, 'access-control-request-method': 'PUT' },
    });
    expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([404, null]);
  } finally {
    await closed.stop();
  }
});

test('query parameters that the service does not know are ignored, as gateways append theirs', async () => {
  const as = at.as(ada);
  const { query, path } = await aWorkspace(as, await aTeam(as));
  for (const [address, sign] of [
    ['/teams', '?'],
    [path, '?'],
    [`/collections${query}`, '&'],
  ] as const) {
    const { status, body } = await as.get(`${address}${sign}_=1767225600&utm_source=mail`);
    expect([status, body]).toEqual([200, (await as.get(address)).body]);
  }
});

test('a time in a query with a + that is not encoded as %2B is 400 with that reason', async () => {
  interface Parameter {
    name: string;
    in: string;
    schema: { format?: string };
  }
  const as = at.as(ada);
  const team = await aTeam(as);
  const { paths } = (await as.get('/openapi.json')).body as {
    paths: Record<string, Record<string, { parameters?: Parameter[] }>>;
  };
  const times = Object.entries(paths).flatMap(([path, { get }]) =>
    (get?.parameters ?? [])
      .filter(({ in: where, schema }) => where === 'query' && schema.format === 'date-time')
      .map(({ name }) => [path.replace('{team_slug}', team), name] as const),
  );
  expect(times.map(([, name]) => name)).toEqual(['since', 'until']);
  const unencoded = 'must have its + encoded as %2B, such as 2026-01-31T12:00:00%2B02:00';
  const malformed = 'must be a date and time such as 2026-01-31T12:00:00Z';
  const wrong = await offenders(times, async ([path, name]) => {
    for (const [text, message] of [
      ['2026-01-31T12:00:00+02:00', unencoded],
      ['2026-01-31T12:00:00.123+00:00', unencoded],
      ['2026-01-31T12:00:00%2002:00', unencoded],
      ['2026-01-31T12:00:00%2B02:00', null],
      ['2026-01-31T12:00:00-02:00', null],
      ['2026-02-31T12:00:00+02:00', malformed],
      ['2026-01-31+12:00:00+02:00', malformed],
      ['2026-01-31+12:00:00Z', malformed],
      ['2026-01-31T12:00:00+', malformed],
      ['+', malformed],
    ] as const) {
      const { body } = await as.get(`${path}?${name}=${text}`);
      expect([text, body.error?.message]).toEqual([
        text,
        message ? `${name} ${message}` : undefined,
      ]);
    }
    const twice = await as.get(`${path}?${name}=2026-01-31T12:00:00+02:00&${name}=x`);
    expect(twice.body.error.message).toBe(`${name} must be given once`);
  });
  expect(wrong).toEqual([]);
});

describe('a body of zero bytes', () => {
  const status = async (method: string, path: string, ...headers: string[]) => {
    const head = [`${method} ${path} HTTP/1.1`, 'host: x', `authorization: Bearer ${tokenOf(ada)}`];
    const end = headers.includes('transfer-encoding: chunked') ? '0\r\n\r\n' : '';
    const lines = [...head, ...headers, 'connection: close'].join('\r\n');
    const { status, body } = parseResponse(await sendRaw(at.url, `${lines}\r\n\r\n${end}`));
    return [status, JSON.parse(body).error?.message ?? null];
  };
  const json = 'content-type: application/json';
  const notJson = [400, 'the body must be valid JSON'];

  test('is 400 with a JSON content type, where the operation has a body, be all of it optional', async () => {
    const caller = at.as(ada);
    const team = await aTeam(caller);
    const { query } = await aWorkspace(caller, team);
    const { id } = await anItem(caller, query, { object: 'item' });
    const item = `/collections/${id}`;
    for (const [method, path] of [
      ['PUT', `/teams/${team}`],
      ['POST', `/collections${query}`],
      ['PUT', item],
      ['POST', `${item}/duplicate`],
    ] as const) {
      for (const length of [['content-length: 0'], ['transfer-encoding: chunked'], []]) {
        const answer = await status(method, path, json, ...length);
        expect([method, path, length, answer]).toEqual([method, path, length, notJson]);
      }
      // Absent: nothing is given.
      expect([path, await status(method, path, 'content-length: 0')]).toEqual([path, [200, null]]);
    }
    expect(
      await status('PATCH', `${item}/content`, 'content-type: application/json-patch+json'),
    ).toEqual(notJson);
    expect(await status('POST', `/teams/${team}/invite-code`, json, 'content-length: 0')).toEqual([
      200,
      null,
    ]);
    expect(await status('GET', '/me', json, 'content-length: 0')).toEqual([200, null]);
    expect(await status('DELETE', item, json, 'content-length: 0')).toEqual([200, null]);
  });
});

describe('errors', () => {
  describe('what is no HTTP, behind a request on the same connection', () => {
    const head = (method: string, path: string, length = 0) =>
      `${method} ${path} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${tokenOf(ada)}\r\n` +
      `content-type: application/json\r\ncontent-length: ${length}\r\n\r\n`;
    const statuses = (heard: string) =>
      [...heard.matchAll(/HTTP\/1\.1 (\d+) [A-Z]/g)].map(([, status]) => Number(status));

    testInside('is refused behind its answer, and what the answer says is so', async () => {
      const body = '{"name":"Acme","slug":"broken-off"}';
      const heard = await sendRaw(
        at.url,
        `${head('POST', '/teams', body.length)}${body}${head('GET', '/me')}hello\r\n\r\n`,
      );
      expect(statuses(heard)).toEqual([200, 200, 400]);
      expect((await at.as(ada).get('/teams/broken-off')).status).toBe(200);
    });

    testInside('in a body, is refused behind the answer before it, in its place', async () => {
      const chunked = head('POST', '/teams').replace(
        'content-length: 0',
        'transfer-encoding: chunked',
      );
      const heard = await sendRaw(at.url, `${head('GET', '/me')}${chunked}zz\r\n`);
      expect(statuses(heard)).toEqual([200, 400]);
    });
  });

  describe('a request that no route answers', () => {
    test('is 404 or 400 in the envelope', async () => {
      const wrong = await offenders(
        [
          ['GET', '/nothing', 404],
          ['PATCH', '/teams', 404],
          ['DELETE', '/teams', 404],
          ['OPTIONS', '/teams', 404],
          ['GET', '/teams/%zz', 400],
          ['GET', '/teams?teamId=%zz', 400],
        ],
        async ([method, path, status]) => {
          const answer = await fetch(at.url + path, { method });
          expect(answer.status).toBe(status);
          expect(answer.headers.get('content-type')).toContain('application/json');
          expect(await answer.json()).toEqual(error(status === 404 ? 'not_found' : 'bad_request'));
        },
      );
      expect(wrong).toEqual([]);
    });

    // A balancer refuses such long lines itself.
    testInside('of an id that could not exist is 404, whatever its length', async () => {
      const answer = await at.as(ada).get(`/teams/${'x'.repeat(30_000)}`);
      expect([answer.status, answer.body]).toEqual([404, error('not_found')]);
    });

    const host = 'host: x\r\n';
    const origin = `${host}origin: ${ORIGIN}\r\n`;
    const preflight = `${origin}access-control-request-method: PUT\r\n`;
    const unanswered: [string, string, number][] = [
      ['GET /nothing', host, 404],
      ['PATCH /teams', host, 404],
      ['TRACE /teams', host, 404],
      ['CONNECT x:443', host, 404],
      ['OPTIONS /teams', host, 404],
      ['OPTIONS /teams', origin, 404],
      ['OPTIONS *', host, 404],
      ['GET *', host, 404],
      ['GET *teams', host, 404],
      ['GET ftp://x/teams', host, 404],
      ['GET http://x/nothing', host, 404],
      ['GET http://x?/nothing', host, 302],
      ['GET /%zz', host, 400],
      ['GET /nothing?a=%zz', host, 400],
      ['GET /nothing', '', 400],
      ['NONSENSE /teams', host, 400],
    ];
    // The address of all these is the test's own, and a balancer answers some of them.
    const testCounted = async (origins: string, requests: typeof unanswered) => {
      const rows = requests.flatMap(([line, head, status]) =>
        ['', `authorization: Bearer ${tokenOf(ada)}\r\n`].map(
          (token) => [line, head + token, status] as const,
        ),
      );
      const limited = await startService({
        CORS_ORIGINS: origins,
        RATE_LIMIT_PER_MINUTE: String(rows.length),
      });
      const send = async (line: string, head: string) =>
        parseResponse(
          await sendRaw(limited.url, `${line} HTTP/1.1\r\n${head}connection: close\r\n\r\n`),
        );
      try {
        let left = rows.length;
        const wrong = await offenders(rows, async ([line, head, status]) => {
          left--;
          const { headers, ...answer } = await send(line, head);
          expect(answer.status).toBe(status);
          expect(headers['ratelimit-policy']).toBe(`"address";q=${rows.length};w=60`);
          expect(headers.ratelimit?.replace(/\d+$/, '')).toBe(`"address";r=${left};t=`);
          expect(headers['x-request-id']).toBeDefined();
          if (status !== 302) expect(headers['cache-control']).toBe('private, no-cache');
        });
        expect(wrong).toEqual([]);
        const over = await offenders(requests, async ([line, head]) => {
          const { status, headers, body } = await send(line, head);
          expect([status, JSON.parse(body)]).toEqual([429, error('rate_limit_exceeded')]);
          expect(Number(headers['retry-after'])).toBeGreaterThan(0);
          if (status !== 302) expect(headers['cache-control']).toBe('private, no-cache');
        });
        expect(over).toEqual([]);
      } finally {
        await limited.stop();
      }
    };
    testInside('counts, and says what is left of the rate limit', () =>
      testCounted(ORIGIN, unanswered),
    );
    testInside('counts without CORS_ORIGINS, too, and so do preflights then', () =>
      testCounted('', [...unanswered, ['OPTIONS /teams', preflight, 404]]),
    );

    // A balancer answers these by itself, or puts them right.
    testInside('what is not HTTP, or too long, is answered in the envelope', async () => {
      const wrong = await offenders<[string, string, number, string]>(
        [
          ['no HTTP at all', 'hello\r\n\r\n', 400, 'not valid HTTP'],
          [
            'too large headers',
            `GET / HTTP/1.1\r\n${host}a: ${'x'.repeat(70_000)}\r\n\r\n`,
            400,
            'too large',
          ],
          [
            'a too long path',
            `GET /${'x'.repeat(70_000)} HTTP/1.1\r\n${host}\r\n`,
            400,
            'too large',
          ],
          ['no Host', 'GET /teams HTTP/1.1\r\nconnection: close\r\n\r\n', 400, 'Host is required'],
          [
            'an unknown Expect',
            `GET /teams HTTP/1.1\r\n${host}expect: 200-maybe\r\nconnection: close\r\n\r\n`,
            400,
            'Expect must be 100-continue',
          ],
          ['an unknown method', `NONSENSE /teams HTTP/1.1\r\n${host}\r\n`, 400, 'not valid HTTP'],
          ['CONNECT', `CONNECT x:443 HTTP/1.1\r\n${host}\r\n`, 404, 'route not found'],
          [
            'TRACE',
            `TRACE /teams HTTP/1.1\r\n${host}connection: close\r\n\r\n`,
            404,
            'route not found',
          ],
          [
            'two lengths',
            `POST /teams HTTP/1.1\r\n${host}content-length: 1\r\ncontent-length: 2\r\n\r\n`,
            400,
            'not valid HTTP',
          ],
          [
            'a length and chunks',
            `POST /teams HTTP/1.1\r\n${host}content-length: 1\r\ntransfer-encoding: chunked\r\n\r\n`,
            400,
            'not valid HTTP',
          ],
          [
            'a malformed chunk',
            `POST /teams HTTP/1.1\r\n${host}transfer-encoding: chunked\r\n\r\nzz\r\n`,
            400,
            'not valid HTTP',
          ],
          ['HTTP/2 in the clear', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 400, 'not valid HTTP'],
        ],
        async ([, text, status, says]) => {
          const answer = parseResponse(await sendRaw(at.url, text));
          expect(answer.status).toBe(status);
          expect(answer.headers['content-type']).toContain('application/json');
          expect(answer.headers['cache-control']).toBe('private, no-cache');
          const code = status === 404 ? 'not_found' : 'bad_request';
          expect(JSON.parse(answer.body)).toEqual(error(code, says));
        },
      );
      expect(wrong).toEqual([]);
    });
  });

  describe('a body', () => {
    const post = (type: string | null, body: string | Buffer) =>
      fetch(`${at.url}/teams`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${tokenOf(ada)}`,
          // A balancer may close the connection of a body that was refused half-way.
          connection: 'close',
          ...(type !== null && { 'content-type': type }),
        },
        body: new Uint8Array(Buffer.from(body)),
      });

    test('is 400 where it cannot be read', async () => {
      const wrong = await offenders(
        [
          ['application/x-www-form-urlencoded', 'name=A&slug=abc', 'the Content-Type must be'],
          ['text/plain', '{"name":"A","slug":"abc"}', 'the Content-Type must be application/json'],
          ['multipart/form-data; boundary=x', '--x--', 'the Content-Type must be'],
          [
            'application/json',
            Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x7d]),
            'the body must be UTF-8',
          ],
          ['application/json', `{"name":"${'x'.repeat(2 * 1024 * 1024)}"}`, 'at most 2 MiB'],
          ['application/json', '{"name":"A","slug":"abc"', 'the body must be valid JSON'],
        ],
        async ([type, body, says]) => {
          const answer = await post(type, body);
          expect(answer.status).toBe(400);
          expect(await answer.json()).toEqual(error('bad_request', says));
        },
      );
      expect(wrong).toEqual([]);
    });

    const COMPRESSED = 'Content-Encoding must be identity: send the body uncompressed';

    test('that is compressed is 400 at every operation, after 401', async () => {
      const { paths } = (await at.with(null).get('/openapi.json')).body;
      const operations = Object.entries<object>(paths).flatMap(([path, methods]) =>
        Object.keys(methods).map((method) => [method, path.replace(/\{\w+\}/g, 'x')] as const),
      );
      const writes = operations.filter(([method]) => method !== 'get');
      expect(writes.length).toBeGreaterThan(50);
      const body = gzipSync('{"name":"A","slug":"compressed"}');
      const wrong = await offenders(writes, async ([method, path]) => {
        const send = (authorization: string) =>
          call(path, {
            method: method.toUpperCase(),
            headers: {
              authorization,
              'content-type': 'application/json',
              'content-encoding': 'gzip',
            },
            body: new Uint8Array(body),
          });
        const answer = await send(`Bearer ${tokenOf(ada)}`);
        expect([answer.status, await answer.json()]).toEqual([
          400,
          error('bad_request', COMPRESSED),
        ]);
        expect((await send('Bearer x')).status).toBe(401);
      });
      expect(wrong).toEqual([]);
    });

    test('may have no encoding but identity, whether its length is announced or not', async () => {
      const status = async (encoding: string, slug: string, isChunked: boolean) => {
        const text = JSON.stringify({ name: 'A', slug });
        const answer = await fetch(`${at.url}/teams`, {
          method: 'POST',
          headers: {
            authorization: `Bearer ${tokenOf(ada)}`,
            connection: 'close',
            'content-type': 'application/json',
            'content-encoding': encoding,
          },
          ...(isChunked ? { body: new Blob([text]).stream(), duplex: 'half' } : { body: text }),
        });
        const { error } = (await answer.json()) as { error?: { message: string } };
        return error === undefined ? answer.status : [answer.status, error.message];
      };
      const refused = [400, `the header ${COMPRESSED}`];
      const wrong = await offenders(
        [
          ...['gzip', 'GZIP', 'x-gzip', 'deflate', 'br', 'zstd', 'aes128gcm', 'nonsense'].map(
            (encoding) => [encoding, refused] as const,
          ),
          ...['gzip, identity', 'identity, gzip', 'gzip,br', 'identity;q=1'].map(
            (encoding) => [encoding, refused] as const,
          ),
          ...['identity', 'Identity', '', 'identity, identity', 'UTF-8', 'utf8'].map(
            (encoding) => [encoding, 200] as const,
          ),
        ],
        async ([encoding, expected]) => {
          for (const isChunked of [false, true]) {
            expect(await status(encoding, freshSlug(), isChunked)).toEqual(expected);
          }
        },
      );
      expect(wrong).toEqual([]);
    });

    test('of nobody known is 401 first', async () => {
      const wrong = await offenders(['{', 'null', '{"name":1}'], async (body) => {
        for (const type of ['application/json', 'text/plain']) {
          const answer = await at.with(null).post('/teams').set('content-type', type).send(body);
          expect([answer.status, answer.body]).toEqual([401, error('unauthorized')]);
        }
      });
      expect(wrong).toEqual([]);
    });

    test('may have 2 MiB, and no byte more', async () => {
      const text = JSON.stringify({ name: 'A', slug: 'two-mib' });
      const padded = text.padEnd(2 * 1024 * 1024);
      expect((await post('application/json', `${padded} `)).status).toBe(400);
      expect((await post('application/json', padded)).status).toBe(200);
    });

    test('may have 2 MiB, and no byte more, of which nothing was announced', async () => {
      const text = JSON.stringify({ name: 'A', slug: 'two-mib-in-chunks' });
      const padded = text.padEnd(2 * 1024 * 1024);
      const inChunks = (body: string) =>
        fetch(`${at.url}/teams`, {
          method: 'POST',
          headers: {
            authorization: `Bearer ${tokenOf(ada)}`,
            connection: 'close',
            'content-type': 'application/json',
          },
          body: new Blob([body]).stream(),
          duplex: 'half',
        });
      expect((await inChunks(`${padded} `)).status).toBe(400);
      expect((await inChunks(padded)).status).toBe(200);
    });

    test('of a GET is ignored', async () => {
      const head = ['GET /me HTTP/1.1', 'host: x', `authorization: Bearer ${tokenOf(ada)}`];
      const lines = [...head, 'content-type: text/plain', 'content-encoding: gzip'];
      for (const length of [0, 1]) {
        const end = [`content-length: ${length}`, 'connection: close', '', 'x'.repeat(length)];
        const answer = await sendRaw(at.url, [...lines, ...end].join('\r\n'));
        expect(parseResponse(answer).status).toBe(200);
      }
    });

    test('may name its charset', async () => {
      const answer = await post('application/json; charset=utf-8', '{"name":"A","slug":"charset"}');
      expect(answer.status).toBe(200);
    });
  });

  describe('401', () => {
    const claims = { sub: 'ada', email: 'ada@example.com' };
    const sign = (payload: object, options: jwt.SignOptions = { expiresIn: 60 }, key = SECRET) =>
      `Bearer ${jwt.sign(payload, key, options)}`;
    const now = Math.floor(Date.now() / 1000);
    /** When the test runs: the service may have taken long to start. */
    const inSeconds = (seconds: number) => Math.floor(Date.now() / 1000) + seconds;

    test('for a token that is missing or wrong', async () => {
      const wrong = await offenders<[string, string | null, string]>(
        [
          ['no header', null, 'Bearer'],
          ['a token that is none', 'Bearer x', 'Bearer error="invalid_token"'],
          ['another scheme', 'Basic YTpi', 'Bearer error="invalid_token"'],
          ['another secret', sign(claims, {}, 'x'.repeat(40)), 'Bearer error="invalid_token"'],
          ['no exp', sign(claims, {}), 'Bearer error="invalid_token"'],
          ['expired', sign({ ...claims, exp: now - 60 }, {}), 'Bearer error="invalid_token"'],
          [
            'not yet',
            sign({ ...claims, nbf: now + 600 }, { expiresIn: 900 }),
            'Bearer error="invalid_token"',
          ],
          ['no sub', sign({ email: 'a@b.c' }), 'Bearer error="invalid_token"'],
          ['no email', sign({ sub: 'ada' }), 'Bearer error="invalid_token"'],
          ['no address', sign({ sub: 'ada', email: 'ada' }), 'Bearer error="invalid_token"'],
          [
            'HS512',
            sign(claims, { expiresIn: 60, algorithm: 'HS512' }),
            'Bearer error="invalid_token"',
          ],
          [
            'alg none',
            `Bearer ${jwt.sign(claims, '', { algorithm: 'none', expiresIn: 60 })}`,
            'Bearer error="invalid_token"',
          ],
        ],
        async ([, authorization, challenge]) => {
          const answer = await at.with(authorization).get('/teams');
          expect([answer.status, answer.body]).toEqual([401, error('unauthorized')]);
          expect(answer.headers['www-authenticate']).toBe(challenge);
        },
      );
      expect(wrong).toEqual([]);
    });

    test('not for clocks that differ', async () => {
      const wrong = await offenders(
        [
          ['expired 20 seconds ago', () => sign({ ...claims, exp: inSeconds(-20) }, {})],
          ['valid in 20 seconds', () => sign({ ...claims, nbf: inSeconds(20) })],
        ],
        async ([, authorize]) => {
          expect((await at.with(authorize()).get('/teams')).status).toBe(200);
        },
      );
      expect(wrong).toEqual([]);
    });
  });

  test('the page behind doc_url explains every code under its anchor, with an example', async () => {
    const page = await at.with(null).get('/api-reference/errors');
    expect(page.status).toBe(200);
    for (const code of ERROR_CODES) {
      expect(page.text).toContain(`id="${code}"`);
      expect(page.text).toContain(`HTTP/1.1 ${ERROR_STATUS[code]} `);
      expect(page.text).toContain(`&quot;code&quot;: &quot;${code}&quot;`);
    }
    expect(page.text).toContain('www-authenticate: Bearer');
    expect(page.text).toContain('retry-after: 7');
  });
});
