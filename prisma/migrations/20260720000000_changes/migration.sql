-- The log of changes: for each change of a tree, a row for each item that it changed, or one with the id
-- of the workspace if it changed none, so that versions have no holes. Workspaces start with an empty log.
CREATE TABLE tree_changes (
    team_id UUID NOT NULL,
    workspace_id UUID NOT NULL,
    version BIGINT NOT NULL,
    id UUID NOT NULL,
    -- The stamp that the tree had before: it tells one history of the database from another.
    previous_stamp UUID NOT NULL,
    created_at TIMESTAMPTZ(3) NOT NULL DEFAULT clock_timestamp(),

    CONSTRAINT tree_changes_pkey PRIMARY KEY (team_id, workspace_id, version, id),
    CONSTRAINT tree_changes_workspace_fkey FOREIGN KEY (team_id, workspace_id) REFERENCES workspaces (team_id, id) ON DELETE CASCADE ON UPDATE NO ACTION
);

CREATE INDEX tree_changes_created_at_idx ON tree_changes (created_at);
