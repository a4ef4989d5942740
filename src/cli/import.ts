import { readFolder } from './markdown/folder.js';
import { Importer } from './markdown/importer.js';
import { readOptions } from './markdown/options.js';
import { type Progress, showProgress } from './markdown/progress.js';

const USAGE = `Usage: npm run import -- --team acme --workspace docs --token … [--url http://…] <folder>`;
const SHOWN = 10;

/** Turns a folder of Markdown files into collections and pages, through the public API. */
async function main(): Promise<void> {
  const { folder, shown, place, client } = readOptions(USAGE);
  const { entries, leftOut, problems } = await readFolder(folder);
  if (problems.length > 0) throw new Error(`Nothing was imported:\n${listed(problems)}`);
  if (leftOut.length > 0) {
    console.log(`Left out, as they are no Markdown (${leftOut.length}):\n${listed(leftOut)}`);
  }
  let progress: Progress | undefined;
  const importer = new Importer(client, folder, entries, {
    created: (path) => progress?.step(path),
    waiting: (reason) => progress?.note(`${reason}; trying again`),
  });
  const { pages, collections, present } = await importer.missing();
  progress = showProgress(`Importing ${shown} into ${place}`, pages + collections);
  try {
    const outOfOrder = await importer.run();
    const created = `${pages} pages and ${collections} collections`;
    progress.end(`Imported ${created}; ${present} pages were there already.`);
    if (outOfOrder.length > 0) {
      console.log(`The workspace has another order than the folder in\n${listed(outOfOrder)}`);
    }
  } catch (error) {
    progress.end('Not all was imported; the same command goes on from here.');
    throw error;
  }
}

function listed(lines: readonly string[]): string {
  const shown = lines.slice(0, SHOWN).map((line) => `  ${line}`);
  if (lines.length > SHOWN) shown.push(`  … and ${lines.length - SHOWN} more`);
  return shown.join('\n');
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
});
