import type { TeamRef } from '../teams/team.js';

/** `item` is a page. */
export const OBJECTS = ['collection', 'item'] as const;
export type ObjectKind = (typeof OBJECTS)[number];

/** Levels of nesting that the service takes; a create or move past it is refused. */
export const MAX_DEPTH = 128;

/** A collection or page, without what is below it. */
export interface Item {
  id: string;
  teamId: string;
  workspaceId: string;
  /** null: top level. */
  parentId: string | null;
  object: ObjectKind;
  name: string;
  slug: string;
  /** Grows with every change of the row. */
  version: number;
  createdAt: Date;
  updatedAt: Date;
  /** A page's content as JSON text; null where it was not asked for, or on a collection. */
  content: string | null;
}

/** One item with its direct children, in order (none for a page), and the ETag of the whole. */
export interface ItemWithChildren {
  item: Item;
  children: Item[];
  etag: string;
}

/** The workspace that a request to `/collections…` names; what is absent was not named. */
export interface Place {
  team: TeamRef;
  workspaceSlug?: string | undefined;
}

export interface NewItem {
  name: string;
  object: ObjectKind;
  parentId: string | null;
  /** JSON text of a page's content. */
  content: string | null;
}

/** A move (decisions, section 6.5). */
export interface Move {
  id: string;
  /** Final zero-based position among the siblings; past the end means the end. */
  index: number;
  /** null: top level; absent: stays under its parent. */
  newParentId?: string | null | undefined;
  /** What the caller takes the present parent to be; checked where given. */
  expectedParentId?: string | null | undefined;
  expectedObject?: ObjectKind | undefined;
  ifMatch?: string | undefined;
}

/** What is absent stays. A move by `parentId` goes to the end of that parent. */
export interface ItemChanges {
  name?: string | undefined;
  parentId?: string | null | undefined;
  content?: string | undefined;
  ifMatch?: string | undefined;
}

/** Which part of a tree to read. */
export interface TreeQuery {
  /** Starts below this collection; null: at the top level. */
  parentId: string | null;
  /** Levels to show; absent: all. */
  depth?: number | undefined;
  /** Items of the answer's top level to show; absent: all. */
  limit?: number | undefined;
  cursor?: Cursor | undefined;
  withContent: boolean;
}

/** Where a list goes on: behind this position, as it was after this rewrite of positions. */
export interface Cursor {
  /** Tells one list from another: the children of one collection, or of a workspace's top level. */
  list: string;
  position: string;
  rewrite: string;
}

/** A part of a tree. */
export interface Tree {
  /** The answer's top level, in order. */
  top: Item[];
  /** The children of each collection shown in full, in order; a cut collection has no entry. */
  childrenOf: (collection: Item) => Item[] | undefined;
  /** Where the top level goes on, or null at its end. */
  next: Cursor | null;
}
