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

/** What a client asked for; rules.ts has a function for each kind. */
export type Command =
  | ({ kind: 'create'; parent: string | null; index?: number; items: NewItem[] } & Keyed)
  | ({
      kind: 'move';
      id: string;
      index: number;
      newParent?: string | null;
      parent?: string | null;
      ifMatch?: string;
    } & Keyed)
  | {
      kind: 'update';
      id: string;
      name?: string;
      content?: string;
      parent?: string | null;
      ifMatch?: string;
    }
  /** Adds a member to a page's content. */
  | { kind: 'patch'; id: string; member: string; ifMatch?: string }
  | { kind: 'order'; parent: string | null; children: string[]; ifMatch?: string }
  | { kind: 'delete'; id: string; ifMatch?: string }
  | ({ kind: 'restore'; id: string; parent: string | null; index: number } & Keyed)
  | { kind: 'deleteWorkspace' }
  | { kind: 'restoreWorkspace' }
  | { kind: 'list'; parent?: string; withContent: boolean; ifNoneMatch?: string }
  | { kind: 'read'; id: string; withAncestors?: boolean; ifNoneMatch?: string }
  /** The children in the response to an update, which are read after its commit. */
  | { kind: 'children'; id: string };

/** An item in a response. */
export interface Shown {
  id: string;
  name: string;
  object: string;
  /** Of a single item only; undefined also where nobody knows the key of that id. */
  parent?: string | null | undefined;
  content?: string | undefined;
  children?: Shown[] | undefined;
  /** From the top level down. */
  ancestors?: Shown[] | undefined;
}

/** The response to a client. */
export interface Response {
  status: number;
  /** What a 200 showed, if anything. */
  shown?: Shown[] | undefined;
  etag?: string | undefined;
}

/**
 * A command and its response, between two moments of one clock. Items are named by their keys, the
 * slugs: an item gets its slug from its first name, which no other item of a history has, and keeps it.
 * So an item is known even if the response to its creation was lost.
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

/** What is recorded of one workspace. */
export interface History {
  /** The tree before the first operation. */
  initial: Tree;
  operations: Operation[];
}
