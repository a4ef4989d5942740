import { EventEmitter } from 'node:events';
import { SpanStatusCode } from '@opentelemetry/api';
import {
  InMemorySpanExporter,
  NodeTracerProvider,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-node';
import pg from 'pg';
import { summaryOf, traceStatements } from '../src/statement-spans.js';

test.each([
  ['SELECT "public"."users"."id" FROM "public"."users" WHERE 1=1', 'SELECT users'],
  ['INSERT INTO "public"."team_members" ("team_id") VALUES ($1)', 'INSERT team_members'],
  ['UPDATE "public"."teams" SET "name" = $1', 'UPDATE teams'],
  ['DELETE FROM "public"."team_invites" WHERE true', 'DELETE team_invites'],
  ['SELECT id FROM teams WHERE id = $1 FOR UPDATE', 'SELECT teams'],
  ['SELECT id FROM teams FOR NO KEY UPDATE SKIP LOCKED', 'SELECT teams'],
  [
    "WITH w AS MATERIALIZED (SELECT set_config('a', 'b', true))\n INSERT INTO idempotency_keys AS k SELECT n.* FROM w ON CONFLICT (user_id) DO UPDATE SET key = ''",
    'INSERT idempotency_keys',
  ],
  ['SELECT n FROM unnest($1::text[]) AS n JOIN users u ON true', 'SELECT'],
  ['BEGIN', 'BEGIN'],
  ['  DEALLOCATE ALL', 'DEALLOCATE'],
  ['', 'statement'],
])('%s is the span %s', (text, summary) => {
  expect(summaryOf(text)).toBe(summary);
});

describe('the span of a statement', () => {
  const spans = new InMemorySpanExporter();
  const client = pg.Client.prototype as unknown as { query: (given: unknown) => unknown };
  const pool = pg.Pool.prototype as unknown as { connect: unknown };
  const originals = [client.query, pool.connect] as const;
  beforeAll(() => {
    new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(spans)] }).register();
    client.query = (given) => given;
    traceStatements('test');
  });
  beforeEach(() => spans.reset());
  afterAll(() => {
    [client.query, pool.connect] = originals;
  });

  /** A statement whose rows are taken as they come, as a pg.Query. */
  const aRead = () => Object.assign(new EventEmitter(), { name: 'tree.list', text: 'SELECT' });

  test('lasts until the last row of a read that is taken as it comes', () => {
    const read = aRead();
    client.query(read);
    read.emit('row', {});
    expect(spans.getFinishedSpans()).toEqual([]);
    read.emit('end');
    expect(spans.getFinishedSpans()).toMatchObject([{ name: 'tree.list' }]);
  });

  test('ends with the error of such a read', () => {
    const read = aRead();
    client.query(read);
    read.emit('error', new Error('lost'));
    const status = { code: SpanStatusCode.ERROR };
    expect(spans.getFinishedSpans()).toMatchObject([{ name: 'tree.list', status }]);
  });
});
