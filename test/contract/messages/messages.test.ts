import { ERROR_CODES } from '../../../src/errors/domain-error.js';
import { ERROR_MESSAGES } from '../../../src/openapi/error-messages.js';
import { INSIDE } from '../../hostile/exchange.js';
import { type InsideService, startStillService } from '../../support/app.js';
import { partsOf, patternOf } from '../../support/error-kinds.js';
import { expectGoldenText } from '../../support/golden.js';
import { ELSEWHERE, messageTemplates } from '../../support/message-templates.js';
import { errorResponsesOf, undeclaredHeaders } from '../../support/open-api.js';
import { WEBHOOK_ENV } from '../../support/receiver.js';
import {
  broken,
  failures,
  keys,
  limits,
  otherPlaces,
  outage,
  searches,
  states,
  tokens,
} from './causes.js';
import { archived, refusedEverywhere } from './everywhere.js';
import { wrongFields } from './fields.js';
import { recordOf } from './record.js';
import { refusals } from './requests.js';
import { aWorld, type Heard, Listener } from './world.js';

let service: InsideService;
let heard: Heard[];
beforeAll(async () => {
  // A record that is remembered is remembered however long all of this takes, and no job works beside it.
  service = await startStillService({ TEAMS_PER_OWNER: '100', ...WEBHOOK_ENV });
  const listener = new Listener(service);
  const world = await aWorld(service, listener);
  if (listener.heard.length > 0) throw new Error(JSON.stringify(listener.heard));
  for (const request of refusals(world)) await listener.send(request);
  for (const request of refusedEverywhere(world)) await listener.send(request);
  await archived(world);
  await otherPlaces(world);
  for (const request of wrongFields(world)) await listener.send(request);
  await tokens(world);
  await states(world);
  await broken(service, listener);
  // They wait for locks and deadlines, and not for each other.
  const { databaseUrl } = service;
  const others = [failures(world), limits(databaseUrl), outage(databaseUrl), searches(world)];
  const [ofOthers] = await Promise.all([Promise.all(others), keys(world)]);
  heard = [...listener.heard, ...ofOthers.flat()];
}, 600_000);
afterAll(() => service.stop());

const UUID = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

/** A message without the parts that differ between runs. */
const steady = (message: string): string =>
  message
    .replace(UUID, '<id>')
    .replace(/try again in \d+ seconds$/, 'try again in <n> seconds')
    .replace(/(\.children\[0\]){4,}/, '.children[0]…');

const messages = () => [...new Set(heard.map(({ message }) => message))];

test('every message is in the golden file', () => {
  const byCode = new Map<string, Set<string>>();
  for (const { status, code, message } of heard) {
    const key = `${status} ${code}`;
    byCode.set(key, (byCode.get(key) ?? new Set()).add(steady(message)));
  }
  const sections = [...byCode.entries()]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([code, texts]) => [code, ...[...texts].sort().map((text) => `  ${text}`)].join('\n'));
  expectGoldenText('messages.txt', `${sections.join('\n\n')}\n`);
});

test('the examples of the document are messages that requests have caused at its operations', () => {
  expectGoldenText('../../../src/openapi/recorded-errors.ts', recordOf(heard));
});

test('every message in the source was caused by a request', () => {
  const { templates, unknown } = messageTemplates();
  // Those of JsonError, and rules of fields, which are read by themselves.
  expect(unknown.map((place) => place.replace(/:\d+/, ''))).toEqual([
    'src/errors/json-error.ts: error.message',
    "src/validation/request.pipe.ts: problems.join('; ')",
    "src/validation/request.pipe.ts: problems.join('; ')",
  ]);
  expect(templates.length).toBeGreaterThan(90);
  const given = messages().flatMap(partsOf);
  const missing = templates
    .filter(({ text }) => !ELSEWHERE.includes(text))
    .filter(({ text }) => !given.some((part) => patternOf(text).test(part)));
  expect(missing).toEqual([]);
});

test.each(ERROR_CODES)('the page of errors explains every message of %s, and no other', (code) => {
  const given = heard.filter((error) => error.code === code);
  const parts = given.flatMap(({ message }) => partsOf(message));
  const patterns = ERROR_MESSAGES[code].map(([message]) => message);
  const isOf = (part: string) => (pattern: string) => patternOf(pattern).test(part);
  expect(parts.filter((part) => !patterns.some(isOf(part)))).toEqual([]);
  const known = [...parts, ...ELSEWHERE];
  expect(patterns.filter((pattern) => !known.some((part) => isOf(part)(pattern)))).toEqual([]);
});

describe('every message', () => {
  const those = (isWrong: (part: string) => boolean) => messages().flatMap(partsOf).filter(isWrong);

  test('is one sentence without a full stop', () => {
    expect(those((part) => /[.!]$|[.!?] |\n|\s{2}/.test(part))).toEqual([]);
  });

  test('says what is required, or what to do', () => {
    const says = / must | is required$|can only|: \w+ |, did you mean \S+\?$/;
    expect(those((part) => !says.test(part))).toEqual([]);
  });

  test('begins with a field, or in lower case', () => {
    const begins = /^([a-z<]|Idempotency-Key|If-Match|[A-Z]\w* is not a known property)/;
    const place = /^\S+\[\d+\]/;
    expect(those((part) => !begins.test(part) && !place.test(part))).toEqual([]);
  });

  test('reveals no internals', () => {
    // null is a value that was filled in although it is missing: messages say what is required, not what is forbidden.
    expect(those((part) => INSIDE.test(part) || /null|class|Fastify|Nest|JWT/.test(part))).toEqual(
      [],
    );
  });

  test('names at most three problems', () => {
    const counts = messages().map((message) => partsOf(message).length);
    expect(Math.max(...counts)).toBe(3);
  });
});

test('every header of an error is declared at its operation and status', async () => {
  const { body } = await service.with(null).get('/openapi.json');
  const heads = heard.flatMap(({ head }) => head ?? []);
  expect(undeclaredHeaders(body, heads)).toEqual([]);
  const withHeader = (name: string) =>
    heads.filter(({ headers }) => headers.includes(name)).map(({ status }) => status);
  expect(new Set(withHeader('www-authenticate'))).toEqual(new Set([401, 403]));
  expect(new Set(withHeader('retry-after'))).toEqual(new Set([409, 429, 500]));
});

test('every error in the document has examples', async () => {
  const { body } = await service.with(null).get('/openapi.json');
  const responses = errorResponsesOf(body);
  expect(responses.length).toBeGreaterThan(200);
  for (const [status, { content }] of responses) {
    const examples = Object.entries(content['application/json'].examples);
    expect([status, examples.length]).not.toEqual([status, 0]);
    for (const [n, [name, { summary, value }]] of examples.entries()) {
      const { code, message, doc_url } = value.error;
      expect([name, summary]).toEqual([`${code}_${n + 1}`, message]);
      expect(doc_url).toMatch(new RegExp(`/api-reference/errors#${code}$`));
    }
  }
});
