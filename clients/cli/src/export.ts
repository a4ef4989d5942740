import { Presets, SingleBar } from 'cli-progress';
import { exportFolder } from 'teamspaces-markdown';
import { interruptionSignal } from './interruption.js';
import { BAR, counted, print, withoutBreaks } from './print.js';
import { connect, explained, pathOf, type Target } from './service.js';

const STOPPED = 'The export was not finished.';

/**
 * Writes a workspace to a folder of Markdown files, and reports progress. The flag is `--force`:
 * replaces files of the same name.
 */
export async function runExport(target: Target): Promise<void> {
  const { url, team, workspace, argument: folder, flag: force } = target;
  const bar = new SingleBar(BAR, Presets.shades_classic);
  try {
    const { pages, collections } = await exportFolder(await connect(target), {
      ...{ team, workspace, folder: pathOf(folder), force, signal: interruptionSignal() },
      onProgress: (done, total) => {
        if (!bar.isActive) {
          print(`Exporting ${team}/${workspace} at ${url} to ${folder}`);
          bar.start(total, 0);
        }
        bar.update(done);
      },
    });
    bar.stop();
    print(`Exported ${counted(pages, 'page')} and ${counted(collections, 'collection')}.`);
  } catch (error) {
    if (bar.isActive) {
      bar.stop();
      print(STOPPED);
    }
    throw await explained(withoutBreaks(error), target);
  }
}
