import { Inject, Injectable } from '@nestjs/common';
import type { Config } from '../../config/config.js';
import { CONFIG } from '../../config/config.module.js';
import type { Plan } from '../../config/plan-limits.js';
import { Database } from '../../database/database.js';
import { violatedConstraint } from '../../database/database-errors.js';
import { columns, type Statement } from '../../database/pipelined-transaction.js';
import { notFound } from '../../errors/domain-error.js';
import { isKeyBusy, keyBusy } from '../../idempotency/idempotency-keys.repository.js';
import { limitReached } from '../../teams/errors.js';
import { keyTaken } from '../errors.js';
import type { WorkspaceIds } from '../items/collection.js';
import { isEqualContent, rowOf } from '../items/item-sql.js';
import type { Changes, ItemCounts, Row, Slice } from './tree-slice.js';

/** The tree writer's writes: what commands changed, the log of it, and the team's counters. */
@Injectable()
export class ChangesRepository {
  private readonly pageLimits: string;
  private readonly keepsVersions: boolean;

  constructor(
    private readonly database: Database,
    @Inject(CONFIG) private readonly config: Config,
  ) {
    const limits = Object.entries(config.planLimits).map(([plan, { pages }]) => [plan, pages]);
    this.keepsVersions = config.versionsTtlSeconds > 0;
    this.pageLimits = JSON.stringify(Object.fromEntries(limits));
  }

  /** Writes and logs what commands changed, the counters last: they are shared by the whole team. */
  statements(slice: Slice, changes: Changes): Statement[] {
    const statements = this.rows(slice, changes);
    const { pages, collections } = countsOf(changes.inserts);
    if (pages + collections > 0) statements.push(this.count(slice, { pages, collections }));
    return statements;
  }

  /** The same without the counters. */
  rows(slice: Slice, changes: Changes): Statement[] {
    return changeStatements(slice, changes, this.keepsVersions);
  }

  /** Counts items that came or went; past the plan's limit, violates a constraint: see explain(). */
  count({ teamId, workspaceId }: WorkspaceIds, { pages, collections }: ItemCounts): Statement {
    return [COUNT_ITEMS, [teamId, workspaceId, pages, collections, this.pageLimits]];
  }

  /**
   * Writes what one command changed, and gives the tree a new stamp; violates NOT NULL where the tree
   * is not as the slice has it any more.
   * @param stored the response under the command's idempotency key, if it has one
   * @returns false where the workspace is gone, and nothing was written
   */
  async writeGuarded(
    slice: Slice,
    changes: Changes,
    stamp: string,
    stored: readonly Statement[],
  ): Promise<boolean> {
    const { teamId, workspaceId, treeStamp } = slice;
    const { inserts, updates, repositioned, isRebalanced } = changes;
    const by = { teamId };
    if (!isRebalanced && stored.length === 0 && !(await this.database.isDistributed())) {
      if (updates.length === 0) {
        const { pages, collections } = countsOf(inserts);
        const counted = [treeStamp, stamp, pages, collections, this.pageLimits];
        const values = [...insertValues(slice, inserts), ...counted];
        return (await this.database.write(by, [INSERT_GUARDED, values])).length > 0;
      }
      if (inserts.length === 0) {
        const values = [...updateValues(slice, updates, repositioned), treeStamp, stamp];
        const keeps = this.keepsVersions && updates.some((update) => begins(slice, update));
        const statement = keeps ? UPDATE_GUARDED_KEEPING : UPDATE_GUARDED;
        return (await this.database.write(by, [statement, values])).length > 0;
      }
    }
    const guard: Statement = [GUARD, [teamId, workspaceId, treeStamp, stamp]];
    const written = [guard, ...stored, ...this.statements(slice, changes)];
    const [guarded] = await this.database.pipelined(by, (tx) => tx.commit(written));
    return guarded?.length === 1;
  }

  /** What a refusal of the database means to the caller, or the error itself. */
  async explain({ teamId }: WorkspaceIds, error: unknown): Promise<unknown> {
    if (isKeyBusy(error)) return keyBusy(error.cause);
    const constraint = violatedConstraint(error);
    if (constraint === 'collections_workspace_fkey') return notFound('workspace');
    if (constraint === 'collections_workspace_key_key') return keyTaken('');
    const resource = LIMITED_BY[constraint ?? ''];
    if (resource === undefined) return error;
    const [team] = await this.database.query<{ plan: Plan }>(PLAN, [teamId]);
    if (!team) return notFound('team');
    return limitReached({ ...team, limit: this.config.planLimits[team.plan] }, resource);
  }
}

/** What is past the plan's limit, by the constraint that says so. */
const LIMITED_BY: Record<string, 'pages' | 'collections'> = {
  team_usage_check: 'pages',
  team_usage_collections_check: 'collections',
};

export function countsOf(items: readonly Pick<Row, 'object'>[]): ItemCounts {
  const pages = items.filter(({ object }) => object === 'item').length;
  return { pages, collections: items.length - pages };
}

/**
 * Writes rows, updates before inserts, and logs them.
 * @param keepsVersions what a page was before its content is saved is kept as a version
 */
export function changeStatements(
  slice: Slice,
  { inserts, updates, repositioned, isRebalanced }: Changes,
  keepsVersions = false,
): Statement[] {
  const statements: Statement[] = [];
  if (isRebalanced) statements.push([COUNT_REBALANCE, [slice.teamId, slice.workspaceId]]);
  if (updates.length + repositioned.length > 0) {
    const keeps = keepsVersions && updates.some((update) => begins(slice, update));
    const statement = keeps ? UPDATE_KEEPING : UPDATE;
    statements.push([statement, updateValues(slice, updates, repositioned)]);
  }
  if (inserts.length > 0) statements.push([INSERT, insertValues(slice, inserts)]);
  const changed = [...inserts, ...updates.map(({ row }) => row), ...repositioned];
  if (changed.length > 0) {
    statements.push(
      log(
        slice,
        changed.map(({ id }) => id),
      ),
    );
  }
  return statements;
}

/** For how long the saves of one person are one version. */
const COALESCED_MINUTES = 10;

/**
 * Whether a content is not the continuation of the one that was there. The statements decide it by the row, which is
 * as the slice has it: here it only saves those that continue the statement that can keep a version.
 */
function begins(
  { now }: Slice,
  { row, savesContent, keepsVersion, writtenBy }: Changes['updates'][number],
): boolean {
  if (!savesContent) return false;
  const since = row.writtenSince?.getTime() ?? 0;
  const isOwn = row.writtenBy === writtenBy && since > now.getTime() - COALESCED_MINUTES * 60_000;
  return keepsVersion || !isOwn;
}

function updateValues(
  { teamId, workspaceId, now }: Slice,
  updates: Changes['updates'],
  repositioned: Changes['repositioned'],
): unknown[] {
  const rows = [
    ...updates.map(({ row, savesContent }) => (savesContent ? row : withoutContent(row))),
    ...repositioned.map((row) => ({
      ...row,
      name: null,
      content: null,
      version: null,
      key: null,
      contentDigest: null,
    })),
  ];
  const { author, authors } = authorsOf(updates.map(({ row }) => row));
  // An array that is too short is filled up with nulls.
  const keeps = updates.some(({ keepsVersion }) => keepsVersion);
  return [
    ...[teamId, workspaceId, now],
    ...plainColumns(rows, ['id', 'parentId', 'position']),
    ...columns(rows, ['name', 'content', 'version']),
    ...[author, authors, authors.length > 0 ? updates.map(({ writtenBy }) => writtenBy) : []],
    keeps ? updates.map(({ keepsVersion }) => keepsVersion) : [],
    ...columns(rows, ['key', 'contentDigest']),
  ];
}

function insertValues({ teamId, workspaceId, now }: Slice, inserts: readonly Row[]): unknown[] {
  const { author, authors } = authorsOf(inserts);
  return [
    ...[teamId, workspaceId, now],
    ...columns(inserts, ['id', 'parentId', 'object', 'name', 'slug', 'position', 'content']),
    ...[author, authors],
    ...columns(inserts, ['key', 'contentDigest']),
  ];
}

/** Who wrote rows: one for all of them, or that of each. A batch is mostly of one. */
function authorsOf(rows: readonly Pick<Row, 'updatedBy'>[]) {
  const authors = rows.map(({ updatedBy }) => updatedBy);
  const [author = null] = authors;
  return authors.some((other) => other !== author)
    ? { author: null, authors }
    : { author, authors: [] };
}

/** Logs items as changed by this commit; none: it changed no item, but its version has a row. */
export const log = (
  { teamId, workspaceId, treeStamp }: Pick<Slice, keyof WorkspaceIds | 'treeStamp'>,
  ids: readonly string[] | string,
): Statement => [LOG, [teamId, workspaceId, ids.length > 0 ? ids : [workspaceId], treeStamp]];

/**
 * Columns as the text of arrays, of ids and positions: none has quotes or backslashes. node-postgres
 * looks for them in each value, which takes longer than all else that is done for a long order.
 */
const plainColumns = <K extends string>(
  rows: readonly Record<K, string | null>[],
  names: readonly K[],
): string[] =>
  names.map((name) => {
    const values = rows.map((row) => (row[name] === null ? 'NULL' : `"${row[name]}"`));
    return `{${values.join(',')}}`;
  });

/** Only what is written of a row, field by field: to copy the others is slow, and orders are long. */
const withoutContent = ({ id, parentId, position, name, version, key, contentDigest }: Row) => ({
  id,
  parentId,
  position,
  name,
  version,
  key,
  contentDigest,
  content: null,
});

// Parameters $1 and $2 are team_id and workspace_id: see slice-statements.ts.

/** A new stamp where nothing was locked: violates NOT NULL if the tree is not as it was read, or is in the trash. */
const GUARD = {
  name: 'tree.guard',
  text: `
    UPDATE workspaces SET tree_version = tree_version + 1,
      tree_stamp = CASE WHEN tree_stamp = $3::uuid AND deleted_at IS NULL THEN $4::uuid END
    WHERE team_id = $1 AND id = $2 RETURNING id`,
};

export const COUNT_REBALANCE = {
  name: 'tree.countRebalance',
  text: 'UPDATE workspaces SET rebalances = rebalances + 1 WHERE team_id = $1 AND id = $2',
};

/** The rows of an update. Who wrote one, and its content: $10, if they are the same for all of them. */
const UPDATED = `unnest($4::uuid[], $5::uuid[], $6::text[], $7::text[], $8::text[], $9::int[],
      $11::uuid[], $12::uuid[], $13::boolean[], $14::text[], $15::text[])
    AS n (id, parent_id, position, name, content, version, author_id, writer_id, keeps, key,
      content_digest)`;
const WRITER = 'coalesce(n.writer_id, $10::uuid)';

/**
 * Final rows; no version: only the position is new. The ids were read in this workspace, which is locked
 * or guarded by its stamp: a filter by it would let the planner of a table that was never analyzed count on
 * one row, and compare every row of the team with every one of these.
 *
 * Who wrote the content stays with it, unless the version of the service before this one has written the row since.
 * @param begins whether the content is not the continuation of the one that was there
 */
const update = (from: string, begins: string) => `
  UPDATE collections c SET parent_id = n.parent_id, position = n.position,
    name = coalesce(n.name, c.name), content = coalesce(n.content::json, c.content),
    version = coalesce(n.version, c.version), key = CASE WHEN n.version IS NULL THEN c.key ELSE n.key END,
    content_digest = coalesce(n.content_digest, c.content_digest),
    updated_at = CASE WHEN n.version IS NULL THEN c.updated_at ELSE $3::timestamptz END,
    updated_by = CASE
      WHEN n.version IS NULL THEN c.updated_by ELSE coalesce(n.author_id, $10::uuid) END,
    written_by = CASE WHEN ${begins} THEN ${WRITER}
      WHEN n.version IS NULL OR c.author_version = c.version THEN c.written_by END,
    written_since = CASE WHEN ${begins} THEN $3::timestamptz
      WHEN n.version IS NULL OR c.author_version = c.version THEN c.written_since END,
    author_version = CASE WHEN n.version IS NULL THEN c.author_version ELSE n.version END
  FROM ${from}${UPDATED}
  WHERE c.team_id = $1 AND c.id = n.id AND $2::uuid IS NOT NULL`;
/** See begins(). */
const BEGINS = `(n.content IS NOT NULL AND (
      n.keeps IS NOT TRUE AND c.author_version = c.version AND c.written_by = ${WRITER}
      AND $3::timestamptz - c.written_since < interval '${COALESCED_MINUTES} minutes'
    ) IS NOT TRUE)`;
const UPDATE = { name: 'tree.update', text: update('', BEGINS) };

/** What is kept of a page. */
const MOST_KEPT = { versions: 50, bytes: 8 * 1024 * 1024 };

/**
 * `kept`: what was there before contents are saved, unless the same person began to write it less than ten minutes
 * ago, or the contents are equal. What a page has too many of goes at once. `OFFSET 0` makes PostgreSQL read a
 * content once, and only where it is compared.
 */
const kept = (from: string) => `
  kept AS (
    INSERT INTO page_versions AS made
      (team_id, id, version, since, until, author_id, bytes, content, ordinal, total_bytes)
    SELECT c.team_id, c.id, c.version,
      CASE WHEN c.author_version = c.version THEN coalesce(c.written_since, c.updated_at)
        ELSE c.updated_at END,
      $3::timestamptz, CASE WHEN c.author_version = c.version THEN c.written_by END,
      octet_length(present.text), c.content, coalesce(newest.ordinal, 0) + 1,
      coalesce(newest.total_bytes, 0) + octet_length(present.text)
    FROM ${from}${UPDATED}
    CROSS JOIN LATERAL (${rowOf('n.id')}
    ) AS c
    CROSS JOIN LATERAL (SELECT c.content::text AS text OFFSET 0) AS present
    LEFT JOIN LATERAL (
      SELECT ordinal, total_bytes FROM page_versions WHERE team_id = $1 AND id = n.id
      ORDER BY team_id DESC, id DESC, version DESC LIMIT 1
    ) AS newest ON true
    WHERE ${BEGINS} AND NOT ${isEqualContent('present.text', 'n.content')}
    RETURNING made.id, made.version, made.ordinal, made.total_bytes
  ), trimmed AS (
    DELETE FROM page_versions v USING kept
    WHERE v.team_id = $1 AND v.id = kept.id AND v.version < kept.version AND (
      v.ordinal <= kept.ordinal - ${MOST_KEPT.versions}
      OR v.total_bytes - v.bytes < kept.total_bytes - ${MOST_KEPT.bytes}
    )
  )`;
const IS_KEPT = 'EXISTS (SELECT FROM kept WHERE kept.id = n.id)';

/** A distributed database takes no data-modifying WITH but in a SELECT. */
const UPDATE_KEEPING = {
  name: 'tree.updateKeeping',
  text: `
    WITH ${kept('')}, updated AS (${update('', IS_KEPT)} RETURNING c.id)
    SELECT count(*) FROM updated`,
};

/** Joined with the workspace so that a distributed database runs it on the workspace's own node. */
const insert = (workspace: string) => `
  INSERT INTO collections (team_id, workspace_id, id, parent_id, object, name, slug, position,
    content, key, content_digest, created_at, updated_at, created_by, updated_by, written_by, written_since,
    author_version)
  SELECT w.team_id, w.id, n.id, n.parent_id, n.object, n.name, n.slug, n.position,
    n.content::json, n.key, n.content_digest, $3::timestamptz, $3::timestamptz, author.id, author.id, author.id,
    $3::timestamptz, 1
  FROM ${workspace} w,
    unnest($4::uuid[], $5::uuid[], $6::text[], $7::text[], $8::text[], $9::text[], $10::text[],
      $12::uuid[], $13::text[], $14::text[])
      AS n (id, parent_id, object, name, slug, position, content, author_id, key, content_digest)
    CROSS JOIN LATERAL (SELECT coalesce(n.author_id, $11::uuid) AS id) AS author
  WHERE w.team_id = $1 AND w.id = $2`;
const INSERT = { name: 'tree.insert', text: insert('workspaces') };

/** -1 if this many more exceed the limit, which is 0 for any number; fewer never do. */
const counted = (column: string, more: string) => `
    ${column} = CASE
      WHEN ${more}::int <= 0 OR allowed.items = 0 OR team_usage.${column} + ${more}::int <= allowed.items
        THEN team_usage.${column} + ${more}::int
      ELSE -1 END`;

/**
 * Counts pages and collections that came or went. `limits`: how many of each a plan allows. Past it,
 * violates team_usage_check or team_usage_collections_check.
 */
const countItems = (pages: string, collections: string, limits: string, workspace: string) => `
  UPDATE team_usage SET${counted('pages', pages)},${counted('collections', collections)}
  FROM (SELECT (${limits}::json ->> plan)::int AS items FROM teams WHERE id = $1) AS allowed
  WHERE team_usage.team_id = $1 AND (${pages}::int <> 0 OR ${collections}::int <> 0)
    AND EXISTS (SELECT FROM ${workspace} w WHERE w.team_id = $1 AND w.id = $2)`;
const COUNT_ITEMS = {
  name: 'tree.countItems',
  text: countItems('$3', '$4', '$5', 'workspaces'),
};

/** Logs items as changed by the tree's present version. @param stamp the one that it had before */
const logged = (workspace: string, ids: string, stamp: string) => `
  INSERT INTO tree_changes (team_id, workspace_id, version, id, previous_stamp)
  SELECT w.team_id, w.id, w.tree_version, n.id, ${stamp}::uuid
  FROM ${workspace} w, ${ids} AS n (id) WHERE w.team_id = $1 AND w.id = $2`;
const LOG = { name: 'tree.log', text: logged('workspaces', 'unnest($3::uuid[])', '$4') };

/**
 * What a command on its own needs, all in one statement: a new stamp for a tree that must be as it
 * was read, and the rows. Returns no row, and writes none, if the workspace is gone.
 */
const guarded = (expected: string, stamp: string) => `
  guarded AS (
    UPDATE workspaces SET tree_version = tree_version + 1,
      tree_stamp = CASE WHEN tree_stamp = ${expected}::uuid THEN ${stamp}::uuid END
    WHERE team_id = $1 AND id = $2 AND num_nulls(deleted_at) = 1 RETURNING team_id, id, tree_version
  ), logged AS (${logged('guarded', 'unnest($4::uuid[])', expected)})`;
const INSERT_GUARDED = {
  name: 'tree.insertGuarded',
  text: `
    WITH ${guarded('$15', '$16')}, counted AS (${countItems('$17', '$18', '$19', 'guarded')})
    ${insert('guarded')} RETURNING collections.id`,
};
const UPDATE_GUARDED = {
  name: 'tree.updateGuarded',
  text: `WITH ${guarded('$16', '$17')} ${update('guarded,', BEGINS)} RETURNING c.id`,
};
const UPDATE_GUARDED_KEEPING = {
  name: 'tree.updateGuardedKeeping',
  text: `
    WITH ${guarded('$16', '$17')}, ${kept('guarded, ')}
    ${update('guarded,', IS_KEPT)} RETURNING c.id`,
};

const PLAN = { name: 'tree.plan', text: 'SELECT plan FROM teams WHERE id = $1' };
