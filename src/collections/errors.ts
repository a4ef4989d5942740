import { MAX_WORDS } from '@teamspaces/page-text/question';
import {
  badRequest,
  conflict,
  DomainError,
  notFound,
  unprocessable,
} from '../errors/domain-error.js';
import { foreignCursor } from '../http/pagination.js';
import { type ObjectKind } from './items/collection.js';
import { MAX_COPIED, MAX_DEPTH, MAX_MOVED, MAX_WAITING } from './limits.js';

// What collections refuse. A `field` is the place in the request that is wrong.

/** What messages call an item. */
export const ITEM = 'collection or page';

/** The caller has as many changes waiting as one caller may have. */
export const tooManyChangesWaiting = () =>
  new DomainError(
    'rate_limit_exceeded',
    'too many of your changes are waiting, and this one was not made: send fewer at once, and try again in 1 second',
    { retryAfterSeconds: 1 },
  );

export const noWorkspaceNamed = () =>
  badRequest('team_slug (or teamId) and workspace_slug must be given in the query');

/** @param name of the parameter that path and query give differently */
export const otherThanInPath = (name: string) =>
  badRequest(`${name} in the query must be the one in the path`);

/** The cursor of one list in a request for another one. */
export const cursorOfOtherList = () => foreignCursor('a Link header of this list');

export const expiredCursor = () =>
  badRequest('cursor has expired, since the list was rearranged: start again without it');

/** A cursor of another workspace's feed: its slug names this one now. */
export const cursorOfOtherWorkspace = () =>
  conflict(
    'this cursor belongs to another workspace: start again without one, and drop what is not in the response',
  );

/** The changes after a cursor were purged, or it belongs to another history of the database. */
export const cursorTooOld = () =>
  conflict('this cursor is too old: start again without one, and drop what is not in the response');

export const tooManyRequestsWaiting = () =>
  new DomainError(
    'rate_limit_exceeded',
    `at most ${MAX_WAITING} of your requests can wait for changes at the same time: try again when one of them has ended`,
    { retryAfterSeconds: 1 },
  );

/** The trash has no deletion of this id: there was none, or it was restored or purged. */
export const notInTrash = () => notFound('deletion');

/** @param place of the item, with a dot after it; '' in a request about one item */
export const keyTaken = (place: string) =>
  conflict(`${place}key is taken: another item of the workspace has it`);

export const staleParent = () =>
  conflict('parent is not the current parent of the item: read it again');

/** @param id of a child that a complete order leaves out */
export const lacksChild = (id: string) =>
  conflict(`children lacks ${id}, which is in the list now: read the list again`);

/** @param place of the item, with a dot after it; '' in a request about one item */
export const otherKind = (object: ObjectKind, place = '') =>
  unprocessable(`${place}object must be ${object}, which the item is`);

export const ownSubtree = (field: string) =>
  unprocessable(`${field} must not be the item itself or lie in its own subtree`);

export const tooDeep = (field: string) =>
  unprocessable(`${field} is too deep: nesting goes at most ${MAX_DEPTH} levels deep`);

export const tooLargeToCopy = () =>
  unprocessable(`the item holds more than ${MAX_COPIED} items: copy parts of it`);

const tooLargeToMove = (way: string) =>
  unprocessable(`the item and everything below it are more than ${MAX_MOVED} items: ${way}`);

export const tooLargeToDelete = () =>
  tooLargeToMove('delete parts of it first, or the whole workspace, which has no limit');

export const tooLargeToPrune = () =>
  unprocessable(
    `prune would delete more than ${MAX_MOVED} items: delete parts of them first, or apply parts of the tree`,
  );

/** A manifest is compared with the siblings that have a key, and with prune with all that lies below. */
export const tooManyToCompare = (most: number) =>
  unprocessable(
    `parent must hold at most ${most} items to compare with the manifest: apply parts of the tree`,
  );

/** @param place of the item of a manifest, with a dot after it */
export const unnamed = (place: string) => badRequest(`${place}name or ${place}title is required`);

/** @param place of the second item with the key, with a dot after it */
export const repeatedKey = (place: string) =>
  badRequest(`${place}key is already in the manifest: name each once`);

/** @param id of an item that would go to the trash with one that is pruned */
export const wouldGoAlong = (id: string) =>
  conflict(
    `prune would delete ${id}, which has no key or which the manifest places elsewhere: move it first, or apply without prune`,
  );

export const tooLargeToTransfer = () => tooLargeToMove('transfer parts of it first');

export const tooLargeToRestore = () =>
  tooLargeToMove(
    'ask the operator to restore it with teamspaces trash restore, which has no limit',
  );

export const ownWorkspace = () =>
  unprocessable('workspace_slug must name another workspace: reorderItem moves items within one');

/** @param place of the item, with a dot after it; '' in a request about one item */
export const contentOfCollection = (place: string) =>
  unprocessable(`${place}content can only be given for a page (object item)`);

export const patchOfCollection = () =>
  unprocessable('content can only be patched on a page (object item)');

export const versionsOfCollection = () =>
  unprocessable('versions can only belong to a page (object item)');

/** @param place of the item, with a dot after it */
export const childrenOfPage = (place: string) =>
  unprocessable(`${place}children can only be given for a collection, not a page`);

export const tooManyWords = () => badRequest(`q must have at most ${MAX_WORDS} words with in=all`);

export const noSearchInPages = () =>
  unprocessable('this service does not search in pages: leave out in, or set it to name');

export const searchTooBroad = () =>
  unprocessable(
    'q finds too many pages to read them in time: ask more precisely, or in a single workspace',
  );
