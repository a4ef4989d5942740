// What a workspace, a page and a caller may have. Each bound is enforced where it is imported. The bounds of a
// single field (a name, a key) are in validation/fields.ts, those of a content and of a patch in @teamspaces/json-text,
// and what a plan allows in config/plan-limits.ts.

const MIB = 1024 * 1024;

// One request.

/** Items that one batch creates at most, all levels together. */
export const MAX_CREATED = 1000;
/** Children that one call puts in order at most. */
export const MAX_ORDERED = 10_000;
/** Items of a manifest, all levels together. */
export const MAX_APPLIED = 1000;
/** Items with a key that a manifest is compared with, and with `prune` all below the parent. */
export const MAX_COMPARED = 50_000;

/** Characters of a title that its item gets as its name: as many as a name has at most. */
export const MAX_NAME = 32;

// The tree.

/** Levels of nesting; a create or move past it is refused. */
export const MAX_DEPTH = 128;
/** Items in a copy, at most. */
export const MAX_COPIED = 10_000;
/**
 * Items that one deletion, restore or transfer may move, the item itself counted: what a transaction moves
 * in a few seconds. Bounded alike, so that what was deleted comes back, and what was transferred can return.
 */
export const MAX_MOVED = 20_000;
/**
 * Direct children that the response to a write shows, and that its ETag covers. Of a collection with more, both are of
 * the collection alone.
 */
export const MAX_CHILDREN_WRITTEN = 1_000;

// Versions of a page.

/** What is kept of a page. */
export const MAX_KEPT = { versions: 50, bytes: 8 * MIB };
/** For how long the saves of one person are one version. */
export const COALESCED_MINUTES = 10;

// The feed of changes.

/** Changes of a page of the feed if the query does not say. */
export const DEFAULT_CHANGES = 200;
/** Bytes of items from which on a page of the feed takes no other one. */
export const MAX_CHANGES_BYTES = 4 * MIB;
/** Seconds that a response is held for a change, at most. */
export const MAX_WAIT = 25;
/** Requests of one caller that may wait for a change at the same time in one process. */
export const MAX_WAITING = 10;
/** Rows of the log of changes that a workspace may have in any case. */
export const MIN_LOG_ROWS = 100_000;
/** Rows of the log for each page of the plan. */
export const LOG_ROWS_PER_PAGE = 20;

// Search.

/** Characters of a question. */
export const MAX_QUESTION = 100;
/** Results of a search, at most, and if the query does not say. */
export const MAX_HITS = 100;
export const DEFAULT_HITS = 20;
/** Pages of a team beyond which only titles that begin with the text are found. */
export const MAX_PAGES_SEARCHED = 1_000_000;
/** Titles that a search walks at most where only prefixes are found. */
export const MAX_WALKED = 2_000_000;
/** Titles that a search folds, since they have more than the 250 characters that the index has of each. */
export const MAX_WHOLE_TITLES = 100;

// Search in pages.

/** Words and bytes of one row of the index: a tsvector has less than a megabyte. */
export const MAX_INDEX_ROW = { words: 20_000, bytes: 512 * 1024 };
/** Rows that edits add to those of a page before its words are written again. */
export const MAX_ADDED_ROWS = 8;
/** Bytes of pages that the index takes in one transaction, unless it is a single page. */
export const INDEX_PORTION = 64 * 1024;
/** Seconds after which a page is indexed again at the earliest. */
export const REINDEX_SECONDS = 10;
/**
 * What a search looks at of the pages that have changed since they were indexed, the newest first: pages, their
 * text and their content.
 */
export const MAX_LOOKED_AT = { pages: 50, textBytes: 256 * 1024, bytes: 4 * MIB };
/** Where a search looks for such pages: workspaces whose index is behind, and the newest changes of each. */
export const MAX_BEHIND = { workspaces: 20, changes: 200 };
/** Words of a question that the index is asked for; the others are compared with the text alone. */
export const MAX_INDEX_TERMS = 32;
/** Bytes of pages that are verified together. */
export const VERIFIED_BYTES = 4 * MIB;
/** Milliseconds that a search in pages may take. */
export const MAX_SEARCH_TIME = 2_000;

// Waiting writes.

/** What a caller may have waiting in a workspace, and in all workspaces of a process. */
export const BACKLOG = { count: 1_000, bytes: 16 * MIB };
export const BACKLOG_OF_ALL = { count: 2_000, bytes: 64 * MIB };

// What costs a further point of the rate limit.

/** Items of a batch or manifest, or of a subtree that is deleted, restored, copied or transferred. */
export const ITEMS_PER_POINT = 100;
/** Children of a complete order. */
export const ORDERED_PER_POINT = 1000;
/** Titles that a search walks. */
export const NAMES_PER_POINT = 10_000;
/** Pages that a search reads to verify that they match. */
export const PAGES_PER_POINT = 1000;
/** Operations of a patch, times bytes of the page. */
export const PATCH_WORK_PER_POINT = 10 * MIB;
