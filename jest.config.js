/** @type {import('jest').Config} */
export default {
  testEnvironment: '<rootDir>/test/support/environment.js',
  testMatch: ['<rootDir>/{test,packages}/**/*.test.ts'],
  testPathIgnorePatterns: [
    '/node_modules/',
    // They need a cluster: `npm run test:citus`.
    '<rootDir>/test/citus/',
    // They have commands of their own: `npm run test:races`, `test:docs`, `test:operate`, `test:browser`.
    '<rootDir>/test/invariants/',
    '<rootDir>/test/hostile/',
    '<rootDir>/test/docs/',
    '<rootDir>/test/operate/',
    '<rootDir>/test/browser/',
  ],
  setupFilesAfterEnv: ['<rootDir>/test/support/project-needs.ts'],
  globalSetup: '<rootDir>/test/support/global-setup.ts',
  globalTeardown: '<rootDir>/test/support/global-teardown.ts',
  // Native ES modules, as in production; TypeScript's `./x.js` is `./x.ts` on disk.
  extensionsToTreatAsEsm: ['.ts'],
  moduleNameMapper: {
    '^(\\.{1,2}/.*)\\.js$': '$1',
    '^@teamspaces/([^/]+)/(.+)$': '<rootDir>/packages/$1/src/$2.ts',
    '^teamspaces$': '<rootDir>/clients/cli/src/cli.ts',
    '^teamspaces/token$': '<rootDir>/clients/cli/src/token.ts',
    '^teamspaces-client$': '<rootDir>/clients/typescript/src/client.ts',
    '^teamspaces-markdown$': '<rootDir>/clients/markdown/src/markdown.ts',
    '^teamspaces-mcp/(.+)$': '<rootDir>/clients/mcp/src/$1.ts',
    '^teamspaces-service/(.*)$': '<rootDir>/src/$1.ts',
  },
  modulePathIgnorePatterns: ['<rootDir>/dist/', '<rootDir>/artifacts/'],
  // By .swcrc, as bin/transpile.js.
  transform: { '\\.ts$': '@swc/jest' },
  testSequencer: '<rootDir>/test/support/longest-first.js',
  reporters: ['default', '<rootDir>/test/support/skip-reporter.js'],
  // Every worker holds an application with a pool of connections.
  maxWorkers: 3,
  // Ends what hangs; no test measures time. A busy machine takes several times as long as a quiet one.
  testTimeout: 120_000,
};
