import { exitAfter, interruption } from './markdown/exit.js';
import { exportWorkspace } from './markdown/exporter.js';
import { readOptions } from './markdown/options.js';
import { counted, type Progress, showProgress } from './markdown/progress.js';

const USAGE = `Usage: npm run export -- --team acme --workspace docs --token … [--url http://…] [--force] <folder>`;
const STOPPED = 'The export was not finished.';

/** Writes a workspace to a folder of Markdown files, read through the public API. */
async function main(): Promise<void> {
  const { folder, shown, force, place, client } = readOptions(USAGE, { hasForce: true });
  let progress: Progress | undefined;
  try {
    const { pages, collections } = await exportWorkspace(client, folder, {
      force,
      interrupted: interruption(),
      counted: (total) => {
        progress = showProgress(`Exporting ${place} to ${shown}`, total);
      },
      written: () => progress?.step(),
    });
    const written = `${counted(pages, 'page')} and ${counted(collections, 'collection')}`;
    progress?.end(`Exported ${written}.`);
  } catch (error) {
    progress?.end(STOPPED);
    throw error;
  }
}

main().catch(exitAfter);
