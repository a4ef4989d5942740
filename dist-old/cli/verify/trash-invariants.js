/**
 * What must hold of the trash at every commit: each statement finds the rows that break it. A deletion
 * that was purged loses its items in portions: nothing but their belonging to it is asked for then.
 */
export const TRASH_INVARIANTS = {
    'a workspace in the trash holds as many pages and collections as it counts': `
    SELECT w.id, w.slug, w.deleted_pages, w.deleted_collections,
      coalesce(held.pages, 0) AS held_pages, coalesce(held.collections, 0) AS held_collections
    FROM workspaces w
    LEFT JOIN (
      SELECT team_id, workspace_id, count(*) FILTER (WHERE object = 'item') AS pages,
        count(*) FILTER (WHERE object = 'collection') AS collections
      FROM collections GROUP BY team_id, workspace_id
    ) AS held ON held.team_id = w.team_id AND held.workspace_id = w.id
    WHERE w.deleted_at IS NOT NULL AND w.purged_at IS NULL AND (
      w.deleted_pages <> coalesce(held.pages, 0)
      OR w.deleted_collections <> coalesce(held.collections, 0))`,
    'a deletion is in a workspace of its team': `
    SELECT d.id, d.team_id, d.workspace_id FROM trash_deletions d
    LEFT JOIN workspaces w ON w.team_id = d.team_id AND w.id = d.workspace_id
    WHERE w.id IS NULL`,
    'an item in the trash belongs to a deletion': `
    SELECT i.id, i.deletion_id FROM trash_items i
    LEFT JOIN trash_deletions d ON d.team_id = i.team_id AND d.id = i.deletion_id
    WHERE d.id IS NULL`,
    'an item is either in the tree or in the trash': `
    SELECT i.id, i.deletion_id FROM trash_items i
    JOIN collections c ON c.team_id = i.team_id AND c.id = i.id`,
    'an item is in one deletion only': `
    SELECT team_id, id, count(*) AS deletions FROM trash_items
    GROUP BY team_id, id HAVING count(*) > 1`,
    'a deletion holds the item that was deleted': `
    SELECT d.id, d.name FROM trash_deletions d
    LEFT JOIN trash_items i ON i.team_id = d.team_id AND i.deletion_id = d.id AND i.id = d.id
    WHERE d.purged_at IS NULL AND i.id IS NULL`,
    'a deletion holds as many pages and collections as it counts': `
    SELECT d.id, d.pages, d.collections, coalesce(held.pages, 0) AS held_pages,
      coalesce(held.collections, 0) AS held_collections
    FROM trash_deletions d
    LEFT JOIN (
      SELECT team_id, deletion_id, count(*) FILTER (WHERE object = 'item') AS pages,
        count(*) FILTER (WHERE object = 'collection') AS collections
      FROM trash_items GROUP BY team_id, deletion_id
    ) AS held ON held.team_id = d.team_id AND held.deletion_id = d.id
    WHERE d.purged_at IS NULL AND (
      d.pages <> coalesce(held.pages, 0) OR d.collections <> coalesce(held.collections, 0))`,
    'what is below a deleted item has its parent in the same deletion': `
    SELECT i.id, i.parent_id, i.deletion_id FROM trash_items i
    JOIN trash_deletions d ON d.team_id = i.team_id AND d.id = i.deletion_id
    LEFT JOIN trash_items parent ON parent.team_id = i.team_id
      AND parent.deletion_id = i.deletion_id AND parent.id = i.parent_id
    WHERE d.purged_at IS NULL AND i.id <> i.deletion_id AND parent.id IS NULL`,
};
//# sourceMappingURL=trash-invariants.js.map