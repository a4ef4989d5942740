import type { Author } from '../../audit/audit-entry.js';
import type { Statement } from '../../database/pipelined-transaction.js';
import type { WorkspaceIds } from '../items/collection.js';
import type { ReadSet } from './read-set.js';
import type { RunStatements } from './slice.repository.js';
import type { CommandResult } from './tree-rules.js';
import type { ItemCounts, Slice } from './tree-slice.js';

/**
 * A command on a whole subtree: subtrees/ has them. It is alone in its batch, and reads and writes in its
 * transaction what a slice and its rows do not hold.
 */
export interface SubtreeCommand {
  kind: 'subtree';
  /** Of a copy or transfer: the workspace that the item comes from; null: the one that it goes to. */
  source?: { workspaceId: string | null; isChanged: boolean };
  /** Is run again, from the start, if the transaction is retried. @throws DomainError */
  write(tree: LockedTree): Promise<SubtreeWrite>;
}

/** The tree of a workspace in the transaction of one subtree command. */
export interface LockedTree extends WorkspaceIds {
  author: Author;
  /** Sends statements in one message of the transaction. */
  run: RunStatements;
  /**
   * Locks the tree for a change and reads a slice of it, in one message.
   * @throws AlreadySucceeded: under the command's idempotency key; DomainError not_found: the workspace
   */
  load(readSet: ReadSet): Promise<Slice>;
  /** Charges the caller for the items of a subtree; once, also if the transaction is retried. */
  charge(items: ItemCounts): void;
}

/** What a subtree command has done. */
export interface SubtreeWrite {
  result: CommandResult;
  /** What leaves with COMMIT. */
  statements: Statement[];
  /** What the team has more now, or less; absent: as many as before. */
  counts?: ItemCounts;
}
