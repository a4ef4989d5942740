import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { recordStatement } from '../../audit/audit-entries.repository.js';
import { type Author, onItem } from '../../audit/audit-entry.js';
import type { Rows, Statement } from '../../database/pipelined-transaction.js';
import { notInTrash } from '../errors.js';
import type { Item } from '../items/collection.js';
import { etagOf } from '../items/etag.js';
import { type ItemRow, toItem } from '../items/item-row.js';
import type { RunStatements } from './slice.repository.js';
import * as sql from './trash-statements.js';
import type { CommandResult } from './tree-rules.js';
import type { Restored, Slice } from './tree-slice.js';

/** The tree writer's way back from the trash. */
@Injectable()
export class RestorationsRepository {
  /**
   * Moves the rows of a deletion back into the tree and logs them; every one has a new version.
   * Counting them is the caller's.
   * @param rebalancing what makes room for it
   * @returns the item and its direct children, without their content, as they are now; of more than
   *   MAX_CHILDREN, the first ones, one more than that
   * @throws DomainError not_found: it was restored or purged meanwhile
   */
  async restore(
    run: RunStatements,
    { teamId, workspaceId, now, treeStamp }: Slice,
    rebalancing: readonly Statement[],
    { deletion, parentId, position }: Restored,
  ): Promise<CommandResult> {
    const key = [teamId, workspaceId, deletion.id];
    const answers = await run([
      [sql.LOCK_DELETION, [...key, deletion.deletedAt]],
      ...rebalancing,
      [sql.COPY_FROM_TRASH, [...key, parentId, position, now, randomUUID(), deletion.deletedAt]],
      [sql.LOG_RESTORED, [...key, treeStamp]],
      [sql.DELETE_FROM_TRASH, key],
      [sql.SHOWN, key],
    ]);
    if (answers[0]?.length === 0) throw notInTrash();
    return toResult(teamId, answers.at(-1) as Rows);
  }

  /** Records that an item came back. */
  record({ deletion }: Restored, { items }: CommandResult, author: Author): Statement {
    const [item] = items as [Item];
    const { pages, collections } = deletion;
    const about = onItem(item.workspaceId, item);
    const details = { pages, collections };
    return recordStatement(item.teamId, author, [{ action: 'item.restored', ...about, details }]);
  }
}

/** What SHOWN returned, as a result. */
export function toResult(teamId: string, rows: Rows): CommandResult {
  const [item, ...children] = rows.map((row) => toItem(row as ItemRow, teamId));
  if (!item) throw new Error('the item that was written is not there');
  return { items: [item, ...children], etag: etagOf(item, rows[0]?.versions ?? '') };
}
