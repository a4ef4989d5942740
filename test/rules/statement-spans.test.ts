import { summaryOf } from '../../src/database/statement-spans.js';

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
