import { exportFolder } from 'teamspaces-markdown';
import { counted } from '../counted.js';
import { interruptionSignal } from '../interruption.js';
import { withoutBreaks } from '../print.js';
import { type Progress, showProgress } from '../progress.js';
import { assertService, clientOf, pathOf, placeOf } from '../service-client.js';
import type { Target } from '../service-options.js';

const STOPPED = 'The export was not finished.';

/** Writes a workspace to a folder of Markdown files, and reports progress. */
export async function runExport(target: Target, force: boolean): Promise<void> {
  const { team, workspace, folder } = target;
  await assertService(target);
  let progress: Progress | undefined;
  try {
    const { pages, collections } = await exportFolder(clientOf(target), {
      ...{ team, workspace, folder: pathOf(target), force, signal: interruptionSignal() },
      onProgress: (done, total) => {
        progress ??= showProgress(`Exporting ${placeOf(target)} to ${folder}`, total);
        progress.reach(done);
      },
    });
    const written = `${counted(pages, 'page')} and ${counted(collections, 'collection')}`;
    progress?.end(`Exported ${written}.`);
  } catch (error) {
    progress?.end(STOPPED);
    throw withoutBreaks(error);
  }
}
