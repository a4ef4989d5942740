-- Who did what in a team: a row for each act, written by the transaction of the act and never changed.
-- There are no foreign keys: what an entry is about may be gone, and a write of content would lock the
-- row of the team, which comes before the workspace's in the order of locks.
CREATE TABLE audit_entries (
    team_id UUID NOT NULL,
    id UUID NOT NULL,
    at TIMESTAMPTZ(3) NOT NULL DEFAULT clock_timestamp(),
    -- null: the operator, or the service by itself.
    actor_id UUID,
    action TEXT NOT NULL,
    target_type TEXT NOT NULL,
    target_id UUID NOT NULL,
    -- null: an invite, or a user, whose name is read from the user.
    target_name TEXT,
    -- The workspace that the entry is about: who may see it may see the entry. null: the team.
    workspace_id UUID,
    details JSON NOT NULL,
    request_id TEXT,

    CONSTRAINT audit_entries_pkey PRIMARY KEY (team_id, id)
);

CREATE INDEX audit_entries_at_idx ON audit_entries (team_id, at, id);
CREATE INDEX audit_entries_action_idx ON audit_entries (team_id, action, at, id);
CREATE INDEX audit_entries_actor_idx ON audit_entries (team_id, actor_id, at, id);
-- Finds the last visibility of workspaces that were purged.
CREATE INDEX audit_entries_purged_idx ON audit_entries (team_id, workspace_id) WHERE action = 'workspace.purged';
-- Finds the oldest entries of all teams.
CREATE INDEX audit_entries_age_idx ON audit_entries (at);
