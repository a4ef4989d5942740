import type { PatchOperation } from '@teamspaces/json-text/json-patch';
import type { Rows } from '@teamspaces/pg-lanes/pipelined-transaction';
import type { PartialRead } from '@teamspaces/pg-lanes/statements';
import type { TeamRef } from '../../teams/team.js';
import type { WorkspaceRef } from '../../workspaces/workspace.js';
import type { ItemFields, ItemSettings } from './item.fields.js';
import type { Naming } from './titles.js';

export type ObjectKind = ItemFields['object'];

/** A collection or page, without what is below it. */
export interface Item extends ItemFields {
  /** A page's content as JSON text; null where it was not asked for, or on a collection. */
  content: string | null;
}

/** A direct child of an item, as PostgreSQL writes it; or several, joined by commas. */
export interface ListedChild {
  json: string;
  /** Its part of the item's ETag. */
  mark: string;
}

/** One item as it is read on its own: PostgreSQL writes its JSON. */
export interface ReadItem {
  itemId: string;
  object: ObjectKind;
  version: number;
  /** Up to its content, without the closing brace. */
  json: string;
  /** A page's content as JSON text. */
  content: string | null;
  /** null: more than are shown. */
  children: readonly ListedChild[] | null;
  /** From the top level down; absent where nobody asked for them. */
  ancestors?: readonly Ancestor[] | undefined;
}

/** A collection on the way to an item, as PostgreSQL writes it. */
export interface Ancestor extends Pick<Item, 'id' | 'name' | 'slug'> {
  /** Absent if the title is the name. */
  meta?: Pick<Item, 'title' | 'slug'>;
}

/** What a request says of the workspace that it is about; see selectorOf(). */
export interface WorkspaceSelector {
  team: TeamRef;
  workspaceSlug: string | undefined;
  /** The workspace, if the request names one; null: neither, or the team or the workspace only. */
  workspace: WorkspaceRef | null;
}

/** The ids of a workspace and of its team: what every statement about its tree filters by. */
export interface WorkspaceIds {
  teamId: string;
  workspaceId: string;
}

/**
 * Finds the workspace that a command runs in, if its caller may run it there, and reads in it, all in one
 * statement.
 * @param reads their first parameters are the ids of the team and of the workspace
 * @returns the rows of combineReads(); null: access was decided before, and nothing was read
 * @throws DomainError not_found, forbidden
 */
export type AuthorizeWorkspace = (
  reads: readonly PartialRead[],
) => Promise<WorkspaceIds & { rows: readonly Rows[number][] | null }>;

/** Something to create, as the caller describes it. */
export interface NewItem extends ItemSettings {
  object: ObjectKind;
  /** JSON text of a page's content. */
  content: string | null;
  /** What it holds, in order; null: it was not said, as is right for a page. */
  children: NewItem[] | null;
}

/** Where new items go. */
export interface NewItems {
  parentId: string | null;
  /** Zero-based position among the siblings; absent or past the end means the end. */
  index?: number | undefined;
  items: NewItem[];
  /** How messages call the list of items: `items`, or '' where there is just one, unnamed. */
  field: string;
}

/** A new item with all that is drawn for it. */
export interface NewNode extends Omit<NewItem, 'children'> {
  id: string;
  /** Slugs to take the first free one of. */
  slugs: string[];
  /** How messages begin that are about it: '', or `items[2].children[0].`. */
  place: string;
  children: NewNode[] | null;
}

/** The largest version of a row. */
export const MAX_VERSION = 2 ** 31 - 1;

/** A change of a workspace's tree. Those of one batch are decided one after the other. */
export type Command =
  | { kind: 'create'; parentId: string | null; index?: number | undefined; nodes: NewNode[] }
  | { kind: 'move'; move: Move }
  | { kind: 'update'; id: string; changes: ItemChanges }
  | ({ kind: 'patch'; id: string } & ContentPatch)
  | ({ kind: 'restore' } & VersionRestore)
  | ({ kind: 'order' } & Ordering);

/**
 * What an applied manifest did with its items. One that was both moved and changed counts as both; siblings that make
 * room for them are not counted.
 */
export interface ApplyReport {
  created: number;
  updated: number;
  moved: number;
  /** Items of the manifest that were as it says. */
  unchanged: number;
  /** Items that went to the trash. */
  pruned: number;
  /** Of the items of the manifest, by key. */
  ids: ReadonlyMap<string, string>;
}

/** A move. */
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

/** The complete list of children of a parent, in its final order. */
export interface Ordering {
  /** null: the top level. */
  parentId: string | null;
  children: string[];
  ifMatch?: string | undefined;
}

/** What is absent stays. A move by `parentId` goes to the end of that parent. */
export type ItemChanges = Naming & {
  [Setting in Exclude<keyof ItemSettings, keyof Naming>]?: ItemSettings[Setting] | undefined;
} & {
  parentId?: string | null | undefined;
  content?: string | undefined;
  ifMatch?: string | undefined;
};

/** Changes of parts of a page's content, in their order. */
export interface ContentPatch {
  operations: readonly PatchOperation[];
  ifMatch?: string | undefined;
  /** What the operations make of one version of the page, if that was found out before. */
  patched?: PatchedContent;
}

export interface PatchedContent {
  version: number;
  content: string;
  /** False: the content is what it was. */
  isChange: boolean;
}

/** A page gets the content of one of its versions back. */
export interface VersionRestore {
  id: string;
  version: number;
  /** The version must be younger. */
  ttlSeconds: number;
  ifMatch?: string | undefined;
}

/** Which part of a tree to read. */
export interface TreeQuery {
  /** Starts below this collection; null: at the top level. */
  parentId: string | null;
  /** Levels to show; absent: all. */
  depth?: number | undefined;
  /** Items of the response's top level to show; absent: all. */
  limit?: number | undefined;
  cursor?: Cursor | undefined;
  withContent: boolean;
}

/** Where a list continues: after this position. */
export interface Cursor {
  /** Tells one list from another: the children of one collection, or of a workspace's top level. */
  list: string;
  position: string;
  /** The workspace's count of rebalances: another count, and the position means nothing. */
  rebalances: number;
}
