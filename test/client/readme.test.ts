import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { somebody, startService, type TestService, tokenOf } from '../support/app.js';

const run = promisify(execFile);
const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const PACKAGE = join(ROOT, 'clients/typescript');

let service: TestService;
let folder: string;
beforeAll(async () => {
  service = await startService();
  folder = mkdtempSync(join(tmpdir(), 'teamspaces-client-'));
});
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await service.stop();
});

/** The code of the README, in its order: imports first, since they stand where they are needed. */
function example(): string {
  const readme = readFileSync(join(PACKAGE, 'README.md'), 'utf8');
  const lines = [...readme.matchAll(/```ts\n([\s\S]*?)```/g)].flatMap(([, code]) =>
    `${code}`.split('\n'),
  );
  const isImport = (line: string) => line.startsWith('import ');
  return [...lines.filter(isImport), ...lines.filter((line) => !isImport(line))].join('\n');
}

/** Puts the package where npm would, out of the archive that npm would publish. */
async function install(): Promise<void> {
  const packed = await run('npm', ['pack', '--json', '--pack-destination', folder], {
    cwd: PACKAGE,
  });
  const [{ filename }] = JSON.parse(packed.stdout) as [{ filename: string }];
  const modules = join(folder, 'node_modules');
  mkdirSync(modules);
  await run('tar', ['-xzf', join(folder, filename), '-C', modules]);
  cpSync(join(modules, 'package'), join(modules, 'teamspaces-client'), { recursive: true });
  for (const name of ['openapi-fetch', 'openapi-typescript-helpers', '@types/node', 'undici-types'])
    cpSync(join(ROOT, 'node_modules', name), join(modules, name), { recursive: true });
}

test('the code of the README compiles and runs against the packed package', async () => {
  await install();
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  writeFileSync(join(folder, 'example.ts'), example());
  const tsc = join(ROOT, 'node_modules/typescript/bin/tsc');
  const options = ['--strict', '--module', 'NodeNext', '--target', 'ES2022', '--types', 'node'];
  await run('node', [tsc, ...options, 'example.ts'], { cwd: folder }).catch((error) => {
    throw new Error(`the README does not compile:\n${(error as { stdout: string }).stdout}`);
  });
  const { stdout } = await run('node', ['example.js'], {
    cwd: folder,
    env: {
      ...process.env,
      NODE_OPTIONS: '',
      TEAMSPACES_URL: service.url,
      TEAMSPACES_TOKEN: tokenOf(somebody('Ada')),
    },
  });
  expect(stdout.trim().split('\n')).toEqual([
    'First day is at first-day',
    "[ 'Guides: 1' ]",
    'slug acme is already taken',
    'Guides',
    'Welcome to Acme!',
    'Signed in as Ada',
  ]);
}, 120_000);
