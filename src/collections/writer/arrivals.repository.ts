import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { recordStatement } from '../../audit/audit-entries.repository.js';
import { type Author, onItem } from '../../audit/audit-entry.js';
import { newId } from '../../database/ids.js';
import type { Rows, Statement } from '../../database/pipelined-transaction.js';
import { type Arrival, MAX_COPIED, MAX_MOVED, type WorkspaceIds } from '../items/collection.js';
import * as sql from './arrival-statements.js';
import { COUNT_REBALANCE, SUBTREE } from './change-statements.js';
import { ChangesRepository } from './changes.repository.js';
import { sourceReadSet } from './read-set.js';
import { toResult } from './restorations.repository.js';
import {
  lockToChange,
  lockToRead,
  type RunStatements,
  SliceRepository,
} from './slice.repository.js';
import { SHOWN } from './trash-statements.js';
import type { CommandResult } from './tree-rules.js';
import type { Slice, Subtree, SubtreeInsertion } from './tree-slice.js';

type ArrivalCommand = Arrival & { kind: 'copy' | 'transfer' };

/** The tree writer's copies and transfers of subtrees. */
@Injectable()
export class ArrivalsRepository {
  constructor(
    private readonly slices: SliceRepository,
    private readonly changes: ChangesRepository,
  ) {}

  /**
   * Locks the workspace that a subtree comes from, too, and reads the subtree. Two workspaces are locked in
   * the order of their ids, so that transfers in opposite directions do not deadlock.
   * @param loadTarget locks the workspace that the subtree goes to, and reads its slice
   * @returns that slice, with the subtree
   * @throws DomainError not_found: one of the workspaces is gone
   */
  async load(
    run: RunStatements,
    { teamId, workspaceId }: WorkspaceIds,
    command: ArrivalCommand,
    loadTarget: () => Promise<Slice>,
  ): Promise<Slice> {
    const { id, from, kind } = command;
    const ids = { teamId, workspaceId: from ?? workspaceId };
    const lock = (kind === 'copy' ? lockToRead : lockToChange)(ids);
    const loadSource = () => this.slices.load(run, ids, sourceReadSet(command), lock, []);
    let source: Slice | null = null;
    if (from !== null && from < workspaceId) source = await loadSource();
    const slice = await loadTarget();
    if (from !== null && from > workspaceId) source = await loadSource();
    slice.subtree = await readSubtree(run, source ?? slice, id, kind === 'copy');
    return slice;
  }

  /**
   * Copies or transfers the slice's subtree, and logs it on both sides.
   * @param rebalancing what makes room for it
   * @returns the item with its direct children, without their content; of a copy, the id of each copied
   *   item by that of its original; and what is to be counted
   */
  async insert(
    run: RunStatements,
    slice: Slice,
    rebalancing: readonly Statement[],
    { isCopy, named, parentId, position }: SubtreeInsertion,
    author: Author,
  ): Promise<{ result: CommandResult; statements: Statement[] }> {
    const { teamId, workspaceId, now } = slice;
    const { root, ids, parentIds, treeStamp, pages, collections } = slice.subtree as Subtree;
    const place = [teamId, workspaceId, root.id, parentId, position, now, randomUUID(), ids];
    if (!isCopy) {
      const from = { teamId, workspaceId: root.workspaceId, treeStamp };
      const answers = await run([
        ...rebalancing,
        // Positions below it may have been spread anew since it was here before.
        [COUNT_REBALANCE, [teamId, workspaceId]],
        [sql.TRANSFER, place],
        this.changes.log(from, ids),
        this.changes.log(slice, ids),
        [SHOWN, [teamId, workspaceId, root.id]],
      ]);
      const details = { pages, collections };
      const entries = (
        [
          ['out', root.workspaceId],
          ['in', workspaceId],
        ] as const
      ).map(([direction, id]) => ({
        action: 'item.transferred' as const,
        ...onItem(id, root),
        details: { ...details, direction },
      }));
      return {
        result: toResult(teamId, answers.at(-1) as Rows),
        statements: [recordStatement(teamId, author, entries)],
      };
    }
    const copies = new Map([ids].flat().map((id) => [id, newId()]));
    const newIds = [...copies.values()];
    const newParentIds = parentIds.map((id) => copies.get(id ?? '') ?? null);
    const { name = null, slug = null } = named ?? {};
    const answers = await run([
      ...rebalancing,
      [sql.COPY, [...place, newIds, newParentIds, name, slug]],
      this.changes.log(slice, newIds),
      [SHOWN, [teamId, workspaceId, copies.get(root.id)]],
    ]);
    return {
      result: { ...toResult(teamId, answers.at(-1) as Rows), copies },
      statements: [this.changes.count(slice, { pages, collections })],
    };
  }
}

/** @returns null: the item is not there */
async function readSubtree(
  run: RunStatements,
  { teamId, workspaceId, treeStamp, items, childVersions }: Slice,
  id: string,
  isToBeCopied: boolean,
): Promise<Subtree | null> {
  const root = items.get(id);
  if (!root) return null;
  const values = [teamId, workspaceId, id];
  const [[subtree], [beside]] = (await run([
    // One more than may be copied or transferred: it is refused then.
    isToBeCopied
      ? [sql.SUBTREE_WITH_PARENTS, [...values, MAX_COPIED + 1]]
      : [SUBTREE, [...values, MAX_MOVED + 1]],
    [sql.NEXT, values],
  ])) as [[SubtreeRow], [{ next: string | null }]];
  const { parent_ids: parentIds = [], ...size } = subtree;
  const versions = childVersions.get(id) ?? '';
  return { root, treeStamp, childVersions: versions, next: beside.next, parentIds, ...size };
}

type SubtreeRow = Pick<Subtree, 'ids' | 'height' | 'pages' | 'collections'> & {
  parent_ids?: Subtree['parentIds'];
};
