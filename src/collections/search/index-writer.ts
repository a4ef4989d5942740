import { Injectable, Logger } from '@nestjs/common';
import { refusesData } from '@teamspaces/pg-lanes/driver-errors';
import type { Statement } from '@teamspaces/pg-lanes/pipelined-transaction';
import { Database, type Transaction } from '../../database/database.js';
import { LAST_ID, NO_ID } from '../../database/identifiers.js';
import { inPortions, yieldToEventLoop } from '../../event-loop.js';
import { JOBS } from '../../jobs/jobs.js';
import { Metrics } from '../../observability/metrics.js';
import type { WorkspaceKey } from '../../workspaces/workspace.js';
import { INDEX_PORTION, MAX_ADDED_ROWS } from '../limits.js';
import { addedLexeme, lexemesOf, prefixOf } from './lexemes.js';
import {
  addWords,
  claimPosition,
  deleteWords,
  deleteWordsBetween,
  endOf,
  type IndexedPage,
  type IndexPlace,
  type IndexPosition,
  type IndexState,
  insertPosition,
  insertWords,
  isEnd,
  type LoggedChange,
  type LogPlace,
  movePosition,
  type ReadPage,
  readItemsAfter,
  readLog,
  readPages,
  readState,
  touchWords,
} from './page-index.repository.js';

/** Rows of the log, or items, that a portion looks at. */
const ROWS = 200;

/** What is left of a workspace after a portion of it. */
export interface IndexProgress {
  /** Where its log is read on, if that is after its position. */
  cursor: LogPlace | null;
  /** When the first change was made that the index does not have, in milliseconds. */
  since: number;
  /** Nothing can be done now: a page was indexed a moment ago, and has its next turn in a few seconds. */
  mustWait: boolean;
}

/** What a portion reads and writes. */
interface Portion {
  /** Pages whose words are written. */
  ids: readonly string[];
  /** Whether the index may keep earlier words of these pages, and gets those that it does not have. */
  keepsWords: boolean;
  /** Removes words of what the workspace has no more. */
  removal: Statement | null;
  /** The version of the tree in which, or after which, the pages are read. */
  treeVersion: number;
  to: IndexPlace;
}

/** What is written of a page: statements of bounded size, made one after the other. */
interface PageWrite {
  page: IndexedPage;
  statements: readonly (() => Statement)[];
}

/**
 * Writes the index of words, one portion of a workspace at a time. What holds at any time: of all changes up to the
 * position of a workspace, the index has every word that the changed pages have. It may have more: words that a page
 * had, pages that are gone. So what it finds is a candidate for a search, which verifies it, and which looks by itself at
 * the pages that have changed after the position.
 *
 * A portion reads without a lock, computes, and then writes in one transaction, if the position is still where it was
 * read. What it has read may be newer than the change that it was read for, never older.
 */
@Injectable()
export class IndexWriter {
  private readonly logger = new Logger(JOBS.pageIndexer.log);
  private readonly setAside;

  constructor(
    private readonly database: Database,
    metrics: Metrics,
  ) {
    this.setAside = metrics.counter(
      'teamspaces_search_pages_set_aside_total',
      'Pages whose words this instance could not write to the index of search in pages.',
    );
  }

  /**
   * @param cursor where to read the log on, if that is after the position
   * @returns null: the index of the workspace has everything, or the workspace is gone
   */
  async writePortion(
    workspace: WorkspaceKey,
    cursor: LogPlace | null,
  ): Promise<Partial<IndexProgress> | null> {
    const state = await readState(this.database, workspace);
    if (state === null) return null;
    const { position } = state;
    if (position === null) {
      await insertPosition(this.database, workspace, beginningOf(state));
      return {};
    }
    if (position.loadedId === null) return this.follow(workspace, state, position, cursor);
    return this.load(workspace, state, position, position.loadedId);
  }

  /** Writes the words of a page again, if the index has them: none of what the page said before is left in it. */
  async rewritePage(workspace: WorkspaceKey, id: string): Promise<void> {
    const state = await readState(this.database, workspace);
    if (!state?.position) return;
    const { treeVersion } = state;
    await this.database.transaction(
      async (tx) => {
        await tx.run([claimPosition(workspace)]);
        const [page] = await readPages(tx, workspace, [id]);
        if (!page) return;
        await tx.run([deleteWords(workspace, [id])]);
        const { statements } = await this.prepare(workspace, { ...page, rows: null }, treeVersion);
        await sendInTurns(tx, statements);
      },
      { teamId: workspace.teamId },
    );
  }

  /**
   * Writes the next pages of a load: the first one, one after a gap in the log, or a rebuild, which the operator has asked
   * for (teamspaces search rebuild). What the index has between two items is replaced.
   */
  private async load(
    workspace: WorkspaceKey,
    { treeVersion }: IndexState,
    position: IndexPosition,
    after: string,
  ): Promise<Partial<IndexProgress>> {
    const found = await readItemsAfter(this.database, workspace, after, ROWS);
    const count = countWithin(found);
    const ids = found.slice(0, count).flatMap(({ id, size }) => (size === null ? [] : [id]));
    const isLast = count === found.length && count < ROWS;
    const loadedId = isLast ? null : (found[count - 1]?.id ?? null);
    await this.write(workspace, position, {
      ...{ ids, treeVersion, keepsWords: false },
      removal: deleteWordsBetween(workspace, after, loadedId ?? LAST_ID),
      to: { ...position, loadedId },
    });
    return { since: position.since.getTime() };
  }

  /** Writes the pages of the next changes. */
  private async follow(
    workspace: WorkspaceKey,
    state: IndexState,
    position: IndexPosition,
    cursor: LogPlace | null,
  ): Promise<Partial<IndexProgress> | null> {
    const found = await readLog(this.database, workspace, cursor ?? position, ROWS + 1);
    if (cursor === null && hasGap(position, state.treeVersion, found[0])) {
      await this.restart(workspace, state, position);
      return {};
    }
    const { ids, gone, count, heldAt } = choose(found);
    const last = found[count - 1];
    if (last === undefined) return cursor === null ? null : { cursor: null, mustWait: true };
    const reached = placeAfter(found, count);
    const stays = cursor !== null || heldAt === 0;
    await this.write(workspace, position, {
      ...{ ids, treeVersion: Math.max(state.treeVersion, last.version), keepsWords: true },
      removal: gone.length > 0 ? deleteWords(workspace, gone) : null,
      // A page that has to wait holds the position. Those after it are indexed all the same.
      to: stays ? position : { ...placeAfter(found, heldAt ?? count), loadedId: null },
    });
    const isHeld = cursor !== null || heldAt !== null;
    const next = found[heldAt ?? count];
    const since = cursor === null && next ? { since: next.createdAt.getTime() } : {};
    if (count < found.length) return { cursor: isHeld ? reached : null, ...since };
    return isHeld ? { cursor: null, mustWait: true, ...since } : null;
  }

  /** The log does not have all changes since the position: what the workspace has is loaded again. */
  private async restart(
    workspace: WorkspaceKey,
    { treeVersion, now: since }: IndexState,
    position: IndexPosition,
  ): Promise<void> {
    await this.commit(workspace, position, { ...loadAt(treeVersion), since }, []);
  }

  private async write(
    workspace: WorkspaceKey,
    from: IndexPosition,
    { ids, keepsWords, removal, treeVersion, to }: Portion,
  ): Promise<void> {
    const pages = ids.length > 0 ? await readPages(this.database, workspace, ids) : [];
    const writes: PageWrite[] = [];
    for (const page of pages) {
      const read = keepsWords ? page : { ...page, rows: null };
      writes.push(await this.prepare(workspace, read, treeVersion));
    }
    try {
      await this.commit(workspace, from, to, writes, removal);
    } catch (error) {
      if (!refusesData(error)) throw error;
      let at = await this.commit(workspace, from, from, [], removal);
      for (const write of writes) at &&= await this.commitAlone(workspace, at, write);
      if (at) await this.commit(workspace, at, to, []);
    }
  }

  /** A page that the index cannot take holds up no other one. */
  private async commitAlone(
    workspace: WorkspaceKey,
    from: IndexPosition,
    write: PageWrite,
  ): Promise<IndexPosition | null> {
    try {
      return await this.commit(workspace, from, from, [write]);
    } catch (error) {
      if (!refusesData(error)) throw error;
      const instead = this.settingAside(workspace, write.page, error);
      return this.commit(workspace, from, from, [instead]);
    }
  }

  private async prepare(
    workspace: WorkspaceKey,
    read: ReadPage,
    treeVersion: number,
  ): Promise<PageWrite> {
    const { id, changedAt, content } = read;
    const bytes = Buffer.byteLength(content);
    const page = { id, treeVersion, changedAt, bytes, isSetAside: false };
    try {
      return { page, statements: await writesOf(workspace, page, read) };
    } catch (error) {
      return this.settingAside(workspace, page, error);
    }
  }

  private settingAside(workspace: WorkspaceKey, page: IndexedPage, error: unknown): PageWrite {
    this.setAside.inc();
    this.logger.warn(`page ${page.id} cannot be searched: ${(error as Error).message}`);
    const aside = { ...page, isSetAside: true };
    return { page: aside, statements: rewrite(workspace, aside, [[]]) };
  }

  /** Writes, if the position is still where it was read. @returns where it is then; null: it was not */
  private async commit(
    workspace: WorkspaceKey,
    from: IndexPosition,
    to: IndexPlace,
    writes: readonly PageWrite[],
    removal: Statement | null = null,
  ): Promise<IndexPosition | null> {
    return this.database.transaction(
      async (tx) => {
        const moved = await movePosition(tx, workspace, from, to);
        if (moved === null) return null;
        if (removal !== null) await tx.run([removal]);
        for (const { statements } of writes) await sendInTurns(tx, statements);
        return moved;
      },
      { purpose: 'pageIndexer' },
    );
  }
}

/** One has up to half a megabyte: others run in between. */
async function sendInTurns(tx: Transaction, statements: PageWrite['statements']): Promise<void> {
  for (const statement of statements) {
    await tx.run([statement()]);
    await yieldToEventLoop();
  }
}

async function writesOf(
  workspace: WorkspaceKey,
  page: IndexedPage,
  read: ReadPage,
): Promise<PageWrite['statements']> {
  const rows = await inPortions(lexemesOf(workspace.id, read));
  if (read.rows === null) return insertions(workspace, page, rows);
  if (mustRewrite(read, rows)) return rewrite(workspace, page, rows);
  const added = addedLexeme(prefixOf(workspace.id));
  const first = read.rows;
  return [
    () => touchWords(workspace, page),
    ...rows.map((lexemes, n) => () => addWords(workspace, page, first + n, lexemes, added)),
  ];
}

/** True if most words of the index are not the page's any more, or its rows have become too many. */
function mustRewrite({ rows, words, isSetAside }: ReadPage, now: readonly string[][]): boolean {
  const count = now.reduce((sum, { length }) => sum + length, 0);
  return (
    isSetAside === true ||
    Number(rows) > now.length + MAX_ADDED_ROWS ||
    Number(words) > 2 * count + FEW_WORDS
  );
}

/** Words that may be left of an earlier content in any case. */
const FEW_WORDS = 100;

function rewrite(
  workspace: WorkspaceKey,
  page: IndexedPage,
  rows: readonly string[][],
): (() => Statement)[] {
  return [() => deleteWords(workspace, [page.id]), ...insertions(workspace, page, rows)];
}

/** Of a page that has no rows. */
function insertions(
  workspace: WorkspaceKey,
  page: IndexedPage,
  rows: readonly string[][],
): (() => Statement)[] {
  const added = addedLexeme(prefixOf(workspace.id));
  return rows.map((lexemes, n) => () => {
    const row = n === 0 ? lexemes : [...lexemes, added];
    return insertWords(workspace, page, n, row);
  });
}

/** The log of a new workspace has everything; of an older one, what is there is loaded first. */
const beginningOf = ({ treeVersion, firstVersion }: IndexState): IndexPlace =>
  firstVersion === 1 ? { ...endOf(0), loadedId: null } : loadAt(treeVersion);

const loadAt = (treeVersion: number): IndexPlace => ({ ...endOf(treeVersion), loadedId: NO_ID });

/** True if the log has lost changes after the position: they were purged. */
function hasGap(position: LogPlace, treeVersion: number, first: LoggedChange | undefined): boolean {
  const rest = isEnd(position) ? position.version + 1 : position.version;
  if (first === undefined) return treeVersion >= rest;
  return first.version > rest;
}

/** How many items a portion takes, so that its pages have no more bytes than allowed, or are one. */
function countWithin(found: readonly { size: number | null }[]): number {
  let bytes = 0;
  let count = 0;
  for (const { size } of found) {
    if (bytes >= INDEX_PORTION) break;
    bytes += size ?? 0;
    count++;
  }
  return count;
}

/** What is done for the first changes of a log; `count` of them. */
function choose(found: readonly LoggedChange[]) {
  const ids = new Set<string>();
  const gone = new Set<string>();
  let bytes = 0;
  let count = 0;
  /** The first one whose page has to wait. */
  let heldAt: number | null = null;
  for (const { version, id, size, indexedVersion, isFresh } of found.slice(0, ROWS)) {
    if (bytes >= INDEX_PORTION) break;
    const isIndexed = indexedVersion !== null;
    if (size === null) {
      if (isIndexed) gone.add(id);
    } else if (!ids.has(id) && !(isIndexed && indexedVersion >= version)) {
      if (isFresh) heldAt ??= count;
      else {
        ids.add(id);
        bytes += size;
      }
    }
    count++;
  }
  return { ids: [...ids], gone: [...gone], count, heldAt };
}

/** The place after the first `count` of these changes, at least one. */
function placeAfter(found: readonly LoggedChange[], count: number): LogPlace {
  const last = found[count - 1] as LoggedChange;
  const { version, id } = last;
  return found[count]?.version === version ? { version, id } : endOf(version);
}
