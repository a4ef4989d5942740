import { execFile } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const ROOT = resolve('.');

/** The code of a page, in its order: imports first, since they stand where they are needed. */
function exampleOf(page: string): string {
  const lines = [...readFileSync(page, 'utf8').matchAll(/```ts\n([\s\S]*?)```/g)].flatMap(
    ([, code]) => `${code}`.split('\n'),
  );
  const isImport = (line: string) => line.startsWith('import ');
  return [...lines.filter(isImport), ...lines.filter((line) => !isImport(line))].join('\n');
}

/**
 * Puts a package, its programs, and the packages of others that it names, where npm would; the package out
 * of the archive that npm would publish.
 */
export async function install(name: string, source: string, folder: string): Promise<void> {
  const args = ['pack', '--json', '--pack-destination', folder];
  const { stdout } = await run('npm', args, { cwd: source });
  const [{ filename }] = JSON.parse(stdout) as [{ filename: string }];
  const target = join(folder, 'node_modules', name);
  mkdirSync(target, { recursive: true });
  await run('tar', ['-xzf', join(folder, filename), '-C', target, '--strip-components=1']);
  const { bin = {}, dependencies } = JSON.parse(readFileSync(join(target, 'package.json'), 'utf8'));
  for (const [program, file] of Object.entries<string>(bin)) {
    chmodSync(join(target, file), 0o755);
    link(join(target, file), join(folder, 'node_modules/.bin', program));
  }
  for (const dependency of Object.keys(dependencies)) {
    if (/^teamspaces(-|$)/.test(dependency)) continue;
    link(join(ROOT, 'node_modules', dependency), join(folder, 'node_modules', dependency));
  }
}

function link(to: string, at: string): void {
  if (existsSync(at)) return;
  mkdirSync(dirname(at), { recursive: true });
  symlinkSync(to, at);
}

interface Readme {
  /** Where the example runs; it must be there. */
  folder: string;
  /** Packages of ours that it needs, and where they are. */
  packages: Record<string, string>;
  /** The page with the code; without it, the README of the last package. */
  page?: string;
  env: Record<string, string>;
}

/** Compiles and runs the code of a package's README, or of another page, against what npm would install. */
export async function runReadme({ folder, packages, page, env }: Readme) {
  for (const [name, source] of Object.entries(packages)) await install(name, source, folder);
  for (const name of ['@types/node', 'undici-types']) {
    const to = join(folder, 'node_modules', name);
    cpSync(join(ROOT, 'node_modules', name), to, { recursive: true });
  }
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  const source = page ?? `${Object.values(packages).at(-1)}/README.md`;
  writeFileSync(join(folder, 'example.ts'), exampleOf(source));
  const tsc = join(ROOT, 'node_modules/typescript/bin/tsc');
  const options = ['--strict', '--module', 'NodeNext', '--target', 'ES2022', '--types', 'node'];
  await run('node', [tsc, ...options, 'example.ts'], { cwd: folder }).catch((error) => {
    throw new Error(`${source} does not compile:\n${(error as { stdout: string }).stdout}`);
  });
  const environment = { ...process.env, NODE_OPTIONS: '', ...env };
  const { stdout } = await run('node', ['example.js'], { cwd: folder, env: environment });
  return stdout.trim().split('\n');
}
