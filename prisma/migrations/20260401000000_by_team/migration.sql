-- Every row of a team carries team_id, and keys begin with it: the database can be distributed by
-- team (deploy/citus). The counters leave the team's row, which is a copy on every node there.
-- Stop the service before this migration: the version before it does not work on these tables.

CREATE TABLE team_usage (
    team_id    uuid    NOT NULL CONSTRAINT team_usage_pkey PRIMARY KEY,
    pages      integer NOT NULL DEFAULT 0,
    users      integer NOT NULL DEFAULT 0,
    workspaces integer NOT NULL DEFAULT 0,
    CONSTRAINT team_usage_team_fkey FOREIGN KEY (team_id) REFERENCES teams (id) ON DELETE CASCADE ON UPDATE NO ACTION,
    CONSTRAINT team_usage_check CHECK (pages >= 0 AND users >= 0 AND workspaces >= 0)
) WITH (fillfactor = 50);
INSERT INTO team_usage (team_id, pages, users, workspaces)
SELECT id, usage_pages, usage_users, usage_workspaces FROM teams;
ALTER TABLE teams
    DROP CONSTRAINT teams_usage_check,
    DROP COLUMN usage_pages,
    DROP COLUMN usage_users,
    DROP COLUMN usage_workspaces;

-- Cursors carry the count of rebalances instead.
DROP TABLE position_rewrites;

ALTER TABLE collections
    DROP CONSTRAINT collections_parent_fkey,
    DROP CONSTRAINT collections_workspace_fkey,
    DROP CONSTRAINT collections_siblings_position_key,
    DROP CONSTRAINT collections_pkey;
DROP INDEX collections_workspace_slug_key;
DROP INDEX collections_workspace_id_object_key;
ALTER TABLE workspace_members
    DROP CONSTRAINT workspace_members_workspace_fkey,
    DROP CONSTRAINT workspace_members_pkey;
DROP INDEX workspaces_team_id_key;
ALTER TABLE workspaces DROP CONSTRAINT workspaces_pkey;

-- tree_version counts the changes of the tree; tree_stamp is a random name of its present state,
-- which no restored backup can show again over other rows; rebalances counts how often positions
-- were spread anew, which ends the list cursors made before.
ALTER TABLE workspaces
    ADD COLUMN tree_version bigint  NOT NULL DEFAULT 0,
    ADD COLUMN tree_stamp   uuid    NOT NULL DEFAULT gen_random_uuid(),
    ADD COLUMN rebalances   integer NOT NULL DEFAULT 0,
    ADD CONSTRAINT workspaces_pkey PRIMARY KEY (team_id, id);

ALTER TABLE workspace_members
    ADD CONSTRAINT workspace_members_pkey PRIMARY KEY (team_id, workspace_id, user_id),
    ADD CONSTRAINT workspace_members_workspace_fkey FOREIGN KEY (team_id, workspace_id) REFERENCES workspaces (team_id, id) ON DELETE CASCADE ON UPDATE NO ACTION;

ALTER TABLE collections ADD COLUMN team_id uuid;
UPDATE collections SET team_id = workspaces.team_id FROM workspaces WHERE workspaces.id = collections.workspace_id;
ALTER TABLE collections
    ALTER COLUMN team_id SET NOT NULL,
    ADD CONSTRAINT collections_pkey PRIMARY KEY (team_id, id);
-- For /collections/{id} without a workspace.
CREATE INDEX collections_id_idx ON collections (id);
CREATE UNIQUE INDEX collections_workspace_slug_key ON collections (team_id, workspace_id, slug);
CREATE UNIQUE INDEX collections_workspace_id_object_key ON collections (team_id, workspace_id, id, object);
-- One total order over the siblings, the top level included. Checked at the end of each statement.
ALTER TABLE collections ADD CONSTRAINT collections_siblings_position_key
    UNIQUE NULLS NOT DISTINCT (team_id, parent_id, workspace_id, position) DEFERRABLE INITIALLY IMMEDIATE;
ALTER TABLE collections
    ADD CONSTRAINT collections_workspace_fkey FOREIGN KEY (team_id, workspace_id) REFERENCES workspaces (team_id, id) ON DELETE CASCADE ON UPDATE NO ACTION,
    ADD CONSTRAINT collections_parent_fkey FOREIGN KEY (team_id, workspace_id, parent_id, parent_object) REFERENCES collections (team_id, workspace_id, id, object) ON DELETE NO ACTION ON UPDATE NO ACTION;

-- The service asks with one plan for all values, which a partial index on a value cannot serve.
DROP INDEX team_invites_email_idx;
CREATE INDEX team_invites_email_idx ON team_invites (lower(email));
CREATE INDEX team_invites_team_idx ON team_invites (team_id, state);
