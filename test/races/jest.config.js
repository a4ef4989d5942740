import base from '../../jest.config.js';

/**
 * What many callers do at once or for long, and invalid input: invariants, and no 500.
 *
 * @type {import('jest').Config}
 */
export default {
  ...base,
  rootDir: '../..',
  testMatch: ['<rootDir>/test/{invariants,hostile}/**/*.test.ts'],
  testPathIgnorePatterns: ['/node_modules/'],
};
