import { LaneError, type LaneErrorCode } from '@teamspaces/pg-lanes/errors';
import { explain } from '../../src/database/database.js';
import { keyBusy } from '../../src/idempotency/idempotency-keys.repository.js';

test('what others hold up for too long is a conflict, to be tried again in a second', () => {
  const again = { code: 'conflict', retryAfterSeconds: 1 };
  expect([explain(new LaneError('busy')), keyBusy()]).toMatchObject([again, again]);
});

test.each<[LaneErrorCode, object]>([
  ['too_many_reads', { code: 'rate_limit_exceeded', retryAfterSeconds: 1 }],
  ['too_many_streams', { code: 'rate_limit_exceeded', retryAfterSeconds: 5 }],
  ['outcome_unknown', { code: 'internal_server_error', retryAfterSeconds: null }],
])('%s is %j, with its cause for the log', (code, expected) => {
  const cause = new Error();
  expect(explain(new LaneError(code, cause))).toMatchObject({ ...expected, cause });
});
