import { Presets, SingleBar } from 'cli-progress';
import { type ImportPlan, importFolder, UnsuitableFilesError } from 'teamspaces-markdown';
import { interruptionSignal } from './interruption.js';
import { BAR, counted, print, textOf, withoutBreaks } from './print.js';
import { connect, explained, pathOf, type Target } from './service.js';

const GOES_ON = 'The import is incomplete; run the same command again to continue.';
const SHOWN = 10;

/**
 * Imports a folder of Markdown files into collections and pages, and reports progress. The flag is
 * `--dry-run`: reports what an import would create, and creates nothing.
 */
export async function runImport(target: Target): Promise<void> {
  const { url, team, workspace, argument: folder, flag: dryRun } = target;
  const bar = new SingleBar(BAR, Presets.shades_classic);
  try {
    const done = await importFolder(await connect(target), {
      ...{ team, workspace, folder: pathOf(folder), dryRun, signal: interruptionSignal() },
      onPlan: (plan) => {
        tell(plan);
        if (dryRun) return;
        print(`Importing ${folder} into ${team}/${workspace} at ${url}`);
        bar.start(plan.pages + plan.collections, 0);
      },
      onProgress: (items) => bar.update(items),
    });
    bar.stop();
    const created = `${counted(done.pages, 'page')} and ${counted(done.collections, 'collection')}`;
    const present = `${counted(done.present, 'page')} were there already`;
    print(`${dryRun ? 'An import would create' : 'Imported'} ${created}; ${present}.`);
    say('The order in the workspace differs from the folder in', done.outOfOrder);
    say('More than one page was created from', done.duplicates);
  } catch (error) {
    if (bar.isActive) {
      bar.stop();
      print(GOES_ON);
    }
    if (error instanceof UnsuitableFilesError) {
      throw new Error(['Nothing was imported:', ...listed(error.problems).map(textOf)].join('\n'));
    }
    throw await explained(withoutBreaks(error), target);
  }
}

function tell({ leftOut, different }: ImportPlan): void {
  say('Skipped, as they are not Markdown', leftOut);
  say('Existing pages whose content differs from the file; they were not changed', different);
}

function say(what: string, lines: readonly string[]): void {
  if (lines.length > 0) print(`${what} (${lines.length}):`, ...listed(lines));
}

function listed(lines: readonly string[]): string[] {
  const shown = lines.slice(0, SHOWN).map((line) => `  ${line}`);
  if (lines.length > SHOWN) shown.push(`  … and ${lines.length - SHOWN} more`);
  return shown;
}
