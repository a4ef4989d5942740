import { createHash } from 'node:crypto';
import { decodeCursor, encodeCursor } from '../../http/pagination.js';
const UUID = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';
/** Where callers get cursors from. */
export const CURSOR_SOURCE = 'a response of this feed';
/** Workspace, version, id, the version and the stamp of the newest state, and the item loaded last. */
const CURSOR = new RegExp(`^([\\w-]{8}) (\\d{1,15}) (${UUID}) (\\d{1,15}) (${UUID}) (${UUID}|-)$`);
/** Eight characters that identify a workspace in its cursors. */
const tagOf = (workspaceId) => createHash('sha256').update(workspaceId).digest('base64url').slice(0, 8);
export const belongsTo = (cursor, workspaceId) => cursor.workspace === tagOf(workspaceId);
/** A cursor of a workspace. */
export const cursorOf = (workspaceId, place) => ({ workspace: tagOf(workspaceId), ...place });
/** @throws DomainError bad_request: the text is not a cursor of this feed */
export function parseChangeCursor(text) {
    const [workspace = '', version, id = '', newest, stamp = '', loadedTo = '-'] = decodeCursor(text, CURSOR, CURSOR_SOURCE);
    return {
        workspace,
        version: Number(version),
        id,
        newest: { version: Number(newest), stamp },
        loadedTo: loadedTo === '-' ? null : loadedTo,
    };
}
export const textOfChangeCursor = (cursor) => {
    const { workspace, version, id, newest, loadedTo } = cursor;
    const state = [String(newest.version), newest.stamp];
    return encodeCursor(workspace, String(version), id, ...state, loadedTo ?? '-');
};
//# sourceMappingURL=change-cursor.js.map