import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { transformFile } from '@swc/core';

const ROOT = join(import.meta.dirname, '..');

/**
 * Transpiles src/ and the command line into a folder of this process, by .swcrc as jest does, in a third of
 * a second; and all packages into its node_modules, where their own `dist` need not exist. Types are not
 * checked, and those of the API need not be generated.
 * @returns {Promise<string>} the folder, which the caller removes
 */
export async function transpileSources() {
  // As deep as src/: package.json is found from there.
  const folder = join(ROOT, `.transpiled-${process.pid}`);
  const folders = ['clients', 'packages'].flatMap((kind) =>
    readdirSync(join(ROOT, kind)).map((name) => join(ROOT, kind, name)),
  );
  const packages = folders.map(async (source) => {
    const { name: called } = JSON.parse(readFileSync(join(source, 'package.json'), 'utf8'));
    const copy = join(folder, 'node_modules', called);
    await transpileFolder(join(source, 'src'), join(copy, 'dist'));
    const isCopied = (file) => !/\/(src|dist|test|node_modules)$/.test(file);
    cpSync(source, copy, { recursive: true, filter: isCopied });
  });
  await Promise.all([
    transpileFolder(join(ROOT, 'src'), folder),
    transpileFolder(join(ROOT, 'cli'), join(folder, 'cli')),
    transpile(join(ROOT, 'cli.ts'), join(folder, 'cli.ts')),
    ...packages,
  ]);
  // Commands import the service of this folder, not of dist/.
  const own = { name: 'teamspaces-service', type: 'module', exports: { './*': './*.js' } };
  writeFileSync(join(folder, 'package.json'), JSON.stringify(own));
  return folder;
}

async function transpileFolder(source, copy) {
  const files = readdirSync(source, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(source.length + 1));
  await Promise.all(files.map((file) => transpile(join(source, file), join(copy, file))));
}

async function transpile(source, copy) {
  mkdirSync(dirname(copy), { recursive: true });
  if (!source.endsWith('.ts')) return cpSync(source, copy);
  const { code } = await transformFile(source, { sourceMaps: 'inline' });
  writeFileSync(copy.replace(/\.ts$/, '.js'), code);
}
