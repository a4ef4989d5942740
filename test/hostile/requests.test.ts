import { connect } from 'node:net';
import fc from 'fast-check';
import { SECRET, somebody, startService, tokenOf } from '../support/app.js';
import { aTeam, aWorkspace } from '../support/builders.js';
import { goldenDocument } from '../support/golden.js';
import { testInside } from '../support/inside.js';
import { offenders } from '../support/offenders.js';
import { parseResponse, sendRaw } from '../support/raw-socket.js';
import { scene } from '../support/scene.js';
import { type OpenApi, type Operation, operationsOf } from './document.js';
import { closeConnections, encode, exchange, problemOf } from './exchange.js';
import { breaking, fitting, nastyText, unreadable } from './junk.js';
import { Attacker, fill } from './world.js';

describe('junk from the schemas', () => {
  const NIGHTLY = process.env.NIGHTLY === '1';
  /** For each of the operations, of which there are some forty. */
  const RUNS = NIGHTLY ? 300 : 10;
  const TIME_LIMIT = NIGHTLY ? 3_600_000 : 120_000;

  /** test/contract checks that it is the document of the service. */
  const document = goldenDocument<OpenApi>();
  const OPERATIONS = operationsOf(document);

  let attacker: Attacker;
  const at = scene({
    env: { PLAN_LIMITS: '{"free":{"pages":0,"users":0,"workspaces":0}}' },
    verify: true,
  });
  beforeAll(() => {
    attacker = new Attacker(at);
  });
  afterAll(() => {
    process.stdout.write(`hostile: ${requests} requests\n`);
    closeConnections();
  });
  let requests = 0;

  interface Attack {
    path: Record<string, string>;
    query: string;
    /** Broken: it cannot be 200. An empty text is not: with another content type, it is absent. */
    body: { text: string; isBroken: boolean } | null;
    headers: Record<string, string>;
  }

  const asBody = (isBroken: boolean) => (value: unknown) => ({
    text: JSON.stringify(value),
    isBroken,
  });

  /** Header values: what a client may send without breaking HTTP. */
  const headerText = fc.oneof(
    fc.constantFrom(
      '',
      '*',
      '""',
      'W/"x"',
      '"x", "y"',
      '\u00ff',
      'x'.repeat(8000),
      '"'.repeat(200),
    ),
    fc.string({ unit: fc.constantFrom('a', '"', ',', ' ', '*', '/', '\u00e9'), maxLength: 20 }),
  );

  function attackOn({ path, query, body, method }: Operation): fc.Arbitrary<Attack> {
    const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
    const segment = (name: string) =>
      fc.oneof(
        { weight: 6, arbitrary: fc.constant(`{{${name}}}`) },
        { weight: 2, arbitrary: nastyText.map(encode) },
        {
          weight: 1,
          arbitrary: fc.constantFrom('%', '%zz', '%c3%28', '.', '..', ';', '*', '%2F', '%00'),
        },
      );
    const parameter = fc.oneof(
      ...query.map(({ name, schema }) =>
        fc.oneof(
          fitting(schema, document).map((value) => `${name}=${encode(String(value))}`),
          nastyText.map((text) => `${name}=${encode(text)}`),
          fc.constantFrom(`${name}`, `${name}=1&${name}=2`, `${name}[]=1`, `${name}[a]=1`),
        ),
      ),
      nastyText.map((text) => `teamId=${encode(text)}`),
      nastyText.map((text) => `${encode(text)}=1`),
      fc.constantFrom(
        'teamId={{teamId}}',
        'team_slug={{team}}',
        '%',
        'a=%',
        '&&&',
        '?',
        '__proto__=1',
      ),
    );
    const place = fc.constantFrom('', 'team_slug={{team}}&workspace_slug={{workspace}}');
    const bodies = body
      ? fc.oneof(
          { weight: 3, arbitrary: fitting(body, document).map(asBody(false)) },
          { weight: 6, arbitrary: breaking(body, document).map(asBody(true)) },
          { weight: 1, arbitrary: unreadable.map((text) => ({ text, isBroken: text !== '' })) },
        )
      : fc.option(
          fc.oneof(
            nastyText.map(asBody(false)),
            unreadable.map((text) => ({ text, isBroken: false })),
          ),
        );
    const type = fc.oneof(
      { weight: 12, arbitrary: fc.constant('application/json') },
      {
        weight: 1,
        arbitrary: fc.constantFrom('text/plain', 'application/json; charset=utf-16', 'x', ''),
      },
    );
    return fc.record({
      path: fc.record(Object.fromEntries(names.map((name) => [name, segment(name)]))),
      query: fc
        .tuple(place, fc.array(parameter, { maxLength: 3 }))
        .map(([where, others]) => [where, ...others].filter(Boolean).join('&')),
      body: method === 'GET' ? fc.constant(null) : bodies,
      headers: fc.record(
        {
          'content-type': type,
          'if-match': headerText,
          'if-none-match': headerText,
          'idempotency-key': headerText,
          'x-request-id': headerText,
        },
        { requiredKeys: ['content-type'] },
      ),
    });
  }

  async function send(operation: Operation, attack: Attack): Promise<void> {
    const world = await attacker.current();
    const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => attack.path[name] ?? '');
    const { 'content-type': type, ...headers } = attack.headers;
    const response = await exchange(at.url, {
      method: operation.method,
      path: fill(attack.query === '' ? path : `${path}?${attack.query}`, world),
      headers: {
        ...headers,
        authorization: `Bearer ${tokenOf(attacker.identity)}`,
        ...(attack.body && { 'content-type': type }),
      },
      ...(attack.body && { body: fill(attack.body.text, world) }),
    });
    requests++;
    if (response.status === 200 && operation.method !== 'GET') attacker.forget();
    const problem = problemOf(response, operation);
    if (problem) throw new Error(`${problem}: ${response.status} ${response.text.slice(0, 500)}`);
    const isWrong = attack.body?.isBroken && response.status === 200;
    if (isWrong) throw new Error(`a broken request is 200: ${attack.body?.text.slice(0, 500)}`);
  }

  test(
    'junk gets one of the nine errors, or a 200 as documented',
    async () => {
      const wrong = await offenders(
        OPERATIONS.map((operation) => [operation.id, operation] as const),
        async ([, operation]) => {
          const property = fc.asyncProperty(attackOn(operation), (attack) =>
            send(operation, attack),
          );
          await fc.assert(property, { numRuns: RUNS, endOnFailure: false });
        },
      );
      expect(wrong).toEqual([]);
    },
    TIME_LIMIT,
  );

  describe('bodies that are far too large', () => {
    const deep = (open: string, close: string) => open.repeat(20_000) + close.repeat(20_000);
    const keys = Array.from({ length: 70_000 }, (_, n) => `"k${n}":1`).join(',');
    const heavy: [string, (field: string) => string][] = [
      ['20,000 lists in each other', () => deep('[', ']')],
      [
        '20,000 objects in each other',
        (field) => `{"${field}":${deep('{"a":', '}').replace(':}', ':1}')}}`,
      ],
      ['20,000 lists in a field', (field) => `{"${field}":${deep('[', ']')}}`],
      [
        '20,000 lists of numbers beyond doubles',
        (field) => `{"${field}":${deep('[', ']')},"n":-0}`,
      ],
      ['70,000 unknown keys', () => `{${keys}}`],
      ['70,000 keys in a field', (field) => `{"${field}":{${keys}}}`],
      ['a list of 500,000', (field) => `{"${field}":[${'0,'.repeat(499_999)}0]}`],
      ['12,000 objects in a list', (field) => `{"${field}":[${'{},'.repeat(11_999)}{}]}`],
      ['a text of 2 MB', (field) => `{"${field}":"${'x'.repeat(2_000_000)}"}`],
      ['more than 2 MiB', (field) => `{"${field}":"${'x'.repeat(2_200_000)}"}`],
    ];

    test('get one of the nine errors', async () => {
      const wrong = await offenders(heavy, async ([name, bodyOf]) => {
        const turn = heavy.findIndex(([other]) => other === name);
        const reading = OPERATIONS.filter(({ body }) => body !== null);
        for (const [index, operation] of reading.entries()) {
          // At night each operation that reads a body, otherwise a third of them.
          if (!NIGHTLY && (index + turn) % 3 > 0) continue;
          const world = await attacker.current();
          const field = Object.keys(fieldsOf(operation)).at(-1) ?? 'items';
          const response = await exchange(at.url, {
            method: operation.method,
            path: operation.path.replace(/\{(\w+)\}/g, (_, name: string) => world[name] ?? 'x'),
            headers: {
              authorization: `Bearer ${tokenOf(attacker.identity)}`,
              'content-type': 'application/json',
            },
            body: bodyOf(field),
          });
          requests++;
          if (response.status === 200) attacker.forget();
          expect([operation.id, problemOf(response, operation)]).toEqual([operation.id, null]);
        }
      });
      expect(wrong).toEqual([]);
    });

    const fieldsOf = ({ body }: Operation): object => {
      const name = body?.$ref?.split('/').at(-1) ?? '';
      return document.components.schemas[name]?.properties ?? {};
    };
  });
});

describe('unread bodies', () => {
  const at = scene();

  const MIB = 1024 * 1024;
  const ada = somebody();
  const known = `Bearer ${tokenOf(ada)}`;

  /** A request line and headers. */
  const head = (line: string, headers: Record<string, string | number>) =>
    `${line} HTTP/1.1\r\nhost: x\r\n${Object.entries(headers)
      .map(([name, value]) => `${name}: ${value}\r\n`)
      .join('')}\r\n`;
  const json = { 'content-type': 'application/json' };

  /** The response to bytes after which the caller goes silent, with the connection left open. */
  function responseTo(bytes: string): Promise<string> {
    const { hostname, port } = new URL(at.url);
    return new Promise((resolve, reject) => {
      const socket = connect(Number(port), hostname, () => socket.write(bytes));
      socket.setTimeout(4000, () => {
        socket.destroy();
        reject(new Error('no response'));
      });
      socket.on('error', reject);
      socket.once('data', (data) => {
        resolve(data.toString('utf8'));
        socket.destroy();
      });
    });
  }

  // A balancer reads bodies itself.
  describe('before a byte of the body has come', () => {
    testInside('the response arrives', async () => {
      const wrong = await offenders<[string, string, Record<string, string>, number]>(
        [
          ['no token', 'POST /teams', {}, 401],
          ['an invalid token', 'POST /teams', { authorization: 'Bearer x' }, 401],
          ['an unknown route', 'POST /nothing', { authorization: known }, 404],
          ['an OPTIONS', 'OPTIONS /teams', { authorization: known }, 404],
          ['a GET', 'GET /me', { authorization: known }, 200],
          ['compressed', 'POST /teams', { authorization: known, 'content-encoding': 'gzip' }, 400],
          ['no JSON', 'POST /teams', { authorization: known, 'content-type': 'text/plain' }, 400],
        ],
        async ([, line, headers, status]) => {
          const heard = await responseTo(
            head(line, { ...json, ...headers, 'content-length': 2 * MIB }),
          );
          expect(parseResponse(heard).status).toBe(status);
        },
      );
      expect(wrong).toEqual([]);
    });

    testInside('a body beyond 2 MiB is refused', async () => {
      const length = 2 * MIB + 1;
      const headers = { ...json, authorization: known, 'content-length': length };
      const response = parseResponse(await responseTo(head('POST /teams', headers)));
      expect([response.status, response.body]).toEqual([
        400,
        expect.stringContaining('at most 2 MiB'),
      ]);
    });

    testInside('only callers with a token are asked for it (Expect: 100-continue)', async () => {
      const expecting = { ...json, expect: '100-continue', 'content-length': 2 };
      expect(await responseTo(head('POST /teams', expecting))).toMatch(/^HTTP\/1.1 401 /);
      const mine = head('POST /teams', { ...expecting, authorization: known });
      expect(await responseTo(mine)).toMatch(/^HTTP\/1.1 100 Continue/);
    });
  });

  describe('a body that nobody reads', () => {
    testInside('is discarded: the next request on the connection begins after it', async () => {
      const inside = 'GET /me HTTP/1.1\r\nhost: x\r\n\r\n';
      const unread = { ...json, 'content-length': inside.length };
      const compressed = { ...unread, authorization: known, 'content-encoding': 'gzip' };
      const next = head('GET /me', { authorization: known, connection: 'close' });
      for (const [headers, status] of [
        [unread, '401'],
        [compressed, '400'],
      ] as const) {
        const heard = await sendRaw(at.url, `${head('POST /teams', headers)}${inside}${next}`);
        const statuses = [...heard.matchAll(/HTTP\/1\.1 (\d+) [A-Z]/g)].map(([, code]) => code);
        expect(statuses).toEqual([status, '200']);
      }
    });

    testInside('and that continues ends the connection, after the response', async () => {
      const wrong = await offenders(
        [
          ['of no end', { 'transfer-encoding': 'chunked' }],
          ['of a gigabyte', { 'content-length': 1024 * MIB }],
          ['of 2 MiB', { 'content-length': 2 * MIB }],
        ],
        async ([, length]) => {
          const { hostname, port } = new URL(at.url);
          const socket = connect(Number(port), hostname);
          let heard = '';
          let sent = 0;
          socket.on('data', (data) => {
            heard += data.toString('utf8');
          });
          socket.on('error', () => undefined);
          const closed = new Promise((resolve) => socket.once('close', resolve));
          socket.write(head('POST /teams', { ...json, ...length }));
          const piece = `10000\r\n${'['.repeat(0x10000)}\r\n`;
          // What the kernels hold on the way comes on top of what the service takes.
          while (!socket.destroyed && sent < 200 * MIB) {
            await new Promise((resolve) => socket.write(piece, resolve));
            sent += piece.length;
          }
          socket.destroy();
          await closed;
          const { status, headers } = parseResponse(heard);
          expect([status, headers.connection]).toEqual([401, 'close']);
          expect(sent).toBeLessThan(20 * MIB);
        },
        { atOnce: 3 },
      );
      expect(wrong).toEqual([]);
    });
  });

  describe('content that comes twice', () => {
    test('is as deep as its dropped part', async () => {
      const wrong = await offenders(
        [
          [5000, 400, 'the body must be nested at most 200 objects and 200 lists deep'],
          [150, 200, '"content":{"a":-0}'],
        ],
        async ([levels, status, says]) => {
          const caller = at.as(ada);
          const { path } = await aWorkspace(caller, await aTeam(caller));
          const dropped = `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;
          const response = await caller
            .post(`${path}/collections`)
            .set('content-type', 'application/json')
            .send(`{"object":"item","content":${dropped},"content":{"a":-0}}`);
          expect([response.status, response.text]).toEqual([status, expect.stringContaining(says)]);
        },
      );
      expect(wrong).toEqual([]);
    });
  });

  test('each application verifies tokens with its own secret, even after another was created', async () => {
    const other = await startService({ AUTH_JWT_SECRET: `other ${SECRET}` });
    try {
      expect((await at.as(somebody()).get('/me')).status).toBe(200);
      expect((await other.as(somebody()).get('/me')).status).toBe(401);
    } finally {
      await other.stop();
    }
  });
});
