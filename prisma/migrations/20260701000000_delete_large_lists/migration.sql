-- Deleting a row makes its foreign key look for children, row by row. In a table that holds one large
-- list, every index that begins with team_id promises as many rows, and the planner took a small one
-- that reads the whole workspace for each. This one is the smallest. It is partial so that nothing is
-- tempted by its size but what compares parent_id.
CREATE INDEX collections_parent_idx ON collections (team_id, parent_id, workspace_id) WHERE parent_id IS NOT NULL;

-- RESTRICT leaves out a second look-up for each row (does another one have the same key by now?), which
-- took wrong indexes, too. The check still comes at the end of the statement, which deletes parents and
-- children together. The version before this migration works on.
ALTER TABLE collections DROP CONSTRAINT collections_parent_fkey;
ALTER TABLE collections
    ADD CONSTRAINT collections_parent_fkey FOREIGN KEY (team_id, workspace_id, parent_id, parent_object) REFERENCES collections (team_id, workspace_id, id, object) ON DELETE RESTRICT ON UPDATE NO ACTION;
