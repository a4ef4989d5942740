import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
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
}
const ALL: Run[] = [
  'npm test',
  'npm run test:races',
  'npm run test:docs',
  'npm run test:operate',
  'npm run test:browser',
].map((name) => ({ run: name, passed: 10, failed: 0, skipped: {} }));

/** What a program printed, and the status with which it ended. */
async function ended(program: string, args: string[], env: NodeJS.ProcessEnv = {}) {
  const options = { env: { PATH: process.env.PATH, ...env } };
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
    const skipped = { 'there is no haproxy here': 4 };
    expect(ended).toMatchObject({ status: 0, passed: 0, failed: 0, skipped });
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
