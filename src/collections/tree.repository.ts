import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { Database, type PreparedStatement } from '../database/database.js';
import { isUuid } from '../database/ids.js';
import { badRequest, notFound } from '../errors/domain-error.js';
import { answerOf } from '../http/json-stream.js';
import { Metrics } from '../observability/metrics.js';
import type { Cursor, Item, TreeQuery } from './collection.js';
import { listEtagOf } from './etag.js';
import { type ListedItem, treePieces } from './tree-json.js';
import { OBJECT_OF, PARTS, WHOLE, WHOLE_WITH_CONTENT } from './tree-statements.js';
import { assertCollection } from './writer/tree-rules.js';

/** A part of a tree as JSON. */
export interface TreeAnswer {
  /** null: the caller has it. */
  body: string | Buffer | Readable | null;
  etag: string;
  /** Where the top level goes on, or null at its end. */
  next: Cursor | null;
}

/** A row of the answer. The first one is no item: it says what the others were read under. */
interface TreeRow extends ListedItem {
  /** Among its siblings; of a part only. */
  position?: string;
  /** Levels below the parent, from 1; of a part only. */
  level?: number;
  /** 1, 2, … at the answer's top level, 0 below; of a part only. */
  rank?: number;
}

interface Found {
  treeStamp: string;
  rebalances: number;
  items: TreeRow[];
}

type WorkspaceTree = { id: string; teamId: string; treeStamp: string };

/** Bytes that remembered trees take, all together and each, at most. */
const REMEMBERED = { maxSize: 24 * 1024 * 1024, maxEntrySize: 8 * 1024 * 1024 };

/** Bytes that an entry takes beside its JSON. */
const ENTRY = 300;

/** Rows looked at before other callers get a turn. */
const AT_ONCE = 1000;

/** Stands for no bound where a statement takes a number. */
const ALL = 2_000_000_000;

/**
 * Reads trees, one statement each. Whole trees are remembered as bytes under their stamp, which the
 * caller has read for this very request: a changed tree has another one. Rights are not remembered.
 */
@Injectable()
export class TreeRepository {
  private readonly remembered = new LRUCache<string, { treeStamp: string; json: Buffer }>({
    ...REMEMBERED,
    sizeCalculation: ({ json }) => json.length + ENTRY,
  });
  /** Trees that are being read: callers that ask for the same stamp share the answer. */
  private readonly reading = new Map<string, Promise<TreeAnswer>>();

  constructor(
    private readonly database: Database,
    metrics: Metrics,
  ) {
    metrics.gauge('teamspaces_cache_bytes', 'Bytes that are remembered.', 'cache', () => [
      ['trees', this.remembered.calculatedSize],
    ]);
  }

  /**
   * Reads a tree, or a part of it, in order.
   * @throws DomainError not_found: no such parent; unprocessable_entity: the parent is a page;
   *   bad_request: a cursor that is of another list, or was given out before a rebalancing
   */
  read(workspace: WorkspaceTree, query: TreeQuery): Promise<TreeAnswer> {
    const { parentId, depth, limit, cursor } = query;
    const isWhole = parentId === null && [depth, limit, cursor].every((part) => part === undefined);
    return isWhole ? this.readWhole(workspace, query) : this.readPart(workspace, query);
  }

  private async readWhole(workspace: WorkspaceTree, query: TreeQuery): Promise<TreeAnswer> {
    const key = `${workspace.id}${query.withContent}`;
    const known = this.remembered.get(key);
    if (known?.treeStamp === workspace.treeStamp) {
      return { body: known.json, etag: listEtagOf(known.treeStamp, query), next: null };
    }
    const shared = `${key}${workspace.treeStamp}`;
    const reading = this.reading.get(shared);
    if (reading) {
      const answer = await reading;
      if (Buffer.isBuffer(answer.body)) return answer;
      // A tree too large to be remembered is streamed to one caller only.
      return this.loadWhole(workspace, query, key);
    }
    const mine = this.loadWhole(workspace, query, key).finally(() => this.reading.delete(shared));
    this.reading.set(shared, mine);
    return mine;
  }

  private async loadWhole(
    { id, teamId }: WorkspaceTree,
    query: TreeQuery,
    key: string,
  ): Promise<TreeAnswer> {
    const statement = query.withContent ? WHOLE_WITH_CONTENT : WHOLE;
    const { treeStamp, items } = await this.rows(statement, [teamId, id]);
    const { childrenOf, characters } = await byParent(items);
    const answer = { etag: listEtagOf(treeStamp, query), next: null };
    const pieces = treePieces(childrenOf, null, () => false);
    if (characters > REMEMBERED.maxEntrySize) return { ...answer, body: answerOf(pieces) };
    const json = await toBuffer(pieces);
    this.remembered.set(key, { treeStamp, json });
    return { ...answer, body: json };
  }

  private async readPart({ id, teamId }: WorkspaceTree, query: TreeQuery): Promise<TreeAnswer> {
    const { depth = ALL, limit = ALL, cursor, parentId, withContent } = query;
    const list = listOf(id, parentId);
    if (cursor && cursor.list !== list) {
      throw badRequest('cursor must be one that a Link header of this very list gave');
    }
    if (parentId !== null) await this.assertCollection(teamId, id, parentId);
    const values: unknown[] = [teamId, id, cursor?.position ?? null, limit, depth];
    if (parentId !== null) values.push(parentId);
    const statement = PARTS[parentId === null ? 'top' : 'below'][withContent ? 'content' : 'plain'];
    const { treeStamp, rebalances, items } = await this.rows(statement, values);
    if (cursor && cursor.rebalances !== rebalances) {
      throw badRequest('cursor has expired, since the list was rearranged: start again without it');
    }
    const shown = items.filter(({ rank = 0 }) => rank <= limit);
    const last = shown.findLast(({ rank = 0 }) => rank > 0);
    const goesOn = shown.length < items.length && last !== undefined;
    const { childrenOf } = await byParent(shown);
    return {
      body: answerOf(treePieces(childrenOf, parentId, ({ level = 0 }) => level >= depth)),
      etag: listEtagOf(treeStamp, query),
      next: goesOn ? { list, position: last.position ?? '', rebalances } : null,
    };
  }

  private async rows(statement: PreparedStatement, values: unknown[]): Promise<Found> {
    const [head, ...items] = await this.database.query<TreeRow>(statement, values);
    if (!head) throw notFound('workspace');
    const [treeStamp = '', rebalances = ''] = head.json.split(' ');
    return { treeStamp, rebalances: Number(rebalances), items };
  }

  private async assertCollection(teamId: string, workspaceId: string, id: string): Promise<void> {
    const [row] = isUuid(id)
      ? await this.database.query<Pick<Item, 'object'>>(OBJECT_OF, [teamId, workspaceId, id])
      : [];
    if (!row) throw notFound('parent');
    assertCollection(row, 'parent');
  }
}

/** Eight characters that tell a list from others. */
const listOf = (workspaceId: string, parentId: string | null): string =>
  createHash('sha256')
    .update(`${workspaceId}:${parentId ?? ''}`)
    .digest('base64url')
    .slice(0, 8);

/** Rows by parent, in their order, with other callers in between; and how much JSON they are. */
async function byParent(rows: readonly TreeRow[]) {
  const childrenOf = new Map<string | null, TreeRow[]>();
  let characters = 0;
  for (const [n, row] of rows.entries()) {
    if (n % AT_ONCE === AT_ONCE - 1) await nextTurn();
    characters += row.json.length;
    const siblings = childrenOf.get(row.parent_id);
    if (siblings) siblings.push(row);
    else childrenOf.set(row.parent_id, [row]);
  }
  return { childrenOf, characters };
}

async function toBuffer(pieces: Iterable<string>): Promise<Buffer> {
  let text = '';
  let count = 0;
  for (const piece of pieces) {
    text += piece;
    if (++count % AT_ONCE === 0) await nextTurn();
  }
  // In one go: chunks and their copy would be three times the memory, which malloc keeps.
  return Buffer.from(text);
}
