import { readFileSync } from 'node:fs';

const { scripts } = JSON.parse(readFileSync('package.json', 'utf8'));

/** The commands of `npm run check`, one after the other. */
export const STEPS = scripts.check.split(' && ');

/** Those of them that run jest, which reports (test/support/skip-reporter.js). */
export const RUNS = STEPS.filter((step) => /^npm (test|run test:\w+)$/.test(step));
