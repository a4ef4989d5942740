import { Injectable } from '@nestjs/common';
import { manyRows, point } from '@teamspaces/pg-lanes/statements';
import { LRUCache } from 'lru-cache';
import { Database } from '../../database/database.js';
import { notFound } from '../../errors/domain-error.js';
import { yieldToEventLoop } from '../../event-loop.js';
import { listEtagOf } from '../../http/etag.js';
import { bytesOf } from '../../http/json-stream.js';
import { Metrics } from '../../observability/metrics.js';
import type { Item, TreeQuery } from '../items/collection.js';
import { listedItem } from '../items/item-sql.js';
import { assertCollection } from '../writer/tree-rules.js';
import { type ListedItem, treePieces } from './tree-json.js';
import {
  assertPossible,
  type BufferedTree,
  headersOf,
  isWhole,
  type ListRequest,
  parseHead,
  readBuffered,
  smallList,
  streamList,
  type TreeResponse,
  type WorkspaceTree,
} from './tree-lists.js';

/** Bytes of cached trees, all together and each, at most. */
const CACHE = { maxSize: 24 * 1024 * 1024, maxEntrySize: 8 * 1024 * 1024 };

/** Characters of JSON that are held in memory; a larger tree is streamed. */
const MAX_BUFFERED = CACHE.maxEntrySize;

/** Bytes that an entry takes beside its JSON. */
const ENTRY = 300;

/** Rows processed before other callers get a turn. */
const AT_ONCE = 1000;

/** Trees that are known to be large: so many, for a minute each, since they may shrink. */
const LARGE_ONES = { max: 1000, ttl: 60_000 };

/**
 * Reads trees, one statement each. Whole trees are cached as bytes under their stamp, which the caller has
 * read for this very request: a changed tree has another one. Rights are not cached.
 * A tree of more than 8 MiB is not held at all: it is read again in a snapshot, as fast as its caller
 * takes it.
 */
@Injectable()
export class TreeRepository {
  private readonly cache = new LRUCache<string, { treeStamp: string; json: Buffer }>({
    ...CACHE,
    sizeCalculation: ({ json }) => json.length + ENTRY,
  });
  /** Whole trees that were too large to be held when they were read last: not tried again. */
  private readonly large = new LRUCache<string, true>(LARGE_ONES);
  /** Trees that are being read: callers that ask for the same stamp share the response. */
  private readonly reading = new Map<string, Promise<TreeResponse | null>>();

  constructor(
    private readonly database: Database,
    metrics: Metrics,
  ) {
    metrics.gauge('teamspaces_cache_bytes', 'Bytes that are remembered.', 'cache', () => [
      ['trees', this.cache.calculatedSize],
    ]);
  }

  /**
   * Reads a tree, or a part of it, in order.
   * @throws DomainError not_found: no such parent; unprocessable_entity: the parent is a page;
   *   bad_request: a cursor that is of another list, or was given out before a rebalancing;
   *   rate_limit_exceeded: too many large responses to this caller are in progress
   */
  async read(callerId: string, workspace: WorkspaceTree, query: TreeQuery): Promise<TreeResponse> {
    const request = { callerId, workspace, query };
    if (isWhole(query)) return this.readWhole(request);
    assertPossible(request);
    return (
      smallList(request) ??
      (await readBuffered(this.database, request, MAX_BUFFERED)) ??
      streamList(this.database, request)
    );
  }

  /** @throws DomainError as read(), where there is no such list at all */
  async assertExists(callerId: string, workspace: WorkspaceTree, query: TreeQuery): Promise<void> {
    assertPossible({ callerId, workspace, query });
    if (query.parentId === null) return;
    const values = [workspace.teamId, workspace.id, query.parentId];
    const [row] = await this.database.query<Pick<Item, 'object'>>(OBJECT_OF, values);
    if (!row) throw notFound('parent');
    assertCollection(row, 'parent');
  }

  private async readWhole(request: ListRequest): Promise<TreeResponse> {
    const { workspace, query } = request;
    const { treeStamp } = workspace;
    const key = `${workspace.id}${query.withContent}`;
    const known = this.cache.get(key);
    if (known?.treeStamp === treeStamp) {
      return { body: known.json, etag: listEtagOf(treeStamp, query), next: null };
    }
    if (this.large.has(key)) return streamList(this.database, request);
    const shared = `${key}${treeStamp}`;
    let reading = this.reading.get(shared);
    if (!reading) {
      reading = this.loadWhole(request, key).finally(() => this.reading.delete(shared));
      this.reading.set(shared, reading);
    }
    const response = await reading;
    if (response) return response;
    this.large.set(key, true);
    return streamList(this.database, request);
  }

  /** @returns null where it is too large to be held */
  private async loadWhole(request: ListRequest, key: string): Promise<TreeResponse | null> {
    const response = request.query.withContent
      ? await readBuffered(this.database, request, MAX_BUFFERED)
      : await this.loadPlain(request);
    if (response) {
      const { treeStamp, body: json } = response;
      this.cache.set(key, { treeStamp, json });
    }
    return response;
  }

  private async loadPlain(request: ListRequest): Promise<BufferedTree | null> {
    const { callerId, workspace } = request;
    const { id, teamId } = workspace;
    const items: ListedItem[] = [];
    let characters = 0;
    const by = { callerId, teamId };
    for await (const rows of this.database.large.portions<ListedItem>([WHOLE, [teamId, id]], by)) {
      items.push(...rows);
      for (const { json } of rows) characters += json.length;
      if (characters > MAX_BUFFERED) return null;
    }
    const head = items.shift();
    if (!head) throw notFound('workspace');
    const body = await bytesOf(treePieces(await byParent(items), null));
    return { body, ...headersOf(request, parseHead(head.json, request.query), null) };
  }
}

/** Rows by parent, in their order, with other callers in between. */
async function byParent(rows: readonly ListedItem[]): Promise<Map<string | null, ListedItem[]>> {
  const childrenOf = new Map<string | null, ListedItem[]>();
  for (const [n, row] of rows.entries()) {
    if (n % AT_ONCE === AT_ONCE - 1) await yieldToEventLoop();
    const siblings = childrenOf.get(row.parentId);
    if (siblings) siblings.push(row);
    else childrenOf.set(row.parentId, [row]);
  }
  return childrenOf;
}

/** Returns what an item is. */
const OBJECT_OF = point(1, {
  name: 'tree.objectOf',
  text: `
    SELECT object FROM collections
    WHERE team_id = $1 AND id = $3 AND workspace_id IS NOT DISTINCT FROM $2`,
});

/**
 * A whole tree without content, in the order of positions. The first row, whose position is '', is no
 * item: it says what the others were read under, at the same moment.
 */
const WHOLE = manyRows({
  name: 'tree.whole',
  text: `
    SELECT collection, "parentId", json FROM (
      SELECT NULL::uuid AS collection, NULL::uuid AS "parentId",
        tree_stamp || ' ' || rebalances || ' collection' AS json, '' COLLATE "C" AS position
      FROM workspaces WHERE team_id = $1 AND id = $2
      UNION ALL
      SELECT ${listedItem(false)}, c.position
      FROM collections c WHERE team_id = $1 AND workspace_id = $2
    ) AS rows ORDER BY position`,
});
