import { exportFolder } from 'teamspaces-markdown';
import { counted } from '../counted.js';
import { interruptionSignal } from '../interruption.js';
import { showProgress } from '../progress.js';
import { assertService, clientOf, pathOf, placeOf } from '../service-client.js';
const STOPPED = 'The export was not finished.';
/** Writes a workspace to a folder of Markdown files, and reports progress. */
export async function runExport(target, force) {
    const { team, workspace, folder } = target;
    await assertService(target);
    let progress;
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
    }
    catch (error) {
        progress?.end(STOPPED);
        throw error;
    }
}
//# sourceMappingURL=export-folder.js.map