import pg from 'pg';
import { timedOut, wasLost } from '../src/driver-errors.js';

const errorOf = (message: string, code: string, severity = 'ERROR') =>
  Object.assign(new pg.DatabaseError(message, 0, 'error'), { code, severity });

test.each<[boolean, Error]>([
  [true, new Error('Connection terminated unexpectedly')],
  [true, errorOf('terminating connection due to administrator command', '57P01', 'FATAL')],
  // What PgBouncer says has one code.
  [true, errorOf('server connection closed', '08P01', 'FATAL')],
  [true, errorOf('query_wait_timeout', '08P01', 'FATAL')],
  [false, errorOf('unsupported startup parameter: options', '08P01', 'FATAL')],
  [false, errorOf('bind message supplies 1 parameters, but prepared statement needs 2', '08P01')],
  [false, errorOf('duplicate key value violates unique constraint', '23505')],
])('lost, so that a read is sent again: %s, %s', (isLost, error) => {
  expect(wasLost(error)).toBe(isLost);
});

test.each<[boolean, string]>([
  [true, '55P03'],
  // Several locks, one after the other, within the time of a statement.
  [true, '57014'],
  [false, '40P01'],
])('busy, so that nothing has happened: %s, %s', (isBusy, code) => {
  expect(timedOut(errorOf('canceled', code))).toBe(isBusy);
});
