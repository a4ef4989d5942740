import { join } from 'node:path';
import base from '../../jest.config.js';

const { maxWorkers: _, ...project } = base;

/**
 * The tests of the interface and of concurrency, each file over several processes behind a balancer
 * instead of one application inside the test.
 *
 * @type {import('jest').Config}
 */
export default {
  ...project,
  displayName: 'instances',
  rootDir: join(import.meta.dirname, '../..'),
  testMatch: [
    '<rootDir>/test/api/**/*.test.ts',
    '<rootDir>/test/invariants/{idempotency,mixed-batches,sizes}.test.ts',
    '<rootDir>/test/invariants/{ordering,people-races,tree-concurrency,tree-model,two-instances}.test.ts',
  ],
  testPathIgnorePatterns: ['/node_modules/'],
  // A file starts whole processes before its first test.
  testTimeout: 120_000,
  globals: { instances: Number(process.env.TEST_INSTANCES ?? 2), needs: 'haproxy' },
};
