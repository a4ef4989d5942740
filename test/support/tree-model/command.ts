/** A new item. */
export interface NewItem {
  /** What the model calls it; absent: its first name. */
  id?: string;
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

/** Where an item goes; what is absent is as the operation says. */
interface Placed extends OfItem, Keyed {
  parent?: string | null;
  index?: number;
}

/**
 * What a client asked for; rules.ts has a function for each kind. Workspaces are named by their slugs; as
 * the parent, null is the top level, and so is '' of a move or update.
 */
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
  | ({ kind: 'delete'; isPermanent?: boolean; ifMatch?: string } & OfItem)
  /** Without an index the model puts the item last: it does not know where it was among its siblings. */
  | ({ kind: 'restore' } & Placed)
  /** Deletes for good what is in the trash. */
  | { kind: 'purge'; id: string }
  /**
   * `target` absent: the item's own workspace. `ids` says what the model calls the copies, by their
   * originals; without it, the first is called by its new name `c`, the others `c/` and their original.
   */
  | ({
      kind: 'duplicate';
      name?: string;
      target?: string;
      ids?: Record<string, string>;
      ifMatch?: string;
    } & Placed)
  | ({ kind: 'transfer'; target: string; ifMatch?: string } & Placed)
  | { kind: 'deleteWorkspace'; workspace: string }
  | { kind: 'restoreWorkspace'; workspace: string }
  | {
      kind: 'list';
      workspace: string;
      parent?: string;
      depth?: number;
      withContent: boolean;
      ifNoneMatch?: string;
    }
  | ({ kind: 'read'; withAncestors?: boolean; ifNoneMatch?: string } & OfItem)
  /** The children in the response to an update, which are read after its commit. */
  | { kind: 'children'; id: string };

/**
 * A command as a client gives it: it names items by their ids. Children in the response to an update are
 * not asked for.
 */
export type Sent = Exclude<Command, { kind: 'children' }>;

/** An item in a response. */
export interface Shown {
  id: string;
  name: string;
  object: string;
  /** Slug; of an ancestor it is not shown. */
  workspace?: string | undefined;
  /** Of a single item only; undefined also where nobody knows the key of that id. */
  parent?: string | null | undefined;
  content?: string | undefined;
  children?: Shown[] | undefined;
  /** From the top level down. */
  ancestors?: Shown[] | undefined;
}

/** Compares what the response has: some do not show the workspace, the parent or the content. */
export function agree(given: Shown[] | undefined, expected: Shown[] | undefined): boolean {
  if (!given || !expected) return given === expected;
  return (
    given.length === expected.length && given.every((one, n) => same(one, expected[n] as Shown))
  );
}

const same = (given: Shown, expected: Shown): boolean =>
  given.id === expected.id &&
  given.name === expected.name &&
  given.object === expected.object &&
  (given.workspace === undefined || given.workspace === expected.workspace) &&
  (given.parent === undefined || given.parent === expected.parent) &&
  (given.content === undefined || given.content === expected.content) &&
  agree(given.children, expected.children) &&
  agree(given.ancestors, expected.ancestors);
