import { readdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { tokenOf } from '../support/app.js';
import { ok } from '../support/builders.js';
import { API_CLI, CLI, ended } from '../support/command.js';
import { aFolder, removeFolders } from '../support/folders.js';
import { scene } from '../support/scene.js';

/** What a pipe holds while nobody reads it. */
const PIPE = 64 * 1024;

/** The whole command line, and that of the package alone: as files that a shell runs. */
const PROGRAMS = [
  ['the command line of the service', CLI],
  ['the package teamspaces', API_CLI],
] as const;

const at = scene({ once: 'workspace' });
afterAll(removeFolders);

/** Runs a line of bash in which `$teamspaces` is the program; its status is that of the first failed part. */
function shell(program: string, line: string) {
  const env = {
    ...process.env,
    ...{ NODE_OPTIONS: '', DATABASE_URL: at.databaseUrl },
    ...{ TEAMSPACES_URL: at.url, TEAMSPACES_TOKEN: tokenOf(at.ada.person) },
    teamspaces: `${process.execPath} ${program}`,
  };
  return ended('bash', ['-o', 'pipefail', '-c', line], { env });
}

const place = () => `--team ${at.team} --workspace ${at.workspace.slug}`;

beforeAll(async () => {
  const items = Array.from({ length: 400 }, (_, n) => ({ name: `Page ${n}`, object: 'item' }));
  await ok(at.ada.post(`/collections/batch${at.query}`, { items }));
});

describe.each(PROGRAMS)('a pipe behind %s', (_, program) => {
  test('a slow reader gets all of it', async () => {
    const list = `$teamspaces list ${place()} --json`;
    const { status, output } = await shell(program, `${list} | (sleep 1; cat)`);
    expect(status).toBe(0);
    expect(output.length).toBeGreaterThan(2 * PIPE);
    expect(JSON.parse(output)).toHaveLength(400);
  });

  test.each(['--help', 'import --help', 'completion bash', 'completion fish', '--nonsense'])(
    'all of %s arrives where the pipe is full',
    async (args) => {
      const { output } = await shell(program, `$teamspaces ${args}`);
      expect(output.length).toBeGreaterThan(50);
      const full = `{ head -c ${PIPE - 10} /dev/zero; $teamspaces ${args} 2>&1; } | (sleep 1; tail -c +${PIPE - 9})`;
      expect((await shell(program, full)).output).toBe(output);
    },
  );

  test('a reader that goes away ends it without a message', async () => {
    const list = `$teamspaces list ${place()} --json`;
    expect(await shell(program, `${list} | head -n 1`)).toEqual({ status: 141, output: '[\n' });
  });

  test('an export whose reader goes away leaves nothing behind', async () => {
    const folder = `${await aFolder({})}/exported`;
    const { status, output } = await shell(
      program,
      `$teamspaces export ${place()} ${folder} | true`,
    );
    expect({ status, output }).toEqual({ status: 141, output: '' });
    expect(readdirSync(dirname(folder))).toEqual([]);
  });

  test('a disk that is full is an error', async () => {
    const { status, output } = await shell(program, `$teamspaces list ${place()} >/dev/full`);
    expect(status).toBe(1);
    expect(output).toMatch(/^The output could not be written: .*no space.*\.\n$/);
  });
});

test('an audit log arrives at a slow reader, as far as it reads, and a signal ends it', async () => {
  const bodies = Array.from({ length: 300 }, (_, n) => ({ description: `Changed ${n}` }));
  for (const body of bodies) await ok(at.ada.put(`/teams/${at.team}`, body));
  const audit = `$teamspaces audit --team ${at.team} --json | (sleep 1; cat)`;
  const { status, output } = await shell(CLI, audit);
  expect(status).toBe(0);
  expect(output.length).toBeGreaterThan(PIPE);
  const entries = output.trimEnd().split('\n');
  expect(entries.filter((line) => JSON.parse(line).action === 'team.updated')).toHaveLength(300);
  const first = `$teamspaces audit --team ${at.team} --json | (sleep 1; head -n 1)`;
  expect(await shell(CLI, first)).toEqual({ status: 141, output: `${entries[0]}\n` });
  // Nobody reads after the first byte.
  const fifo = `${await aFolder({})}/fifo`;
  const command = `$teamspaces audit --team ${at.team} --json >${fifo} 3>&- &`;
  const stalled = `mkfifo ${fifo}; exec 3<>${fifo}; ${command} head -c 1 <&3; kill $!; wait $!`;
  expect(await shell(CLI, stalled)).toEqual({ status: 143, output: '{' });
});
