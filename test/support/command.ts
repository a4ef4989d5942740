import { type SpawnOptions, spawn } from 'node:child_process';
import { join } from 'node:path';
import { jest } from '@jest/globals';
import { outside, source } from './sources.js';

export interface Ended {
  status: number | null;
  /** Standard output and standard error, as they came. */
  output: string;
}

/** The command line, as global-setup.ts transpiled it. */
export const CLI = join(String(process.env.TEST_SOURCES), 'cli.js');

/** That of the package `teamspaces` alone. */
export const API_CLI = join(
  String(process.env.TEST_SOURCES),
  'node_modules/teamspaces/dist/main.js',
);

const { run } = await source<typeof import('../../cli/program.js')>('cli/program.js');

/** Runs a command in this process, with these variables: much cheaper than a process of its own. */
export async function runCommand(argv: string[], env: Record<string, string>): Promise<Ended> {
  const { process, console } = outside;
  const before = { ...process.env };
  let output = '';
  const write = (text: string) => {
    output += text;
  };
  const log = jest.spyOn(console, 'log').mockImplementation((text) => write(`${text}\n`));
  Object.assign(process.env, env);
  try {
    return { status: await run(argv, { out: write, err: write }), output };
  } finally {
    process.env = before;
    log.mockRestore();
  }
}

/** Runs a program and waits for its end; `started` may talk to it. */
export function ended(
  program: string,
  args: string[],
  options: SpawnOptions = {},
  started = (_kill: () => void): unknown => undefined,
): Promise<Ended> {
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'], ...options });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (data) => {
      output += data;
    });
  }
  started(() => child.kill('SIGINT'));
  return new Promise((end) => child.on('close', (status) => end({ status, output })));
}
