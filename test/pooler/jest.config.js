import { join } from 'node:path';
import base from '../../jest.config.js';

const { maxWorkers: _, ...project } = base;

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
    '<rootDir>/test/api/people/{invites,membership-lock,workspace-members}.test.ts',
    '<rootDir>/test/invariants/{changes-purge,tree-concurrency,tree-model,people-races,idempotency,sizes}.test.ts',
  ],
  testPathIgnorePatterns: ['/node_modules/'],
  testTimeout: 120_000,
  globals: { throughPooler: true, needs: 'pgbouncer' },
};
