import { Injectable } from '@nestjs/common';
import {
  combineReads,
  type Frame,
  manyRows,
  type Named,
  type PartialRead,
  type PreparedRead,
  point,
} from '@teamspaces/pg-lanes/statements';
import { IS_ALIVE_BY_ID, MAY_READ } from '../../access/access-sql.js';
import type { AccessContext } from '../../access/decide.js';
import { Database } from '../../database/database.js';
import { sql } from '../../database/fields.js';
import { isPossibleSlug, isUuid, NO_ID } from '../../database/identifiers.js';
import {
  accessColumns,
  type InWorkspace,
  inWorkspace,
} from '../../workspaces/workspaces.repository.js';
import { MAX_CHILDREN_WRITTEN } from '../limits.js';
import { type Ancestor, type ListedChild, type ReadItem, type WorkspaceIds } from './collection.js';
import { ancestorsIn, childrenOf, ITEM_JSON } from './item-sql.js';

/** Where an item is, and all that decides on who may do what with it. */
export interface FoundItem extends WorkspaceIds, AccessContext {
  teamSlug: string;
  workspaceSlug: string;
}

/** A row of WITH_CHILDREN: the item, or a child of it. */
type WithChildrenRow =
  | (Omit<ReadItem, 'children' | 'ancestors'> & { ancestors: Ancestor[] | null })
  | (ListedChild & { itemId: null });

/** Where to read, and for whom. */
type CallerInWorkspace = WorkspaceIds & { callerId: string };

/** A row of small(); `json` is null where the item is too large, `itemId` where there is none. */
export type SmallItem = { itemId: string } & (
  | { json: null }
  | (Omit<ReadItem, 'children' | 'ancestors'> & {
      children: string | null;
      marks: string | null;
      ancestors: Ancestor[] | null;
    })
);

/** A row of findIn(): there is one in any case. */
export type FoundRow<Columns = object> = (FoundItem & Columns) | { teamId: null };

export const isFound = <Columns>(row: FoundRow<Columns> | undefined): row is FoundItem & Columns =>
  row !== undefined && row.teamId !== null;

/** Reads of single items: prepared statements. */
@Injectable()
export class ItemsRepository {
  constructor(private readonly database: Database) {}

  /**
   * The place of an item that no workspace was named for, and what else is read there.
   * @returns no row: no such item
   */
  async find(
    id: string,
    userId: string,
    reads: readonly PartialRead[] = [],
  ): Promise<readonly FoundItem[]> {
    if (!isUuid(id)) return [];
    const find = (await this.database.isDistributed()) ? FIND_ON_NODES : FIND;
    const [statement, values] = reads.length > 0 ? combineReads(WITH_ITEM, reads) : [find, []];
    const by = { callerId: userId };
    const rows = await this.database.query<FoundRow>(statement, [id, userId, ...values], by);
    return isFound(rows[0]) ? (rows as FoundItem[]) : [];
  }

  /** The same, with the item if it is small; a distributed database tells the place alone. */
  async findAndRead(
    id: string,
    userId: string,
    withAncestors: boolean,
  ): Promise<(FoundItem & SmallItem) | null> {
    if (!isUuid(id)) return null;
    if (await this.database.isDistributed()) {
      const [found] = await this.find(id, userId);
      return found ? { ...found, itemId: id, json: null } : null;
    }
    const statement = FIND_AND_READ[withAncestors ? 'ancestors' : 'plain'];
    const [row] = await this.database.query<FoundRow<SmallItem>>(statement, [id, userId]);
    return isFound(row) ? row : null;
  }

  /**
   * An item of any size with its content and its direct children, in order, and with its ancestors if
   * they are asked for: all of one moment.
   * @param most direct children: if there are more, none are shown
   * @returns null if the item is gone
   */
  async withChildren(
    { teamId, workspaceId, callerId }: CallerInWorkspace,
    id: string,
    withAncestors: boolean,
    most = Number.POSITIVE_INFINITY,
  ): Promise<ReadItem | null> {
    const values = [
      teamId,
      workspaceId,
      id,
      withAncestors,
      Number.isFinite(most) ? most + 1 : null,
    ];
    const by = { callerId, teamId };
    const rows = await this.database.query<WithChildrenRow>(WITH_CHILDREN, values, by);
    const [item, ...children] = rows;
    if (!item || item.itemId === null) return null;
    return {
      ...item,
      ancestors: item.ancestors ?? undefined,
      children: children.length > most ? null : (children as ListedChild[]),
    };
  }

  /**
   * The direct children, in order, without content, as the response to a write shows them.
   * @returns null: there are too many
   */
  async childrenWritten(
    { teamId, callerId }: CallerInWorkspace,
    id: string,
  ): Promise<readonly ListedChild[] | null> {
    const values = [teamId, id];
    const rows = await this.database.query<ListedChild>(CHILDREN, values, { callerId, teamId });
    return rows.length > MAX_CHILDREN_WRITTEN ? null : rows;
  }
}

export const toReadItem = (row: Exclude<SmallItem, { json: null }>): ReadItem => ({
  itemId: row.itemId,
  object: row.object,
  version: row.version,
  json: row.json,
  content: row.content,
  children: row.children === null ? [] : [{ json: row.children, mark: row.marks ?? '' }],
  ancestors: row.ancestors ?? undefined,
});

/** Reads an item of a workspace; its id is null where there is none. */
export type ItemRead = PreparedRead<InWorkspace<SmallItem | { itemId: null }>>;

/** Reads an item of a workspace, as WorkspacesService.readForAction() takes it. */
export const itemById = (id: string, withAncestors: boolean): ItemRead => [
  BY_ID[withAncestors ? 'ancestors' : 'plain'],
  [isUuid(id) ? id : null],
];

/** The same, by slug. */
export const itemBySlug = (slug: string, withAncestors: boolean): ItemRead => [
  BY_SLUG[withAncestors ? 'ancestors' : 'plain'],
  [isPossibleSlug(slug) ? slug : null],
];

/** The same, by key. */
export const itemByKey = (key: string, withAncestors: boolean): ItemRead => [
  BY_KEY[withAncestors ? 'ancestors' : 'plain'],
  [key],
];

/** Bytes of content, and children, that are read together with the reads of others. */
const SMALL = { content: 65_536, children: 100 };

/** Joins, as `item`, the JSON of the row `c` of an item. */
const ITEM_JOIN = `
      CROSS JOIN LATERAL (
        SELECT c.team_id, c.id, c.parent_id, c.object, ${ITEM_JSON} AS json
      ) AS item`;

/**
 * Reads the row `c` of an item with its children in one row. If it is too large to be read together with the reads of
 * others, `json` is null.
 * @param team its id in this statement
 * @param isSeen SQL: whether it is read at all
 */
function small(team: string, withAncestors: boolean, isSeen = 'true') {
  return {
    columns: `c.id AS "itemId", c.object, c.version,
        CASE WHEN ${isSeen} AND below.count <= ${SMALL.children}
          AND coalesce(octet_length(below.content), 0) <= ${SMALL.content} THEN item.json END AS json,
        CASE WHEN octet_length(below.content) <= ${SMALL.content} THEN below.content END AS content,
        below.json AS children, below.marks,
        ${withAncestors ? ancestorsIn(team) : 'NULL'} AS ancestors`,
    // The content is written as text once, since it stands beside an aggregate.
    joins: `${ITEM_JOIN}
      CROSS JOIN LATERAL (
        SELECT CASE WHEN ${isSeen} THEN c.content::text END AS content, count(*) AS count,
          CASE WHEN count(*) <= ${SMALL.children} THEN string_agg(child.json, ',') END AS json,
          string_agg(child.mark, '') AS marks
        FROM (${childrenOf(team, 'item.id', ` LIMIT ${SMALL.children + 1}`)}
        ) AS child WHERE item.object = 'collection' AND ${isSeen}
      ) AS below`,
  };
}

/** A statement with ancestors and one without: a plan that can do both takes a third more time. */
const both = <Row = never>(
  name: string,
  statement: (name: string, withAncestors: boolean) => Named<Row>,
) => ({
  plain: point(1, statement(name, false)),
  ancestors: point(1, statement(`${name}.ancestors`, true)),
});

/** Nothing of a hidden workspace is read. */
const inNamedWorkspace = (name: string, key: string) =>
  both(name, (name, withAncestors) => {
    const { columns, joins } = small('$1', withAncestors);
    return inWorkspace(
      name,
      sql<SmallItem | { itemId: null }>('found.*'),
      `
    LEFT JOIN LATERAL (
      SELECT ${columns}
      FROM (
        SELECT * FROM collections c WHERE ${MAY_READ} AND c.team_id = $1 AND ${key} LIMIT 1
      ) AS c${joins}
    ) AS found ON true`,
    );
  });
const BY_ID = inNamedWorkspace(
  'items.byId',
  'c.id = $5 AND c.workspace_id IS NOT DISTINCT FROM w.id',
);
const BY_SLUG = inNamedWorkspace(
  'items.bySlug',
  'c.slug >= $5 AND c.slug <= $5 AND c.workspace_id = w.id ORDER BY c.slug',
);

const BY_KEY = inNamedWorkspace(
  'items.byKey',
  'c.key >= $5 AND c.key <= $5 AND c.workspace_id = w.id ORDER BY c.key',
);

const PLACE = `w.team_id AS "teamId", w.id AS "workspaceId", t.slug AS "teamSlug",
      w.slug AS "workspaceSlug", ${accessColumns()}`;

/** One row, found by the index of ids, whatever the statistics say. */
const ID_ALONE = 'c.id >= $1 AND c.id <= $1 ORDER BY c.id LIMIT 1';

/** Its team and its workspace; if there is no such row, an id that nothing has. */
const TEAM = `coalesce(c.team_id, '${NO_ID}')`;
const WORKSPACE = `coalesce(c.workspace_id, '${NO_ID}')`;

/**
 * The place of the row $1 of a table, by its id alone. There is a row in any case, whose team is null if there is no
 * such place: what does not exist is looked up in the same tables as what is hidden, so that 404 takes as long.
 * Of the caller's role in a team, `OFFSET 0` makes PostgreSQL look up that alone, and not all teams of the caller: it
 * would, where statistics say that nearly everybody is in one team (9,000 rows instead of one).
 * @param columns to read of the row `c`, or of what it is joined with
 */
export const findIn = (name: string, table: string, columns = '', joins = ''): Named => ({
  name,
  text: `
    SELECT ${PLACE}${columns}
    FROM (SELECT) AS request
    LEFT JOIN LATERAL (SELECT * FROM ${table} c WHERE ${ID_ALONE}) AS c ON true
    LEFT JOIN workspaces w
      ON w.team_id = ${TEAM} AND w.id = ${WORKSPACE} AND ${IS_ALIVE_BY_ID}
    LEFT JOIN teams t ON t.id = ${TEAM}
    LEFT JOIN LATERAL (
      SELECT role FROM team_members WHERE team_id = ${TEAM} AND user_id = $2 OFFSET 0
    ) AS tm ON true
    LEFT JOIN workspace_members wm
      ON wm.team_id = ${TEAM} AND wm.workspace_id = ${WORKSPACE} AND wm.user_id = $2${joins}`,
});

const FIND = point(1, findIn('items.find', 'collections'));

/**
 * The same for a distributed database, which asks every node: it would ask them all once more for a subquery with a
 * LIMIT, and reads a table whole for an outer join with it.
 */
export const findOnNodes = (name: string, table: string): Named => ({
  name,
  text: `
    SELECT ${PLACE}
    FROM ${table} c
    JOIN workspaces w
      ON w.team_id = c.team_id AND w.id = c.workspace_id AND ${IS_ALIVE_BY_ID}
    JOIN teams t ON t.id = c.team_id
    LEFT JOIN team_members tm ON tm.team_id = c.team_id AND tm.user_id = $2
    LEFT JOIN workspace_members wm
      ON wm.team_id = w.team_id AND wm.workspace_id = w.id AND wm.user_id = $2
    WHERE ${ID_ALONE}`,
});

const FIND_ON_NODES = point(1, findOnNodes('items.findOnNodes', 'collections'));

const joined = (reads: string): string => `
    LEFT JOIN LATERAL (SELECT w.team_id, w.id WHERE ${MAY_READ}) AS place ON true
    LEFT JOIN LATERAL (${reads}) AS found ON true`;

const WITH_ITEM: Frame = {
  name: 'items.find',
  shared: ['place.team_id', 'place.id'],
  parameters: 2,
  text: (reads) => findIn('', 'collections', ', found.part, found.row', joined(reads)).text,
};

/** Reads in a named workspace, as WorkspacesService.readForAction() takes it. */
export const IN_WORKSPACE: Frame = {
  name: 'workspaces.find',
  shared: ['$1', 'place.id'],
  parameters: 4,
  text: (reads) => inWorkspace('', sql('found.part, found.row'), joined(reads)).text,
};

/** The same, with the item; not for a distributed database, which takes no such recursion. */
const FIND_AND_READ = both('items.findAndRead', (name, withAncestors) => {
  const { columns, joins } = small('item.team_id', withAncestors, MAY_READ);
  return findIn(name, 'collections', `, ${columns}`, joins);
});

/** An item of any size: its own row, then those of its children, $5 at most; null: all. */
const WITH_CHILDREN = manyRows({
  name: 'items.withChildren',
  text: `
    SELECT found.*, NULL AS position FROM (
      SELECT c.id AS "itemId", c.object, c.version, item.json, content.text AS content,
        CASE WHEN $4::boolean THEN ${ancestorsIn('$1')} END AS ancestors, NULL AS mark
      FROM collections c${ITEM_JOIN}
      CROSS JOIN LATERAL (SELECT c.content::text AS text OFFSET 0) AS content
      WHERE c.team_id = $1 AND c.id = $3 AND c.workspace_id IS NOT DISTINCT FROM $2
    ) AS found
    UNION ALL
    SELECT NULL, NULL, NULL, child.json, NULL, NULL, child.mark, child.position
    FROM (${childrenOf('$1', '$3', ' LIMIT $5::int')}
    ) AS child
    ORDER BY position NULLS FIRST`,
});

/** The direct children of an item, in order, one more than the response to a write shows. */
const CHILDREN = manyRows({
  name: 'items.children',
  text: childrenOf('$1', '$2', ` LIMIT ${MAX_CHILDREN_WRITTEN + 1}`),
});
