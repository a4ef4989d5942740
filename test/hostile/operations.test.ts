import fc from 'fast-check';
import { tokenOf } from '../support/app.js';
import { golden } from '../support/golden.js';
import { offenders } from '../support/offenders.js';
import { scene } from '../support/scene.js';
import { type OpenApi, type Operation, operationsOf } from './document.js';
import { closeConnections, encode, exchange, problemOf } from './exchange.js';
import { breaking, fitting, nastyText, unreadable } from './junk.js';
import { Attacker, fill } from './world.js';

const NIGHTLY = process.env.NIGHTLY === '1';
/** For each of the operations, of which there are some forty. */
const RUNS = NIGHTLY ? 300 : 10;
const TIME_LIMIT = NIGHTLY ? 3_600_000 : 120_000;

/** That it is the document of the service, test/contract holds. */
const document = golden<OpenApi>('openapi.json');
const OPERATIONS = operationsOf(document);

let attacker: Attacker;
const at = scene({
  env: { PLAN_LIMITS: '{"free":{"pages":0,"users":0,"workspaces":0}}' },
  verify: 'end',
});
beforeAll(() => {
  attacker = new Attacker(at);
});
afterAll(() => {
  console.log(`hostile: ${requests} requests`);
  closeConnections();
});
let requests = 0;

interface Attack {
  path: Record<string, string>;
  query: string;
  /** Broken: it cannot be 200. An empty text is not, where nothing is required. */
  body: { text: string; isBroken: boolean } | null;
  headers: Record<string, string>;
}

const asBody = (isBroken: boolean) => (value: unknown) => ({
  text: JSON.stringify(value),
  isBroken,
});

/** Header values: what a client may send without breaking HTTP. */
const headerText = fc.oneof(
  fc.constantFrom('', '*', '""', 'W/"x"', '"x", "y"', '\u00ff', 'x'.repeat(8000), '"'.repeat(200)),
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
  const answer = await exchange(at.url, {
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
  if (answer.status === 200 && operation.method !== 'GET') attacker.forget();
  const problem = problemOf(answer, operation);
  if (problem) throw new Error(`${problem}: ${answer.status} ${answer.text.slice(0, 500)}`);
  const isWrong = attack.body?.isBroken && answer.status === 200;
  if (isWrong) throw new Error(`a broken request is 200: ${attack.body?.text.slice(0, 500)}`);
}

test(
  'junk gets one of the nine errors, or a 200 as documented',
  async () => {
    const wrong = await offenders(
      OPERATIONS.map((operation) => [operation.id, operation] as const),
      async ([, operation]) => {
        const property = fc.asyncProperty(attackOn(operation), (attack) => send(operation, attack));
        await fc.assert(property, { numRuns: RUNS, endOnFailure: false });
      },
    );
    expect(wrong).toEqual([]);
  },
  TIME_LIMIT,
);

describe('bodies that are far too much', () => {
  const deep = (open: string, close: string) => open.repeat(20_000) + close.repeat(20_000);
  const keys = Array.from({ length: 70_000 }, (_, n) => `"k${n}":1`).join(',');
  const heavy: [string, (field: string) => string][] = [
    ['20,000 lists in each other', () => deep('[', ']')],
    [
      '20,000 objects in each other',
      (field) => `{"${field}":${deep('{"a":', '}').replace(':}', ':1}')}}`,
    ],
    ['20,000 lists in a field', (field) => `{"${field}":${deep('[', ']')}}`],
    ['20,000 lists of numbers beyond doubles', (field) => `{"${field}":${deep('[', ']')},"n":-0}`],
    ['70,000 unknown keys', () => `{${keys}}`],
    ['70,000 keys in a field', (field) => `{"${field}":{${keys}}}`],
    ['a list of 500,000', (field) => `{"${field}":[${'0,'.repeat(499_999)}0]}`],
    ['a text of 2 MB', (field) => `{"${field}":"${'x'.repeat(2_000_000)}"}`],
    ['more than 2 MiB', (field) => `{"${field}":"${'x'.repeat(2_200_000)}"}`],
  ];

  test('get one of the nine errors', async () => {
    const wrong = await offenders(heavy, async ([name, bodyOf]) => {
      const turn = heavy.findIndex(([other]) => other === name);
      const reading = OPERATIONS.filter(({ body }) => body !== null);
      for (const [index, operation] of reading.entries()) {
        // Every night at each operation that reads a body, else at a third of them.
        if (!NIGHTLY && (index + turn) % 3 > 0) continue;
        const world = await attacker.current();
        const field = Object.keys(fieldsOf(operation)).at(-1) ?? 'items';
        const answer = await exchange(at.url, {
          method: operation.method,
          path: operation.path.replace(/\{(\w+)\}/g, (_, name: string) => world[name] ?? 'x'),
          headers: {
            authorization: `Bearer ${tokenOf(attacker.identity)}`,
            'content-type': 'application/json',
          },
          body: bodyOf(field),
        });
        requests++;
        if (answer.status === 200) attacker.forget();
        expect([operation.id, problemOf(answer, operation)]).toEqual([operation.id, null]);
      }
    });
    expect(wrong).toEqual([]);
  }, 60_000);

  const fieldsOf = ({ body }: Operation): object => {
    const name = body?.$ref?.split('/').at(-1) ?? '';
    return document.components.schemas[name]?.properties ?? {};
  };
});
