import { join } from 'node:path';
import base from '../../jest.config.js';
import { isInstalled } from '../support/installed.js';

const { maxWorkers: _, ...project } = base;
/** False where there is no pooler to test with. */
export const hasPooler = isInstalled('pgbouncer', 'the tests through it');

/**
 * Tests of the interface and of concurrency once more, with PgBouncer in transaction mode between
 * the service and PostgreSQL.
 *
 * @type {import('jest').Config}
 */
export default {
  ...project,
  displayName: 'pooler',
  rootDir: join(import.meta.dirname, '../..'),
  testMatch: [
    '<rootDir>/test/api/{collections,idempotency,teams,workspaces}/*.test.ts',
    '<rootDir>/test/api/people/{team-invites,workspace-members}.test.ts',
    '<rootDir>/test/invariants/{tree-concurrency,people-races,idempotency}.test.ts',
  ],
  testPathIgnorePatterns: hasPooler ? ['/node_modules/'] : ['/'],
  testTimeout: 120_000,
  globals: { throughPooler: true },
};
