import { readFileSync } from 'node:fs';

// Adds up what the runs of jest have counted (test/support/skip-reporter.js): says what was skipped, and
// why, then which runs did not happen, and ends with "N passed, N failed, N skipped".
//
//     node .ci/count.js REPORT STATUS      STATUS: of all checks together

/** The runs of `npm run check`. */
const RUNS = [
  'npm test',
  'npm run test:races',
  'npm run test:docs',
  'npm run test:operate',
  'npm run test:browser',
];

const [report = '', given = '1'] = process.argv.slice(2);
const runs = readFileSync(report, 'utf8')
  .split('\n')
  .filter(Boolean)
  .map((line) => JSON.parse(line));

const sum = (numbers) => numbers.reduce((all, number) => all + number, 0);
const passed = sum(runs.map((run) => run.passed));
let failed = sum(runs.map((run) => run.failed));
const skipped = {};
for (const [reason, count] of runs.flatMap((run) => Object.entries(run.skipped))) {
  skipped[reason] = (skipped[reason] ?? 0) + count;
}
const notRun = RUNS.filter((name) => !runs.some(({ run }) => run === name));

// Types, lint and the like have no tests; and no tests at all are no success.
const isWrong = given !== '0' || notRun.length > 0;
if (isWrong && failed === 0) failed = 1;

for (const [reason, count] of Object.entries(skipped)) {
  console.log(`skipped: ${count} since ${reason}`);
}
if (notRun.length > 0) console.log(`not run: ${notRun.join(', ')}, since something failed before`);
console.log('not part of this: npm run test:citus (a Citus cluster), and what NIGHTLY=1 adds');
console.log(`${passed} passed, ${failed} failed, ${sum(Object.values(skipped))} skipped`);
process.exitCode = failed > 0 ? 1 : 0;
