-- An owner reads the audit log by the scopes that they may see: the team itself, and each visible workspace.
-- An index walk for each never touches an entry about another one. The scope of an entry is its workspace,
-- or the team; the time is an expression so that no other index has this order.
--
-- While these are built, requests that record an entry wait, about seven seconds for a million entries; to
-- build them beforehand without that lock, see docs/upgrade.md. The version before this migration works on.
CREATE INDEX IF NOT EXISTS audit_entries_scope_idx
    ON audit_entries (team_id, (coalesce(workspace_id, team_id)), (at AT TIME ZONE 'UTC'), id);
CREATE INDEX IF NOT EXISTS audit_entries_scope_action_idx
    ON audit_entries (team_id, (coalesce(workspace_id, team_id)), action, (at AT TIME ZONE 'UTC'), id);
CREATE INDEX IF NOT EXISTS audit_entries_scope_actor_idx
    ON audit_entries (team_id, (coalesce(workspace_id, team_id)), actor_id, (at AT TIME ZONE 'UTC'), id);
-- The purged workspaces whose entries an owner may still see.
CREATE INDEX IF NOT EXISTS audit_entries_public_purge_idx
    ON audit_entries (team_id, workspace_id)
    WHERE action = 'workspace.purged' AND details ->> 'visibility' = 'public';
