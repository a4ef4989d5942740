import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { Database } from '../../database/database.js';
import { notFound } from '../../errors/domain-error.js';
import { yieldToEventLoop } from '../../event-loop.js';
import { bytesOf } from '../../http/json-stream.js';
import { Metrics } from '../../observability/metrics.js';
import type { Item, TreeQuery } from '../items/collection.js';
import { listEtagOf } from '../items/etag.js';
import { assertCollection } from '../writer/tree-rules.js';
import { type ListedItem, treePieces } from './tree-json.js';
import { readBuffered, smallList, streamList } from './tree-lists.js';
import {
  assertPossible,
  type BufferedTree,
  headersOf,
  isWhole,
  type ListRequest,
  parseHead,
  type TreeResponse,
  type WorkspaceTree,
} from './tree-response.js';
import { OBJECT_OF, WHOLE } from './tree-statements.js';

/** Bytes that remembered trees take, all together and each, at most. */
const REMEMBERED = { maxSize: 24 * 1024 * 1024, maxEntrySize: 8 * 1024 * 1024 };

/** Characters of JSON that are held; a larger tree is streamed. */
const MAX_BUFFERED = REMEMBERED.maxEntrySize;

/** Bytes that an entry takes beside its JSON. */
const ENTRY = 300;

/** Rows looked at before other callers get a turn. */
const AT_ONCE = 1000;

/** Trees that are known to be large: so many, for a minute each, since they may shrink. */
const LARGE_ONES = { max: 1000, ttl: 60_000 };

/**
 * Reads trees, one statement each. Whole trees are remembered as bytes under their stamp, which the
 * caller has read for this very request: a changed tree has another one. Rights are not remembered.
 * A tree of more than 8 MiB is not held at all: it is read again in a snapshot, as fast as its caller
 * takes it.
 */
@Injectable()
export class TreeRepository {
  private readonly remembered = new LRUCache<string, { treeStamp: string; json: Buffer }>({
    ...REMEMBERED,
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
      ['trees', this.remembered.calculatedSize],
    ]);
  }

  /**
   * Reads a tree, or a part of it, in order.
   * @throws DomainError not_found: no such parent; unprocessable_entity: the parent is a page;
   *   bad_request: a cursor that is of another list, or was given out before a rebalancing;
   *   rate_limit_exceeded: too many large responses to this caller are under way
   */
  async read(callerId: string, workspace: WorkspaceTree, query: TreeQuery): Promise<TreeResponse> {
    const wanted = { callerId, workspace, query };
    if (isWhole(query)) return this.readWhole(wanted);
    assertPossible(wanted);
    return (
      smallList(wanted) ??
      (await readBuffered(this.database, wanted, MAX_BUFFERED)) ??
      streamList(this.database, wanted)
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

  private async readWhole(wanted: ListRequest): Promise<TreeResponse> {
    const { workspace, query } = wanted;
    const { treeStamp } = workspace;
    const key = `${workspace.id}${query.withContent}`;
    const known = this.remembered.get(key);
    if (known?.treeStamp === treeStamp) {
      return { body: known.json, etag: listEtagOf(treeStamp, query), next: null };
    }
    if (this.large.has(key)) return streamList(this.database, wanted);
    const shared = `${key}${treeStamp}`;
    let reading = this.reading.get(shared);
    if (!reading) {
      reading = this.loadWhole(wanted, key).finally(() => this.reading.delete(shared));
      this.reading.set(shared, reading);
    }
    const answer = await reading;
    if (answer) return answer;
    this.large.set(key, true);
    return streamList(this.database, wanted);
  }

  /** @returns null where it is too large to be held */
  private async loadWhole(wanted: ListRequest, key: string): Promise<TreeResponse | null> {
    const answer = wanted.query.withContent
      ? await readBuffered(this.database, wanted, MAX_BUFFERED)
      : await this.loadPlain(wanted);
    if (answer) {
      const { treeStamp, body: json } = answer;
      this.remembered.set(key, { treeStamp, json });
    }
    return answer;
  }

  private async loadPlain(wanted: ListRequest): Promise<BufferedTree | null> {
    const { id, teamId } = wanted.workspace;
    const items: ListedItem[] = [];
    let characters = 0;
    for await (const rows of this.database.large.portions<ListedItem>([WHOLE, [teamId, id]], {
      teamId,
    })) {
      items.push(...rows);
      for (const { json } of rows) characters += json.length;
      if (characters > MAX_BUFFERED) return null;
    }
    const head = items.shift();
    if (!head) throw notFound('workspace');
    const body = await bytesOf(treePieces(await byParent(items), null, () => false));
    return { body, ...headersOf(wanted, parseHead(head.json, wanted.query), null) };
  }
}

/** Rows by parent, in their order, with other callers in between. */
async function byParent(rows: readonly ListedItem[]): Promise<Map<string | null, ListedItem[]>> {
  const childrenOf = new Map<string | null, ListedItem[]>();
  for (const [n, row] of rows.entries()) {
    if (n % AT_ONCE === AT_ONCE - 1) await yieldToEventLoop();
    const siblings = childrenOf.get(row.parent_id);
    if (siblings) siblings.push(row);
    else childrenOf.set(row.parent_id, [row]);
  }
  return childrenOf;
}
