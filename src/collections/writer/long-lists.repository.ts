import { Injectable } from '@nestjs/common';
import type { Command } from '../collection.js';
import { movedBy, placesOf } from './command-needs.js';
import type { LongList, Run } from './long-list.js';
import { END } from './positions.js';
import type { MissingSiblings, Siblings } from './sibling-order.js';
import { type Ask, UNREAD } from './slice.repository.js';
import * as sql from './slice-statements.js';
import type { Slice } from './tree-slice.js';

/** The tree writer's reads of lists that are too long for a slice. */
@Injectable()
export class LongListsRepository {
  /**
   * Reads of lists that are too long to be read whole what commands want to know; nothing where they
   * move so many items that each of them is better carried out alone.
   */
  async loadRuns(ask: Ask, slice: Slice, commands: readonly Command[]): Promise<void> {
    const { teamId, workspaceId, lists, items } = slice;
    // Alone, a command meets no change but that its own item goes.
    const slack = commands.length === 1 ? 1 : movedBy(commands);
    const places = [...placesOf(commands, items)].filter(([id]) => isUnread(lists.get(id)));
    if (places.length === 0 || slack > MOST_MOVED) return;
    const count = 2 * slack + 2;
    const asked = places.map(([parentId, indexes]) => ({
      parentId,
      starts: startsOf(indexes, slack),
    }));
    const answers = await ask(
      asked.map(({ parentId, starts }) => {
        const values = [teamId, workspaceId, starts, count, slack + 1];
        return parentId === null ? [sql.TOP_RUNS, values] : [sql.RUNS, [...values, parentId]];
      }),
    );
    for (const [n, { parentId, starts }] of asked.entries()) {
      const runs = starts.map((start) => ({ start, positions: [] as string[], isLast: true }));
      const long: LongList = { runs, tail: [], removed: [], added: [] };
      for (const { n: run, positions } of answers[n] ?? []) {
        if (run === 0) long.tail = positions.reverse();
        else Object.assign(runs[run - 1] as Run, { positions, isLast: positions.length < count });
      }
      lists.set(parentId, { ...UNREAD, long });
    }
  }

  /** Reads what a single command misses of a long list. */
  async loadMissing(
    ask: Ask,
    slice: Slice,
    missing: MissingSiblings,
    command: Command,
  ): Promise<void> {
    const { teamId, workspaceId } = slice;
    const { parentId, needs } = missing;
    if (needs === 'heights') {
      const ids = command.kind === 'order' ? command.children : [];
      const [rows = []] = await ask([
        [sql.HEIGHTS, [teamId, workspaceId, movedIn(slice, ids, parentId)]],
      ]);
      for (const { root, height } of rows) slice.heights.set(root, height);
      return;
    }
    if (needs !== 'ids') throw missing;
    const parent = parentId === null ? [] : [parentId];
    const statement = parentId === null ? sql.TOP_IDS : sql.IDS;
    const [rows = []] = await ask([[statement, [teamId, workspaceId, ...parent]]]);
    const positions: string[] = rows.map(({ position }) => position);
    const ids = rows.map(({ id }) => id);
    slice.lists.set(parentId, { ...UNREAD, positions, ids, last: positions.at(-1) ?? null });
  }
}

const isUnread = (list: Siblings | undefined): boolean =>
  list !== undefined && list.positions === null && list.last === undefined;

/** Indexes from which on to read, so that `slack` changes before them do no harm; in order. */
function startsOf(indexes: readonly number[], slack: number): number[] {
  const starts = indexes
    .filter((index) => index !== END)
    .map((index) => Math.min(Math.max(index - slack - 1, 0), FARTHEST));
  return [...new Set(starts)].sort((a, b) => a - b);
}

/** A larger index would not fit the database's integer. */
const FARTHEST = 2_000_000_000;

/** Items that the commands of a batch move, at most, where they concern a long list. */
const MOST_MOVED = 200;

/** The collections among these that come from another parent. */
const movedIn = ({ items }: Slice, ids: readonly string[], parentId: string | null): string[] =>
  ids.filter((id) => {
    const item = items.get(id);
    return item?.object === 'collection' && item.parentId !== parentId;
  });
