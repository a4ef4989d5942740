import { spawnSync } from 'node:child_process';
import { appendFileSync, existsSync, readFileSync, rmSync } from 'node:fs';
import { RUNS, STEPS } from './steps.js';

// Runs the steps of `npm run check`. A run of tests that fails does not keep the next ones from running. Then each
// file that failed is run once more, alone: one that passes then is flaky, and does not fail the whole. A run that
// failed without a file that failed is run again as a whole. The results are in the report, from which .ci/count.js
// reads.
//
//     node .ci/check.js REPORT
//
// Ends with 0 if everything has passed in the end.

/** If more files failed, none is run again: a change has broken them, and there is not that much time. */
const MAX_RERUN_FILES = 10;

const [report = ''] = process.argv.slice(2);
const reportOfOne = `${report}.again`;

const linesOf = (file) =>
  existsSync(file)
    ? readFileSync(file, 'utf8')
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line))
    : [];

/** @returns whether it has passed */
function runs(command, reportFile) {
  const env = { ...process.env, TEST_REPORT: reportFile };
  return spawnSync(command, { shell: true, stdio: 'inherit', env }).status === 0;
}

/**
 * Runs tests once more.
 * @param again what of the run: a file, or `true` for all of it
 * @returns whether they have passed
 */
function passesAgain(run, again, options = []) {
  console.log(`\nOnce more: ${[run, ...options].join(' ')}`);
  rmSync(reportOfOne, { force: true });
  const isPassed = runs(
    [run, ...(options.length > 0 ? ['--'] : []), ...options].join(' '),
    reportOfOne,
  );
  const [line] = linesOf(reportOfOne);
  rmSync(reportOfOne, { force: true });
  // A report of no failure by a run that failed says nothing.
  if (line && isPassed === (line.failed === 0)) {
    appendFileSync(report, `${JSON.stringify({ ...line, again })}\n`);
  }
  return isPassed;
}

const quoted = (text) => `'${text.replaceAll("'", `'\\''`)}'`;

function fileAgain({ run, path, project }) {
  const options = ['--runTestsByPath', quoted(path)];
  if (project !== null) options.push('--selectProjects', quoted(project));
  return passesAgain(run, { path, project }, options);
}

const failed = [];
for (const step of STEPS) {
  if (runs(step, report)) continue;
  failed.push(step);
  // Types, lint and the like are not flaky, and tests of what they refuse say little.
  if (!RUNS.includes(step)) break;
}
let isPassed = failed.every((step) => RUNS.includes(step));
const filesOf = (step) =>
  linesOf(report)
    .findLast(({ run }) => run === step)
    ?.files.map((file) => ({ run: step, ...file })) ?? [];
if (isPassed) {
  for (const run of failed.filter((step) => filesOf(step).length === 0)) {
    if (!passesAgain(run, true) && filesOf(run).length === 0) isPassed = false;
  }
  const files = failed.flatMap(filesOf);
  if (files.length > MAX_RERUN_FILES) {
    console.log(`\n${files.length} files failed: none is run once more`);
    isPassed = false;
  } else {
    for (const file of files) if (!fileAgain(file)) isPassed = false;
  }
}
process.exitCode = isPassed ? 0 : 1;
