/** @type {import('@stryker-mutator/api/core').PartialStrykerOptions} */
export default {
  mutate: [
    'src/collections/writer/{tree-rules,tree-slice,sibling-order}.ts',
    'src/access/*.ts',
    'src/http/{etag,pagination}.ts',
  ],
  testRunner: 'jest',
  testRunnerNodeArgs: ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning'],
  jest: { configFile: 'test/mutants/jest.config.js' },
  coverageAnalysis: 'perTest',
  // Jest does not let go of ES modules: some 50 MiB a mutant.
  maxTestRunnerReuse: 30,
  // For mutants that never end.
  timeoutMS: 2500,
  // What is copied to run the tests on.
  ignorePatterns: [
    '**',
    '!src/**',
    '!bin/**',
    '!packages/**',
    '!clients/**',
    '!test/**',
    '!package.json',
    '!jest.config.js',
    '!.swcrc',
  ],
  tempDirName: 'artifacts/mutants/tmp',
  reporters: ['clear-text', 'html'],
  clearTextReporter: { allowColor: false, allowEmojis: false, reportTests: false },
  htmlReporter: { fileName: 'artifacts/mutants/report.html' },
  thresholds: { high: 90, low: 85, break: 85 },
  allowEmpty: false,
};
