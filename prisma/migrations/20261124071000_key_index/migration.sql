-- Keys are unique in a workspace. The condition keeps all statements but those that ask for a key from using this
-- index, the checks of foreign keys above all.
--
-- Reads continue while it is built; writes of items wait while the table is read, about a second for a million
-- items: no row has a key yet. The version before this migration works on.
CREATE UNIQUE INDEX collections_workspace_key_key ON collections (team_id, workspace_id, key) WHERE key IS NOT NULL;
