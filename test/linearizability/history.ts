import type { Command, Shown } from '../support/tree-model/command.js';
import type { Tree } from '../support/tree-model/tree.js';

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
