import { skipped } from './skipped.js';

const given = globalThis as { instances?: number; throughPooler?: boolean };

/** How many processes startService() starts behind a balancer; 0: one, in the service host. */
export const INSTANCES = given.instances ?? 0;

/** `test` for what reaches inside the process, or past a balancer; skipped where there are several. */
export const testInside: jest.It =
  INSTANCES > 0 ? skipped(test, 'it looks inside a process, and there are several') : test;

/**
 * `describe` for what starts instances of its own, or looks at the connections of one; skipped with
 * several instances, and behind a pooler.
 */
export const describeAlone: jest.Describe =
  INSTANCES > 0 || given.throughPooler
    ? skipped(describe, 'it starts or looks at processes of its own')
    : describe;

/** Whether PgBouncer stands between startService() and PostgreSQL. */
export const THROUGH_POOLER = given.throughPooler ?? false;
