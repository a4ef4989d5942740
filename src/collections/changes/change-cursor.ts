import { createHash } from 'node:crypto';
import { cursorCodec } from '../../http/pagination.js';
import { LOG_ROWS_PER_PAGE, MIN_LOG_ROWS } from '../limits.js';

/** A state of a workspace's tree: its number and its random name, which no other history has. */
export interface TreeState {
  version: number;
  stamp: string;
}

/** How far a caller has read the feed of a workspace. */
export interface ChangeCursor {
  /** Identifies the workspace. */
  workspace: string;
  /** All rows of the log up to this one have been shown. */
  version: number;
  id: string;
  /** The newest state of which something was shown. */
  newest: TreeState;
  /** During a first load: the items up to this id have been shown. null: it is over. */
  loadedTo: string | null;
}

/** Eight characters that identify a workspace in its cursors. */
const tagOf = (workspaceId: string): string =>
  createHash('sha256').update(workspaceId).digest('base64url').slice(0, 8);

/** A cursor of a workspace. */
export const cursorOf = (
  workspaceId: string,
  place: Omit<ChangeCursor, 'workspace'>,
): ChangeCursor => ({ workspace: tagOf(workspaceId), ...place });

export const belongsTo = (cursor: ChangeCursor, workspaceId: string): boolean =>
  cursor.workspace === tagOf(workspaceId);

/** Where callers get cursors from. */
const CURSOR_SOURCE = 'a response of this feed';

const UUID = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';

/** Workspace, version, id, the version and the stamp of the newest state, and the item loaded last. */
export const CHANGE_CURSOR = cursorCodec<ChangeCursor>(
  new RegExp(`^([\\w-]{8}) (\\d{1,15}) (${UUID}) (\\d{1,15}) (${UUID}) (${UUID}|-)$`),
  ({ workspace, version, id, newest, loadedTo }) => [
    ...[workspace, version, id, newest.version, newest.stamp, loadedTo ?? '-'],
  ],
  (workspace = '', version, id = '', newest, stamp = '', loadedTo = '-') => ({
    workspace,
    version: Number(version),
    id,
    newest: { version: Number(newest), stamp },
    loadedTo: loadedTo === '-' ? null : loadedTo,
  }),
  CURSOR_SOURCE,
);

/** Sorts after all ids: the end of a version. */
export const END_OF_VERSION = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/** What a caller asks the feed for. */
export interface ChangesQuery {
  /** null: starts with a first load. */
  cursor: ChangeCursor | null;
  /** Rows of the log, or items of a first load, that a page covers at most. */
  limit: number;
  withContent: boolean;
  /** Seconds to wait for a change if there is none. */
  wait: number;
}

/** A page of the feed. */
export interface ChangePage {
  /** Each change as JSON text. */
  changes: string[];
  cursor: ChangeCursor;
  /** False: a caller that has applied all changes up to the cursor has the tree of one moment. */
  more: boolean;
  /** Seconds since the oldest change on the page was committed; null: it shows no logged change. */
  lag: number | null;
}

/**
 * Rows that the log of a workspace may have.
 * @param pages that the team's plan allows; 0: any number
 * @returns null: any number, by age only
 */
export const maxChanges = (pages: number): number | null =>
  pages === 0 ? null : Math.max(pages * LOG_ROWS_PER_PAGE, MIN_LOG_ROWS);
