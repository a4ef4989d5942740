-- Slugs are unique in a workspace, as before. But an index that begins with the team and the workspace
-- promises one row for both in a table that was never analyzed, as many as the key of items, and is the
-- smaller one: the check of the parent's foreign key took it, and read the whole workspace for each new
-- item. Now (team_id, workspace_id, id, object) is the only index for a workspace, and this one only
-- serves look-ups by slug.
--
-- Locks collections for a moment. The version before this migration works on: the name, which identifies
-- the conflict, stays.
DO $$
BEGIN
    IF NOT (SELECT indisvalid FROM pg_index WHERE indexrelid = 'collections_team_slug_key'::regclass) THEN
        RAISE EXCEPTION 'The index collections_team_slug_key is invalid: drop it, and create it again';
    END IF;
END
$$;

DROP INDEX collections_workspace_slug_key;
ALTER INDEX collections_team_slug_key RENAME TO collections_workspace_slug_key;
