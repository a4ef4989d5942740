import base from '../../jest.config.js';

// The tests of the parts that `npm run test:mutants` changes. Others would be loaded for every mutant.
/** @type {import('jest').Config} */
export default {
  ...base,
  rootDir: '../..',
  testMatch: [
    '<rootDir>/test/rules/{access,etag,long-list,pagination,positions,sibling-order,tree-*}.test.ts',
    '<rootDir>/test/contract/access.test.ts',
  ],
  testEnvironment: 'node',
  globalSetup: null,
  globalTeardown: null,
  setupFilesAfterEnv: ['<rootDir>/test/mutants/same-seed.ts'],
};
