-- The new index of slugs, which the next migration gives the name of the old one. Reads continue while it
-- is built; writes of items wait, about two seconds for a million items. To build it beforehand without
-- that lock, see docs/upgrade.md. The version before this migration works on.
CREATE UNIQUE INDEX IF NOT EXISTS collections_team_slug_key ON collections (team_id, slug, workspace_id);
