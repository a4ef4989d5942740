-- The list of siblings that an item is in, named by one column: its parent, or the workspace at the top
-- level. One statement reads either, and one unique key holds the order of both.
ALTER TABLE collections
    ADD COLUMN list_id UUID NOT NULL GENERATED ALWAYS AS (COALESCE(parent_id, workspace_id)) STORED;

-- Checked at the end of each statement.
ALTER TABLE collections DROP CONSTRAINT collections_siblings_position_key;
ALTER TABLE collections ADD CONSTRAINT collections_siblings_position_key
    UNIQUE (team_id, list_id, position) DEFERRABLE INITIALLY IMMEDIATE;
