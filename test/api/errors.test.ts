import jwt from 'jsonwebtoken';
import { SECRET, somebody, tokenOf } from '../support/app.js';
import { error } from '../support/errors.js';
import { testInside } from '../support/inside.js';
import { offenders } from '../support/offenders.js';
import { parseAnswer, sendRaw } from '../support/raw-socket.js';
import { scene } from '../support/scene.js';

const at = scene();

const ada = somebody();

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
        ['a too long path', `GET /${'x'.repeat(70_000)} HTTP/1.1\r\n${host}\r\n`, 400, 'too large'],
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
        const answer = parseAnswer(await sendRaw(at.url, text));
        expect(answer.status).toBe(status);
        expect(answer.headers['content-type']).toContain('application/json');
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
        ['application/json', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x7d]), 'the body must be UTF-8'],
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

  test('of nobody known is 401 first', async () => {
    const wrong = await offenders(['{', 'null', '{"name":1}'], async (body) => {
      for (const type of ['application/json', 'text/plain']) {
        const answer = await at.with(null).post('/teams').set('content-type', type).send(body);
        expect([answer.status, answer.body]).toEqual([401, error('unauthorized')]);
      }
    });
    expect(wrong).toEqual([]);
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

test('the page behind doc_url explains every code under its anchor', async () => {
  const page = await at.with(null).get('/api-reference/errors');
  expect(page.status).toBe(200);
  for (const code of ['bad_request', 'invite_expired', 'internal_server_error']) {
    expect(page.text).toContain(`id="${code}"`);
  }
});
