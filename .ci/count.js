import { readFileSync } from 'node:fs';
import { RUNS } from './steps.js';

// Adds up what the runs of jest have counted (test/support/skip-reporter.js): says what was skipped, and
// why, then which runs did not happen and what failed at first or twice, and ends with
// "N passed, N failed, N skipped". Of what was run once more (.ci/check.js), the last results count.
//
//     node .ci/count.js REPORT STATUS      STATUS: of all checks together

const [report = '', given = '1'] = process.argv.slice(2);
const lines = readFileSync(report, 'utf8')
  .split('\n')
  .filter(Boolean)
  .map((line) => JSON.parse(line));

const wholeRuns = lines.filter(({ again }) => again === undefined || again === true);
/** The last report of each run. */
const runs = [...new Map(wholeRuns.map((line) => [line.run, line])).values()];
const again = lines.filter((line) => typeof line.again === 'object');
/** What the runs have counted of the files that were run once more: it counts no longer. */
const replaced = again.map((line) =>
  runs
    .find(({ run }) => run === line.run)
    .files.find(({ path, project }) => path === line.again.path && project === line.again.project),
);

const sum = (numbers) => numbers.reduce((all, number) => all + number, 0);
const counted = (name) =>
  sum([...runs, ...again].map((line) => line[name])) - sum(replaced.map((file) => file[name]));
const passed = counted('passed');
let failed = counted('failed');
const skipped = {};
const count = (counts, sign) => {
  for (const [reason, number] of Object.entries(counts)) {
    skipped[reason] = (skipped[reason] ?? 0) + sign * number;
  }
};
for (const line of [...runs, ...again]) count(line.skipped, 1);
for (const file of replaced) count(file.skipped, -1);
const notRun = RUNS.filter((name) => !runs.some(({ run }) => run === name));

// Types, lint and the like have no tests; and no tests at all are no success.
const isWrong = given !== '0' || notRun.length > 0;
if (isWrong && failed === 0) failed = 1;

const nameOf = ({ run, again: { path, project } }) =>
  `${path} of ${run}${project === null ? '' : `, ${project}`}`;
for (const [reason, number] of Object.entries(skipped)) {
  if (number > 0) console.log(`skipped: ${number} since ${reason}`);
}
if (notRun.length > 0) console.log(`not run: ${notRun.join(', ')}, since something failed before`);
console.log('not part of this: npm run test:citus (a Citus cluster), and what NIGHTLY=1 adds');
for (const line of again.filter((one) => one.failed > 0)) {
  console.log(`failed twice: ${nameOf(line)}`);
}
for (const line of runs.filter((one) => one.again)) {
  console.log(`flaky: ${line.run}, which had ended without a report of what failed`);
}
for (const line of again.filter((one) => one.failed === 0)) console.log(`flaky: ${nameOf(line)}`);
console.log(`${passed} passed, ${failed} failed, ${sum(Object.values(skipped))} skipped`);
process.exitCode = failed > 0 ? 1 : 0;
