import { filesOf, writeFolder } from './markdown/exporter.js';
import { readOptions } from './markdown/options.js';
import { showProgress } from './markdown/progress.js';

const USAGE = `Usage: npm run export -- --team acme --workspace docs --token … [--url http://…] [--force] <folder>`;

/** Writes a workspace to a folder of Markdown files, read through the public API. */
async function main(): Promise<void> {
  const { folder, shown, force, place, client } = readOptions(USAGE, { hasForce: true });
  const files = filesOf(await client.tree());
  const progress = showProgress(`Exporting ${place} to ${shown}`, files.length);
  try {
    await writeFolder(folder, files, { force, written: (path) => progress.step(path) });
  } catch (error) {
    progress.end('Nothing was exported.');
    throw error;
  }
  const pages = files.filter(({ text }) => text !== undefined).length;
  progress.end(`Exported ${pages} pages and ${files.length - pages} collections.`);
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
});
