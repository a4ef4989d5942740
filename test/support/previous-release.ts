import { sql } from './sql.js';

// What 0.2.0 does with rows, for tests of what it leaves to this release while it runs beside. Its statements name the
// columns that it knows.

const COLUMNS = [
  ...[
    'id',
    'parent_id',
    'object',
    'name',
    'slug',
    'position',
    'content',
    'created_at',
    'updated_at',
    'created_by',
  ],
  ...['updated_by', 'written_by', 'written_since', 'author_version', 'key', 'version'],
];

/** An item without children, and the database that it is in. */
export interface PreviousItem {
  databaseUrl: string;
  id: string;
}

/** Runs statements about the item as one transaction, as a change of its tree that counts its items. */
const change = ({ databaseUrl, id }: PreviousItem, ...statements: string[]): Promise<unknown> =>
  sql(
    databaseUrl,
    `DO $change$
     DECLARE place record;
     BEGIN
       SELECT team_id, workspace_id INTO place FROM (
         SELECT team_id, workspace_id, id FROM collections
         UNION ALL SELECT team_id, workspace_id, id FROM trash_deletions
       ) AS found WHERE id = '${id}';
       UPDATE workspaces SET tree_version = tree_version + 1, tree_stamp = gen_random_uuid()
       WHERE team_id = place.team_id AND id = place.workspace_id;
       INSERT INTO tree_changes (team_id, workspace_id, version, id, previous_stamp)
       SELECT team_id, id, tree_version, '${id}', tree_stamp FROM workspaces
       WHERE team_id = place.team_id AND id = place.workspace_id;
       ${statements.join(';')};
       UPDATE team_usage u SET pages = counted.pages, collections = counted.collections
       FROM (
         SELECT count(*) FILTER (WHERE object = 'item') AS pages,
           count(*) FILTER (WHERE object = 'collection') AS collections
         FROM collections WHERE team_id = place.team_id
       ) AS counted WHERE u.team_id = place.team_id;
     END $change$`,
  );

/** Renames an item; an update writes all settings, also those that stay. */
export const renameBefore = (item: PreviousItem, name: string): Promise<unknown> =>
  change(
    item,
    `UPDATE collections SET parent_id = parent_id, position = position, name = '${name}',
       version = version + 1, key = key, author_version = version + 1 WHERE id = '${item.id}'`,
  );

/** Moves an item to the trash. */
export const deleteBefore = (item: PreviousItem): Promise<unknown> =>
  change(
    item,
    `INSERT INTO trash_deletions (team_id, workspace_id, id, parent_id, object, name, position, rebalances,
       height, pages, collections, deleted_at)
     SELECT team_id, workspace_id, id, parent_id, object, name, position, 0, 1, (object = 'item')::int,
       (object = 'collection')::int, now() FROM collections WHERE id = '${item.id}'`,
    `INSERT INTO trash_items (team_id, deletion_id, ${COLUMNS.join()})
     SELECT team_id, id, ${COLUMNS.join()} FROM collections WHERE id = '${item.id}'`,
    `DELETE FROM collections WHERE id = '${item.id}'`,
  );

/** Restores it to where it was; the foreign key deletes its row of the trash. */
export const restoreBefore = (item: PreviousItem): Promise<unknown> =>
  change(
    item,
    `INSERT INTO collections (team_id, workspace_id, ${COLUMNS.join()})
     SELECT i.team_id, d.workspace_id, ${COLUMNS.map((name) => `i.${name}`).join()} + 1
     FROM trash_deletions d JOIN trash_items i ON i.team_id = d.team_id AND i.deletion_id = d.id
     WHERE d.id = '${item.id}'`,
    `DELETE FROM trash_deletions WHERE id = '${item.id}'`,
  );

/** Transfers it to the top level of another workspace. */
export const transferBefore = (item: PreviousItem, workspaceId: string): Promise<unknown> =>
  change(
    item,
    `UPDATE collections SET workspace_id = '${workspaceId}', parent_id = NULL, version = version + 1,
       author_version = version + 1 WHERE id = '${item.id}'`,
  );
