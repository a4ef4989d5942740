import base from '../../jest.config.js';

const citusUrl = process.env.CITUS_URL?.trim();
if (!citusUrl) {
  console.log('Nothing was tested: set CITUS_URL to the coordinator of a Citus cluster.');
  process.exit(0);
}

/** @type {import('jest').Config} */
export default {
  ...base,
  rootDir: '../..',
  globals: { citusUrl },
  testMatch: [
    '<rootDir>/test/citus/*.test.ts',
    '<rootDir>/test/api/**/*.test.ts',
    '<rootDir>/test/cli/{audit,erase,list,records,team,trash}.test.ts',
    '<rootDir>/test/invariants/{changes-purge,people-races,tree-concurrency,tree-model,ordering}.test.ts',
  ],
  testPathIgnorePatterns: ['/node_modules/'],
  // One database for all of them, emptied in between.
  maxWorkers: 1,
  testTimeout: 120_000,
};
