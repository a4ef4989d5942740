import { appendFileSync } from 'node:fs';
import { relative } from 'node:path';

/**
 * Says at the end of a run of jest which tests were skipped, and why; and appends what was counted to
 * the file that TEST_REPORT names, a line of JSON for each run: .ci/count.js adds them up, and .ci/check.js runs the
 * files that failed once more.
 */
export default class SkipReporter {
  constructor(globalConfig) {
    this.run = scriptOf(process.argv);
    this.rootDir = globalConfig.rootDir;
    // What a pattern on the command line leaves out is nobody's loss.
    this.isPartial = Boolean(globalConfig.testNamePattern);
  }

  onRunComplete(_contexts, results) {
    const skipped = this.isPartial ? {} : countSkipped(results);
    for (const [reason, count] of Object.entries(skipped)) {
      process.stderr.write(`Skipped: ${count} of ${this.run}, since ${reason}\n`);
    }
    if (!process.env.TEST_REPORT) return;
    const { numPassedTests: passed, numFailedTests, numRuntimeErrorTestSuites: broken } = results;
    const failed = numFailedTests + broken;
    const files = results.testResults.map((file) => this.countFile(file));
    const line = { run: this.run, passed, failed, skipped, files: files.filter(hasFailed) };
    appendFileSync(process.env.TEST_REPORT, `${JSON.stringify(line)}\n`);
  }

  /** What is counted of a file; one that cannot be run is a failure. */
  countFile(file) {
    return {
      path: relative(this.rootDir, file.testFilePath),
      // Of several projects, which run the same files.
      project: file.displayName?.name ?? null,
      passed: file.numPassingTests,
      failed: file.numFailingTests + (file.testExecError ? 1 : 0),
      skipped: this.isPartial ? {} : countSkipped({ testResults: [file] }),
    };
  }
}

const hasFailed = ({ failed }) => failed > 0;

/** The npm script that runs jest with these arguments. */
function scriptOf(args) {
  const config = args[args.indexOf('--config') + 1] ?? '';
  const [, folder] = /test\/(\w+)\/jest\.config\.js$/.exec(config) ?? [];
  return folder === undefined ? 'npm test' : `npm run test:${folder}`;
}

/** Skipped tests by the reason in their names: see skipped.ts. */
function countSkipped({ testResults }) {
  const skipped = {};
  for (const { fullName, status } of testResults.flatMap((file) => file.testResults)) {
    if (status !== 'pending' && status !== 'todo') continue;
    const reason = /\[skipped: ([^\]]+)\]/.exec(fullName)?.[1] ?? 'somebody has switched it off';
    skipped[reason] = (skipped[reason] ?? 0) + 1;
  }
  return skipped;
}
