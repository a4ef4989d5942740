-- The list of siblings that an item is in, named by one column: its parent, or the workspace at the top
-- level. One statement reads either, and one unique key holds the order of both.
ALTER TABLE collections
    ADD COLUMN list_id UUID NOT NULL GENERATED ALWAYS AS (COALESCE(parent_id, workspace_id)) STORED;

-- Checked at the end of each statement.
ALTER TABLE collections DROP CONSTRAINT collections_siblings_position_key;
ALTER TABLE collections ADD CONSTRAINT collections_siblings_position_key
    UNIQUE (team_id, list_id, position) DEFERRABLE INITIALLY IMMEDIATE;

-- Created again: of indexes that promise the same cost, as all do while the table is small, the planner
-- takes the newest one. The check of the parent's foreign key, whose plan a connection keeps, would
-- otherwise take the unique key above, of which it can use the first column only.
DROP INDEX collections_parent_idx;
CREATE INDEX collections_parent_idx ON collections (team_id, parent_id, workspace_id) WHERE parent_id IS NOT NULL;
