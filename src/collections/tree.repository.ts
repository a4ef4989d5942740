import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Database, type PreparedStatement } from '../database/database.js';
import { isPossibleId } from '../database/ids.js';
import { badRequest, notFound, unprocessable } from '../errors/domain-error.js';
import type { Cursor, Item, Tree, TreeQuery } from './collection.js';
import { forEachRow, type ItemRow, toItem } from './item-row.js';
import { carryOver } from './ordering.js';

/** Stands for «all» where a statement takes a number. */
const ALL = 2_000_000_000;

interface TreeRow extends ItemRow {
  position: string;
  level: number;
  /** 1, 2, … at the answer's top level, 0 below. */
  rank: number;
  rewrite: string;
}

/** Reads trees: one statement each, whatever the depth. */
@Injectable()
export class TreeRepository {
  constructor(private readonly database: Database) {}

  /**
   * Reads a tree, or a part of it, in order.
   * @throws DomainError not_found: no such parent; unprocessable_entity: the parent is a page;
   *   bad_request: a cursor that is too old, or of another list
   */
  async read(workspace: { id: string; teamId: string }, query: TreeQuery): Promise<Tree> {
    const { depth, limit, cursor, parentId } = query;
    const list = listOf(workspace.id, parentId);
    if (cursor && cursor.list !== list) {
      throw badRequest('cursor must be one that a Link header of this very list gave');
    }
    if (parentId !== null) await this.assertCollection(workspace.id, parentId);
    const whole = parentId === null && [depth, limit, cursor].every((part) => part === undefined);
    const rows = whole
      ? await this.database.query<TreeRow>(prepared('whole', query.withContent), [workspace.id])
      : await this.readPart(workspace.id, query);
    return toTree(rows, query, workspace.teamId, list);
  }

  private async readPart(workspaceId: string, query: TreeQuery): Promise<TreeRow[]> {
    const { depth = ALL, limit = ALL, cursor, parentId } = query;
    const carry = (from: Cursor) => this.carryOver(workspaceId, parentId, from);
    const statement = prepared(parentId === null ? 'top' : 'below', query.withContent);
    for (;;) {
      const after = cursor ? await carry(cursor) : null;
      const values: unknown[] = [workspaceId, after?.position ?? null, limit, depth];
      if (parentId !== null) values.push(parentId);
      const rows = await this.database.query<TreeRow>(statement, values);
      if (!after) return rows;
      // A rebalancing between the two statements leaves `after` behind: carry it over anew.
      const latest = rows[0] ? rows[0].rewrite : (await carry(after)).rewrite;
      if (latest === after.rewrite) return rows;
    }
  }

  private async assertCollection(workspaceId: string, id: string): Promise<void> {
    const [row] = isPossibleId(id)
      ? await this.database.query<{ object: string }>(OBJECT_OF, [workspaceId, id])
      : [];
    if (!row) throw notFound('parent');
    if (row.object !== 'collection') throw unprocessable('parent must be a collection, not a page');
  }

  /** Brings a cursor up to what rebalancing did to the positions since it was given out. */
  private async carryOver(
    workspaceId: string,
    parentId: string | null,
    cursor: Cursor,
  ): Promise<Cursor> {
    const rewrites = await this.database.query<{
      id: string;
      parent_id: string | null;
      old_positions: string[];
      new_positions: string[];
    }>(REWRITES_SINCE, [workspaceId, cursor.rewrite]);
    // The rewrite that the cursor saw is kept for a week; without it we cannot tell what happened.
    if (cursor.rewrite !== '0' && rewrites[0]?.id !== cursor.rewrite) {
      throw badRequest('cursor has expired: start the list anew');
    }
    const position = rewrites
      .filter(({ id, parent_id }) => id !== cursor.rewrite && parent_id === parentId)
      .reduce(
        (at, { old_positions, new_positions }) => carryOver(at, old_positions, new_positions),
        cursor.position,
      );
    return { ...cursor, position, rewrite: rewrites.at(-1)?.id ?? cursor.rewrite };
  }
}

/** Eight characters that tell a list from others. */
const listOf = (workspaceId: string, parentId: string | null): string =>
  createHash('sha256')
    .update(`${workspaceId}:${parentId ?? ''}`)
    .digest('base64url')
    .slice(0, 8);

async function toTree(
  rows: TreeRow[],
  query: TreeQuery,
  teamId: string,
  list: string,
): Promise<Tree> {
  const { depth = ALL, limit = ALL, parentId } = query;
  const children = new Map<string | null, Item[]>();
  const lowest = new Set<Item>();
  let last: TreeRow | undefined;
  let more = false;
  await forEachRow(rows, (row) => {
    if (row.rank > limit) {
      more = true;
      return;
    }
    if (row.rank > 0 && (last === undefined || row.rank > last.rank)) last = row;
    const item = toItem(row, teamId);
    if (row.level >= depth) lowest.add(item);
    const siblings = children.get(row.parent_id);
    if (siblings) siblings.push(item);
    else children.set(row.parent_id, [item]);
  });
  return {
    top: children.get(parentId) ?? [],
    childrenOf: (item) => (lowest.has(item) ? undefined : (children.get(item.id) ?? [])),
    next: more && last ? { list, position: last.position, rewrite: last.rewrite } : null,
  };
}

const OBJECT_OF = {
  name: 'tree.objectOf',
  text: 'SELECT object FROM collections WHERE workspace_id = $1 AND id = $2',
};

const REWRITES_SINCE = {
  name: 'tree.rewritesSince',
  text: `
    SELECT '0' AS id, NULL AS parent_id, '{}'::text[] AS old_positions, '{}'::text[] AS new_positions
    WHERE $1::text IS NULL AND $2::text IS NULL`,
};

/** A time as epoch milliseconds, under its own name. */
const milliseconds = (column: string): string =>
  `date_part('epoch', ${column}) * 1000 AS ${column.split('.')[1]}`;

type Kind = 'whole' | 'top' | 'below';

/** The statement for a kind of read, with or without the pages' content. */
function prepared(kind: Kind, withContent: boolean): PreparedStatement {
  const columns = (of: string) =>
    [
      ...['id', 'workspace_id', 'parent_id', 'object', 'name', 'slug', 'version', 'position'],
      ...(withContent ? ['content::text AS content'] : []),
    ]
      .map((column) => `${of}.${column}`)
      .concat(milliseconds(`${of}.created_at`), milliseconds(`${of}.updated_at`))
      .join(', ');
  const name = `tree.${kind}${withContent ? '.content' : ''}`;
  if (kind === 'whole') {
    const text = `
      SELECT ${columns('c')}, 0 AS level, 0 AS rank FROM collections c
      WHERE workspace_id = $1 ORDER BY c.position`;
    return { name, text, many: true };
  }
  const parent = kind === 'top' ? 'parent_id IS NULL' : 'parent_id = $5';
  // One more than asked for, to know whether the list goes on; nothing below it is read.
  const text = `
    WITH RECURSIVE top AS (
      SELECT ${columns('c')}, 1 AS level FROM collections c
      WHERE workspace_id = $1 AND ${parent} AND ($2::text IS NULL OR c.position > $2 COLLATE "C")
      ORDER BY c.parent_id, c.position LIMIT $3::int + 1
    ), tree AS (
      SELECT top.*, row_number() OVER (ORDER BY position)::int AS rank FROM top
      UNION ALL
      SELECT ${columns('c')}, tree.level + 1, 0 FROM tree
      JOIN collections c ON c.parent_id = tree.id
      WHERE tree.level < $4 AND tree.rank <= $3 AND tree.object = 'collection'
    )
    SELECT tree.*, '0' AS rewrite
    FROM tree ORDER BY position`;
  return { name, text, many: true };
}
