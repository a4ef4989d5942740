import { Injectable } from '@nestjs/common';
import { type ManyRows, manyRows } from '@teamspaces/pg-lanes/statements';
import { IS_ALIVE_BY_ID } from '../../access/access-sql.js';
import { Database } from '../../database/database.js';
import type { WorkspaceKey } from '../../workspaces/workspace.js';
import { listedItem, rowOf } from '../items/item-sql.js';
import { MAX_CHANGES_BYTES } from '../limits.js';
import type { TreeState } from './change-cursor.js';

/** Items of a page, and all that tells how the feed continues. */
export interface FoundPage {
  /** Each as JSON; null: it is not in this workspace. */
  items: { id: string; item: string | null }[];
  /** The state of the tree that they were read in. */
  head: TreeState;
  /** False: the tree has never had the state that was asked about. */
  isKnown: boolean;
  /** False: the row of the log after which the page begins was purged, or is the end of a version. */
  isPlaceKept: boolean;
  /** The first version of the log that was found; null: none. */
  firstVersion: number | null;
  /** No version is missing between the first and the last one. */
  isGapless: boolean;
  /** The last row that the page covers; null: it covers none. */
  last: { version: number; id: string } | null;
  /** There is more after it. */
  isCut: boolean;
  /** Seconds since the oldest change on the page was committed; null: it shows no logged change. */
  lag: number | null;
}

/** Where a page begins, and what it is about. */
export interface PageRequest {
  /** Who reads. */
  callerId: string;
  workspace: WorkspaceKey;
  /** A state that the caller has seen; null: none. */
  newest: TreeState | null;
  /** Rows of the log, or items, at most; a page of many bytes covers fewer. */
  limit: number;
  withContent: boolean;
}

/** Reads the feed of changes. */
@Injectable()
export class ChangeLogRepository {
  constructor(private readonly database: Database) {}

  /** The items of a workspace after this id, by their ids. @returns null: the workspace is gone */
  load(request: PageRequest, after: string | null): Promise<FoundPage | null> {
    return this.read('load', request, [null, after ?? BEFORE_ALL]);
  }

  /** What the log has after a row of it. @returns null: the workspace is gone */
  increment(
    request: PageRequest,
    after: { version: number; id: string },
  ): Promise<FoundPage | null> {
    return this.read('increment', request, [after.version, after.id]);
  }

  private async read(
    kind: keyof typeof PAGES,
    { callerId, workspace, newest, limit, withContent }: PageRequest,
    after: unknown[],
  ): Promise<FoundPage | null> {
    const { id, teamId } = workspace;
    const statement = PAGES[kind][withContent ? 'content' : 'plain'];
    const values = [teamId, id, ...after, limit, newest?.version ?? null, newest?.stamp ?? null];
    const by = { callerId, teamId };
    const [head, ...items] = await this.database.query<PageRow>(statement, values, by);
    if (!head || head.treeVersion === null) return null;
    const isFull = items.length < head.items;
    const last = isFull ? items.at(-1) : { version: head.lastVersion, id: head.lastId };
    return {
      items,
      head: { version: head.treeVersion, stamp: head.treeStamp },
      isKnown: head.isKnown === true,
      isPlaceKept: head.isPlaceKept,
      firstVersion: head.firstVersion,
      isGapless: head.isGapless ?? true,
      last: last?.id ? { version: Number(last.version), id: last.id } : null,
      isCut: isFull || head.isCut,
      lag: head.lag,
    };
  }

  /** The stamps of trees by the id of their workspace, as far as it exists: one statement, however many. */
  async treeStamps(workspaces: readonly WorkspaceKey[]): Promise<ReadonlyMap<string, string>> {
    const values = [workspaces.map(({ teamId }) => teamId), workspaces.map(({ id }) => id)];
    const rows = await this.database.query<{ id: string; stamp: string }>(TREE_STAMPS, values);
    return new Map(rows.map(({ id, stamp }) => [id, stamp]));
  }
}

/** Sorts before all ids of items. */
const BEFORE_ALL = '00000000-0000-0000-0000-000000000000';

/** A row of page(): an item; the first one has what stands for the page in its place. */
interface PageRow {
  version: number | null;
  id: string;
  /** null: it is not in this workspace. */
  item: string | null;
  /** Of the first row, and so are the next ones; null: the workspace is gone. */
  treeVersion: number | null;
  treeStamp: string;
  isKnown: boolean | null;
  isPlaceKept: boolean;
  isCut: boolean;
  firstVersion: number | null;
  isGapless: boolean | null;
  lastVersion: number | null;
  lastId: string | null;
  /** Items that the page is to show. */
  items: number;
  lag: number | null;
}

/** The rows of the log after the row ($3, $4). */
const LOGGED = `
        SELECT version, id, created_at FROM tree_changes
        WHERE team_id = $1 AND workspace_id = $2 AND (version, id) > ($3::bigint, $4::uuid)
        ORDER BY team_id, workspace_id, version, id LIMIT $5::int + 1`;

/** The items after the id $4. The comparison of both columns means that only their own index will do. */
const LOADED = `
        SELECT $3::bigint AS version, id, NULL::timestamptz AS created_at FROM collections
        WHERE team_id = $1 AND (workspace_id, id) > ($2, $4::uuid) AND workspace_id <= $2
        ORDER BY team_id, workspace_id, id LIMIT $5::int + 1`;

/**
 * A page: of what \`source\` finds, the last row of each item, with the item as it is now. The first row
 * is no change: it has the state of the tree, whether the state ($6, $7) belongs to its history, and
 * what \`source\` found. All of one moment.
 *
 * Items are read one by one, in their order, until they fill the page.
 */
const page = (name: string, source: string, withContent: boolean): ManyRows =>
  manyRows({
    name,
    text: `
    WITH RECURSIVE found AS MATERIALIZED (
      SELECT row_number() OVER (ORDER BY version, id) AS n, version, id, created_at
      FROM (${source}) AS source
    ), wanted AS (
      SELECT array_agg(version ORDER BY n) AS versions, array_agg(id ORDER BY n) AS ids
      FROM (
        SELECT max(n) AS n, max(version) AS version, id FROM found
        WHERE n <= $5::int AND id <> $2 GROUP BY id
      ) AS latest
    ), shown AS (
      SELECT 0 AS n, NULL::bigint AS version, NULL::uuid AS id, NULL::text COLLATE "C" AS item, 0 AS bytes
      UNION ALL
      SELECT shown.n + 1, wanted.versions[shown.n + 1], wanted.ids[shown.n + 1], present.item,
        shown.bytes + coalesce(octet_length(present.item), 0)
      FROM shown CROSS JOIN wanted
      LEFT JOIN LATERAL (
        SELECT c.json || ',"position":"' || c.position || '"}' AS item FROM (
${rowOf('wanted.ids[shown.n + 1]', `${listedItem(withContent)}, c.position, c.workspace_id`)}
        ) AS c WHERE c.workspace_id = $2
      ) AS present ON true
      WHERE shown.n < cardinality(wanted.ids) AND shown.bytes < ${MAX_CHANGES_BYTES}
    )
    SELECT shown.version::float8 AS version, shown.id, shown.item, head.*
    FROM shown LEFT JOIN (
      SELECT w.tree_version::float8 AS "treeVersion", w.tree_stamp AS "treeStamp",
        (w.tree_version = $6::bigint AND w.tree_stamp = $7::uuid) OR $7::uuid = (
          SELECT previous_stamp FROM tree_changes
          WHERE team_id = $1 AND workspace_id = $2 AND version = $6::bigint + 1
          ORDER BY team_id, workspace_id, version, id LIMIT 1
        ) AS "isKnown",
        EXISTS (
          SELECT FROM tree_changes
          WHERE team_id = $1 AND workspace_id = $2 AND version = $3::bigint AND id = $4::uuid
        ) AS "isPlaceKept",
        all_found.*, coalesce(cardinality(wanted.ids), 0) AS items
      FROM workspaces w, wanted, (
        SELECT count(*) > $5::int AS "isCut", min(version)::float8 AS "firstVersion",
          count(DISTINCT version) FILTER (WHERE n <= $5::int)
            = max(version) FILTER (WHERE n <= $5::int) - min(version) + 1 AS "isGapless",
          max(version) FILTER (WHERE n <= $5::int)::float8 AS "lastVersion",
          (array_agg(id ORDER BY n DESC) FILTER (WHERE n <= $5::int))[1] AS "lastId",
          date_part('epoch', clock_timestamp() - min(created_at)) AS lag
        FROM found
      ) AS all_found
      WHERE w.team_id = $1 AND w.id = $2 AND ${IS_ALIVE_BY_ID}
    ) AS head ON shown.n = 0
    ORDER BY shown.n`,
  });

/** First loads and increments, without content and with it. */
const PAGES = {
  load: {
    plain: page('changes.load', LOADED, false),
    content: page('changes.loadContent', LOADED, true),
  },
  increment: {
    plain: page('changes.increment', LOGGED, false),
    content: page('changes.incrementContent', LOGGED, true),
  },
};

/** It filters by no single team: on a distributed database every node is asked once. */
const TREE_STAMPS = manyRows({
  name: 'changes.treeStamps',
  text: `
    SELECT w.id, w.tree_stamp AS stamp FROM unnest($1::uuid[], $2::uuid[]) AS asked (team_id, id)
    JOIN workspaces w
      ON w.team_id = asked.team_id AND w.id = asked.id AND ${IS_ALIVE_BY_ID}`,
});
