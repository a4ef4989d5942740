import base from '../../jest.config.js';

/** The tests that need no database: what `npm run test:mutants` runs on every mutant. */
/** @type {import('jest').Config} */
export default {
  ...base,
  rootDir: '../..',
  testMatch: ['<rootDir>/test/rules/*.test.ts', '<rootDir>/test/contract/access.test.ts'],
  globalSetup: null,
  globalTeardown: null,
  setupFilesAfterEnv: ['<rootDir>/test/mutants/same-seed.ts'],
};
