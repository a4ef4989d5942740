import { Injectable } from '@nestjs/common';
import type { Command } from '../items/collection.js';
import { longListOf, runsFor, SINGLE_COMMAND_SLACK } from './long-list.js';
import { indexesByParent, movedBy } from './read-set.js';
import type { IncompleteSlice, Siblings } from './sibling-order.js';
import { NOT_LOADED, type RunStatements } from './slice.repository.js';
import * as sql from './slice-statements.js';
import type { Slice } from './tree-slice.js';

/** The tree writer's reads of lists that are too long for a slice. */
@Injectable()
export class LongListsRepository {
  /**
   * Reads of lists that are too long to be read whole what commands want to know; nothing where they
   * move so many items that each of them is better carried out alone.
   */
  async loadRuns(run: RunStatements, slice: Slice, commands: readonly Command[]): Promise<void> {
    const { teamId, workspaceId, lists, items } = slice;
    const slack = commands.length === 1 ? SINGLE_COMMAND_SLACK : movedBy(commands);
    const places = [...indexesByParent(commands, items)].filter(([id]) =>
      isNotLoaded(lists.get(id)),
    );
    if (places.length === 0 || slack > MAX_MOVED_IN_LIST) return;
    const asked = places.map(([parentId, indexes]) => ({
      parentId,
      wanted: runsFor(indexes, slack),
    }));
    const answers = await run(
      asked.map(({ parentId, wanted: { starts, length, tail } }) => [
        sql.RUNS,
        [teamId, parentId ?? workspaceId, starts, length, tail],
      ]),
    );
    for (const [n, { parentId, wanted }] of asked.entries()) {
      const rows = (answers[n] ?? []) as { n: number; positions: string[] }[];
      const [backwards = [], ...runs] = rows
        .toSorted((a, b) => a.n - b.n)
        .map(({ positions }) => positions);
      lists.set(parentId, { ...NOT_LOADED, long: longListOf(wanted, runs, backwards) });
    }
  }

  /** Reads what a single command misses of a long list. */
  async loadMissing(
    run: RunStatements,
    slice: Slice,
    incomplete: IncompleteSlice,
    command: Command,
  ): Promise<void> {
    const { teamId, workspaceId } = slice;
    const { parentId, lacks } = incomplete;
    if (lacks === 'heights') {
      const ids = command.kind === 'order' ? command.children : [];
      const [rows = []] = await run([
        [sql.HEIGHTS, [teamId, workspaceId, movedIn(slice, ids, parentId)]],
      ]);
      for (const { root, height } of rows) slice.heights.set(root, height);
      return;
    }
    if (lacks !== 'ids') throw incomplete;
    const [rows = []] = await run([[sql.IDS, [teamId, parentId ?? workspaceId]]]);
    const positions: string[] = rows.map(({ position }) => position);
    const ids = rows.map(({ id }) => id);
    slice.lists.set(parentId, { ...NOT_LOADED, positions, ids, last: positions.at(-1) ?? null });
  }
}

const isNotLoaded = (list: Siblings | undefined): boolean =>
  list !== undefined && list.positions === null && list.last === undefined && list.long === null;

/** Items that the commands of a batch move, at most, where they concern a long list. */
const MAX_MOVED_IN_LIST = 200;

/** The collections among these that come from another parent. */
const movedIn = ({ items }: Slice, ids: readonly string[], parentId: string | null): string[] =>
  ids.filter((id) => {
    const item = items.get(id);
    return item?.object === 'collection' && item.parentId !== parentId;
  });
