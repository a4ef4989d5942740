import type { Shown } from './shown.js';
import type { Tree } from './tree.js';

/** A new item; its name is its key for good: see Operation. */
export interface NewItem {
  name: string;
  object: 'collection' | 'item';
  /** JSON text; absent on collections. */
  content?: string;
  children?: NewItem[];
}

/** The field that a command shares with others: an Idempotency-Key makes a repetition harmless. */
interface Keyed {
  idempotencyKey?: string;
}

/** An item, in the workspace that is named, if one is: else wherever it is. */
interface OfItem {
  id: string;
  workspace?: string;
}

/** Where something that comes in goes; `index` absent: as the operation says. */
interface Arriving extends OfItem, Keyed {
  parent?: string | null;
  index?: number;
  ifMatch?: string;
}

/** What a client asked for; rules.ts has a function for each kind. Workspaces are named by their slugs. */
export type Command =
  | ({
      kind: 'create';
      workspace: string;
      parent: string | null;
      index?: number;
      items: NewItem[];
    } & Keyed)
  | ({
      kind: 'move';
      workspace: string;
      id: string;
      index: number;
      newParent?: string | null;
      parent?: string | null;
      ifMatch?: string;
    } & Keyed)
  | ({
      kind: 'update';
      name?: string;
      content?: string;
      parent?: string | null;
      ifMatch?: string;
    } & OfItem)
  /** Adds a member to a page's content. */
  | ({ kind: 'patch'; member: string; ifMatch?: string } & OfItem)
  | {
      kind: 'order';
      workspace: string;
      parent: string | null;
      children: string[];
      ifMatch?: string;
    }
  | ({ kind: 'delete'; ifMatch?: string } & OfItem)
  | ({ kind: 'restore'; parent: string | null; index: number } & OfItem & Keyed)
  /** `name` is the key of the copy, and nobody else's; `target` absent: the item's own workspace. */
  | ({ kind: 'duplicate'; name: string; target?: string } & Arriving)
  | ({ kind: 'transfer'; target: string } & Arriving)
  | { kind: 'deleteWorkspace'; workspace: string }
  | { kind: 'restoreWorkspace'; workspace: string }
  | {
      kind: 'list';
      workspace: string;
      parent?: string;
      withContent: boolean;
      ifNoneMatch?: string;
    }
  | ({ kind: 'read'; withAncestors?: boolean; ifNoneMatch?: string } & OfItem)
  /** The children in the response to an update, which are read after its commit. */
  | { kind: 'children'; id: string };

/**
 * A command as a client gives it: it names items by their ids. Children in the response to an update are
 * recorded beside it, and not asked for.
 */
export type Sent = Exclude<Command, { kind: 'children' }>;

/** The response to a client. */
export interface Response {
  status: number;
  /** What a 200 showed, if anything. */
  shown?: Shown[] | undefined;
  etag?: string | undefined;
}

/**
 * A command and its response, between two moments of one clock. Items are named by their keys: an item
 * that was created, and the root of a copy, by the slug from its first name, which no other item of a
 * history has; what is below the root of a copy `c` by `c/` and the key of its original. So an item is
 * known even if the response to its creation was lost; what is below the root of a copy is known by
 * the ids in the response to the copy.
 */
export interface Operation {
  client: number;
  /** The instance that was asked. */
  instance: number;
  command: Command;
  start: number;
  /** Infinity: nobody knows whether it happened; it may still happen at any time. */
  end: number;
  /** null: nobody knows. */
  response: Response | null;
}

/** What is recorded of the workspaces of one team. */
export interface History {
  /** Their trees before the first operation. */
  initial: Tree;
  operations: Operation[];
}
