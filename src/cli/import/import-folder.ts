import { type ImportPlan, importFolder, UnsuitableFilesError } from 'teamspaces-markdown';
import { counted } from '../counted.js';
import { interruptionSignal } from '../interruption.js';
import { print, textOf, withoutBreaks } from '../print.js';
import { type Progress, showProgress } from '../progress.js';
import { assertService, clientOf, pathOf, placeOf } from '../service-client.js';
import type { Target } from '../service-options.js';

const GOES_ON = 'The import is incomplete; run the same command again to continue.';
const SHOWN = 10;

/**
 * Imports a folder of Markdown files into collections and pages, and reports progress.
 * @param dryRun reports what an import would create, and creates nothing
 */
export async function runImport(target: Target, dryRun: boolean): Promise<void> {
  const { team, workspace, folder } = target;
  await assertService(target);
  let progress: Progress | undefined;
  try {
    const done = await importFolder(clientOf(target), {
      ...{ team, workspace, folder: pathOf(target), dryRun, signal: interruptionSignal() },
      onPlan: (plan) => {
        tell(plan);
        if (dryRun) return;
        const title = `Importing ${folder} into ${placeOf(target)}`;
        progress = showProgress(title, plan.pages + plan.collections);
      },
      onProgress: (items) => progress?.reach(items),
    });
    const created = `${counted(done.pages, 'page')} and ${counted(done.collections, 'collection')}`;
    const present = `${counted(done.present, 'page')} were there already`;
    if (dryRun) print(`An import would create ${created}; ${present}.`);
    else progress?.end(`Imported ${created}; ${present}.`);
    say('The order in the workspace differs from the folder in', done.outOfOrder);
    say('More than one page was created from', done.duplicates);
  } catch (error) {
    progress?.end(GOES_ON);
    if (!(error instanceof UnsuitableFilesError)) throw withoutBreaks(error);
    throw new Error(['Nothing was imported:', ...listed(error.problems).map(textOf)].join('\n'));
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
