import base from '../../jest.config.js';

/** @type {import('jest').Config} */
export default {
  ...base,
  rootDir: '../..',
  testMatch: ['<rootDir>/test/browser/*.test.ts'],
  testPathIgnorePatterns: ['/node_modules/'],
};
