import { exitAfter, interruption } from './markdown/exit.js';
import { readFolder } from './markdown/folder.js';
import { Importer } from './markdown/importer.js';
import { readOptions } from './markdown/options.js';
import { counted, type Progress, showProgress } from './markdown/progress.js';

const USAGE = `Usage: npm run import -- --team acme --workspace docs --token … [--url http://…] <folder>`;
const GOES_ON = 'Not all was imported; the same command goes on from here.';
const SHOWN = 10;

/** Turns a folder of Markdown files into collections and pages, through the public API. */
async function main(): Promise<void> {
  const interrupted = interruption();
  const { folder, shown, place, client } = readOptions(USAGE);
  const { entries, leftOut, problems } = await readFolder(folder);
  if (problems.length > 0) throw new Error(`Nothing was imported:\n${listed(problems)}`);
  say('Left out, as they are no Markdown', leftOut);
  let progress: Progress | undefined;
  const importer = new Importer(client, folder, entries, {
    created: () => progress?.step(),
    waiting: (reason) => progress?.note(`${reason}; trying again`),
  });
  const { pages, collections, present, different } = await Promise.race([
    importer.plan(),
    interrupted,
  ]);
  say('Pages already, with another content than the file; they stay as they are', different);
  progress = showProgress(`Importing ${shown} into ${place}`, pages + collections);
  try {
    const done = await Promise.race([importer.run(), interrupted]);
    const created = `${counted(done.pages, 'page')} and ${counted(done.collections, 'collection')}`;
    progress.end(`Imported ${created}; ${counted(present, 'page')} were there already.`);
    say('The workspace has another order than the folder in', done.outOfOrder);
    say('More than one page came from', done.duplicates);
  } catch (error) {
    progress.end(GOES_ON);
    throw error;
  }
}

function say(what: string, lines: readonly string[]): void {
  if (lines.length > 0) console.log(`${what} (${lines.length}):\n${listed(lines)}`);
}

function listed(lines: readonly string[]): string {
  const shown = lines.slice(0, SHOWN).map((line) => `  ${line}`);
  if (lines.length > SHOWN) shown.push(`  … and ${lines.length - SHOWN} more`);
  return shown.join('\n');
}

main().catch(exitAfter);
