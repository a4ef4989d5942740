import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const ROOT = resolve('.');

/** The code of a README, in its order: imports first, since they stand where they are needed. */
function exampleOf(folder: string): string {
  const readme = readFileSync(join(folder, 'README.md'), 'utf8');
  const lines = [...readme.matchAll(/```ts\n([\s\S]*?)```/g)].flatMap(([, code]) =>
    `${code}`.split('\n'),
  );
  const isImport = (line: string) => line.startsWith('import ');
  return [...lines.filter(isImport), ...lines.filter((line) => !isImport(line))].join('\n');
}

/** Puts a package where npm would, out of the archive that npm would publish. */
export async function install(name: string, source: string, folder: string): Promise<void> {
  const args = ['pack', '--json', '--pack-destination', folder];
  const { stdout } = await run('npm', args, { cwd: source });
  const [{ filename }] = JSON.parse(stdout) as [{ filename: string }];
  const target = join(folder, 'node_modules', name);
  mkdirSync(target, { recursive: true });
  await run('tar', ['-xzf', join(folder, filename), '-C', target, '--strip-components=1']);
}

interface Readme {
  /** Where the example runs; it must be there. */
  folder: string;
  /** Packages of ours that it needs, and where they are; the README is that of the last one. */
  packages: Record<string, string>;
  /** Those of others. */
  dependencies: string[];
  env: Record<string, string>;
}

/** Compiles and runs the code of a package's README against what npm would install. */
export async function runReadme({ folder, packages, dependencies, env }: Readme) {
  for (const [name, source] of Object.entries(packages)) await install(name, source, folder);
  for (const name of [...dependencies, '@types/node', 'undici-types']) {
    const to = join(folder, 'node_modules', name);
    cpSync(join(ROOT, 'node_modules', name), to, { recursive: true });
  }
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  const source = Object.values(packages).at(-1) as string;
  writeFileSync(join(folder, 'example.ts'), exampleOf(source));
  const tsc = join(ROOT, 'node_modules/typescript/bin/tsc');
  const options = ['--strict', '--module', 'NodeNext', '--target', 'ES2022', '--types', 'node'];
  await run('node', [tsc, ...options, 'example.ts'], { cwd: folder }).catch((error) => {
    throw new Error(`the README does not compile:\n${(error as { stdout: string }).stdout}`);
  });
  const environment = { ...process.env, NODE_OPTIONS: '', ...env };
  const { stdout } = await run('node', ['example.js'], { cwd: folder, env: environment });
  return stdout.trim().split('\n');
}
