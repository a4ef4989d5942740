import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { parse } from 'yaml';

const run = promisify(execFile);

let folder: string;
let report: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'teamspaces-ci-'));
  report = join(folder, 'report');
});
afterEach(() => rm(folder, { recursive: true, force: true }));

interface Run {
  run: string;
  passed: number;
  failed: number;
  skipped: Record<string, number>;
  files: object[];
}
const ALL: Run[] = [
  'npm test',
  'npm run test:races',
  'npm run test:docs',
  'npm run test:operate',
  'npm run test:browser',
].map((name) => ({ run: name, passed: 10, failed: 0, skipped: {}, files: [] }));

/** What a program printed, and the status with which it ended. */
async function ended(program: string, args: string[], env: NodeJS.ProcessEnv = {}, cwd = '.') {
  const options = { env: { PATH: process.env.PATH, ...env }, cwd };
  const { stdout, stderr, code } = await run(program, args, options).then(
    (printed) => ({ ...printed, code: 0 }),
    (error) => error,
  );
  return { stdout, stderr, status: code };
}

describe('.ci/count.js', () => {
  const count = async (runs: Run[], status: number) => {
    await writeFile(report, runs.map((one) => `${JSON.stringify(one)}\n`).join(''));
    const { stdout, status: ending } = await ended('node', ['.ci/count.js', report, `${status}`]);
    const lines = stdout.trimEnd().split('\n');
    return { lines, last: lines.at(-1), status: ending };
  };

  test('adds up all runs', async () => {
    const { last, status } = await count(ALL, 0);
    expect([last, status]).toEqual(['50 passed, 0 failed, 0 skipped', 0]);
  });

  test('names each reason to skip once, with all its tests', async () => {
    const [first, ...rest] = ALL as [Run, ...Run[]];
    const runs = [
      { ...first, skipped: { 'there is no haproxy here': 3 } },
      ...rest.map((one) => ({
        ...one,
        skipped: { 'there is no haproxy here': 2, 'there is no chromium here': 1 },
      })),
    ];
    const { lines, last, status } = await count(runs, 0);
    expect(lines).toContain('skipped: 11 since there is no haproxy here');
    expect(lines).toContain('skipped: 4 since there is no chromium here');
    expect([last, status]).toEqual(['50 passed, 0 failed, 15 skipped', 0]);
  });

  test('counts the tests that failed', async () => {
    const [first, ...rest] = ALL as [Run, ...Run[]];
    const { last, status } = await count([{ ...first, failed: 2 }, ...rest], 1);
    expect([last, status]).toEqual(['50 passed, 2 failed, 0 skipped', 1]);
  });

  test('counts a failure outside the tests, and names the runs that it prevented', async () => {
    const { lines, last, status } = await count(ALL.slice(0, 2), 2);
    expect(lines).toContain(
      'not run: npm run test:docs, npm run test:operate, npm run test:browser, since something failed before',
    );
    expect([last, status]).toEqual(['20 passed, 1 failed, 0 skipped', 1]);
  });

  test('takes no tests for no success', async () => {
    const { last, status } = await count([], 0);
    expect([last, status]).toEqual(['0 passed, 1 failed, 0 skipped', 1]);
  });
});

describe('.ci/check.js and .ci/count.js, in a project of two runs,', () => {
  const CHECK = 'npm run lint && npm test && npm run test:races';
  const passing = "test('passes', () => undefined);";
  /** Fails at first, and then no more. */
  const flaky = `
    const { existsSync, writeFileSync } = require('node:fs');
    const isFirst = !existsSync(__filename + '.ran');
    writeFileSync(__filename + '.ran', '');
    test('passes', () => undefined);
    test('is flaky', () => expect(isFirst).toBe(false));`;
  const failing = "test('fails', () => { throw new Error(); });";
  /** Ends the run itself: there is no report. */
  const dying = `
    const { existsSync, writeFileSync } = require('node:fs');
    if (!existsSync(__filename + '.ran')) {
      writeFileSync(__filename + '.ran', '');
      process.kill(process.pid, 'SIGKILL');
    }
    test('passes', () => undefined);`;

  /** @param files of tests, those of `npm run test:races` in test/races/ */
  const check = async (files: Record<string, string>, lint = 'true') => {
    const jest = `node ${JSON.stringify(resolve('node_modules/jest/bin/jest.js'))} --runInBand`;
    const config = {
      rootDir: folder,
      testPathIgnorePatterns: ['/races/'],
      reporters: [resolve('test/support/skip-reporter.js')],
    };
    const { testPathIgnorePatterns: _, ...ofRaces } = config;
    const testMatch = ['<rootDir>/test/races/*.test.js'];
    const scripts = {
      ...{ check: CHECK, lint, test: jest },
      'test:races': 'npm test -- --config test/races/jest.config.js',
    };
    const contents = {
      'package.json': JSON.stringify({ scripts, jest: config }),
      'test/races/jest.config.js': `module.exports = ${JSON.stringify({ ...ofRaces, testMatch })}`,
      'test/races/one.test.js': passing,
      ...files,
    };
    for (const [name, text] of Object.entries(contents)) {
      await mkdir(dirname(join(folder, name)), { recursive: true });
      await writeFile(join(folder, name), text);
    }
    await writeFile(report, '');
    const { status: ending } = await ended('node', [resolve('.ci/check.js'), report], {}, folder);
    const counter = [resolve('.ci/count.js'), report, `${ending}`];
    const { stdout, status } = await ended('node', counter, {}, folder);
    return { lines: stdout.trimEnd().split('\n').slice(1), status };
  };

  test('a file that fails and passes alone is flaky, and no failure; the other runs happen', async () => {
    const { lines, status } = await check({
      'test/one.test.js': passing,
      'test/two.test.js': flaky,
      'test/races/two.test.js': flaky,
    });
    expect(lines).toEqual([
      'flaky: test/two.test.js of npm test',
      'flaky: test/races/two.test.js of npm run test:races',
      '6 passed, 0 failed, 0 skipped',
    ]);
    expect(status).toBe(0);
  });

  test('a file that fails twice is a failure, also one that cannot be run; the other runs happen', async () => {
    const { lines, status } = await check({
      'test/one.test.js': failing,
      'test/two.test.js': 'this is no JavaScript',
      'test/three.test.js': flaky,
    });
    expect(lines.toSorted()).toEqual([
      '3 passed, 2 failed, 0 skipped',
      'failed twice: test/one.test.js of npm test',
      'failed twice: test/two.test.js of npm test',
      'flaky: test/three.test.js of npm test',
    ]);
    expect(lines.at(-1)).toBe('3 passed, 2 failed, 0 skipped');
    expect(status).toBe(1);
  });

  test('a run that ends without a report happens once more', async () => {
    const { lines, status } = await check({ 'test/one.test.js': dying });
    expect(lines).toEqual([
      'flaky: npm test, which had ended without a report of what failed',
      '2 passed, 0 failed, 0 skipped',
    ]);
    expect(status).toBe(0);
  });

  test('a run that ends twice without a report is a failure', async () => {
    const { lines, status } = await check({
      'test/one.test.js': "process.kill(process.pid, 'SIGKILL');",
    });
    expect(lines.at(-1)).toBe('1 passed, 1 failed, 0 skipped');
    expect(status).toBe(1);
  });

  test('of more than ten files that failed none is run once more', async () => {
    const names = Array.from({ length: 11 }, (_, n) => `test/${n}.test.js`);
    const { lines, status } = await check(Object.fromEntries(names.map((name) => [name, flaky])));
    expect(lines).toEqual(['12 passed, 11 failed, 0 skipped']);
    expect(status).toBe(1);
  });

  test('no test runs where something else has failed', async () => {
    const { lines, status } = await check({ 'test/one.test.js': passing }, 'false');
    expect(lines.at(-1)).toBe('0 passed, 1 failed, 0 skipped');
    expect(status).toBe(1);
  });
});

test('every run of jest in npm run check is one that .ci/check.js runs once more', async () => {
  const { scripts } = JSON.parse(await readFile('package.json', 'utf8'));
  const { RUNS } = await import(resolve('.ci/steps.js'));
  expect(RUNS).toEqual(ALL.map(({ run: name }) => name));
  const others = scripts.check.split(' && ').filter((step: string) => !RUNS.includes(step));
  const commands = others.map((step: string) => scripts[step.split(' ').at(-1) ?? '']);
  expect(commands.filter((command: string) => /jest|npm test/.test(command))).toEqual([]);
});

describe('a program that is missing', () => {
  /** Runs the tests of the alerts, which need promtool, and nothing else of this project. */
  const alerts = async (env: Record<string, string>, globals: object = {}) => {
    const config = join(folder, 'jest.config.mjs');
    const base = resolve('jest.config.js');
    const settings = { globals, testMatch: ['<rootDir>/test/operate/alerts.test.ts'] };
    await writeFile(
      config,
      `import base from ${JSON.stringify(base)};
       const { globalSetup, globalTeardown, testPathIgnorePatterns, ...rest } = base;
       export default { ...rest, rootDir: ${JSON.stringify(resolve('.'))},
         ...${JSON.stringify(settings)} };`,
    );
    const jest = ['node_modules/.bin/jest', '--config', config];
    const { status, stderr } = await ended('node', ['--experimental-vm-modules', ...jest], {
      TEST_REPORT: report,
      ...env,
    });
    const [line = '{}'] = (await readFile(report, 'utf8')).split('\n');
    return { status, stderr, ...(JSON.parse(line) as Run) };
  };

  test('has its tests skipped, and the reason said', async () => {
    const { status, stderr, passed, failed, skipped } = await alerts({ TEST_WITHOUT: 'promtool' });
    expect({ status, passed, failed, skipped }).toEqual({
      ...{ status: 0, passed: 3, failed: 0 },
      skipped: { 'there is no promtool here': 1 },
    });
    expect(stderr).toMatch('Skipped: 1 of npm test, since there is no promtool here');
  });

  test('has all tests of a project skipped that is nothing without it', async () => {
    const ended = await alerts({ TEST_WITHOUT: 'haproxy' }, { needs: 'haproxy' });
    expect(ended).toMatchObject({ status: 0, passed: 0, failed: 0 });
    expect(Object.keys(ended.skipped)).toContain('there is no haproxy here');
    // One of them needs promtool, too.
    expect(Object.values(ended.skipped).reduce((sum, number) => sum + number)).toBe(4);
  });

  test('is a failure with REQUIRE_ALL=1', async () => {
    const ended = await alerts({ TEST_WITHOUT: 'promtool', REQUIRE_ALL: '1' });
    expect(ended).toMatchObject({ status: 1, passed: 0, failed: 1, skipped: {} });
    expect(ended.stderr).toMatch('REQUIRE_ALL=1, but there is no promtool here');
  });
});

test('the forge requires every program, on all supported versions of Node, and runs at length by night', async () => {
  const { jobs } = parse(await readFile('.github/workflows/ci.yml', 'utf8'));
  expect(jobs.check.strategy.matrix.node).toEqual([20, 22, 24]);
  for (const { env } of [jobs.check, jobs['oldest-postgres']]) expect(env.REQUIRE_ALL).toBe('1');
  const commands = jobs.nightly.steps.map(({ run: command = '' }) => command).join('\n');
  expect(jobs.nightly.env.NIGHTLY).toBe('1');
  expect(commands).toMatch('test/operate/linearizability.test.ts');
});
