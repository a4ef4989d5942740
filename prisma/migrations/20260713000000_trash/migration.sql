-- What was deleted and can be restored: a row for each deletion, and one for each item in it. There are
-- no foreign keys to collections: a parent or a neighbour may be gone by then.
CREATE TABLE trash_deletions (
    team_id UUID NOT NULL,
    workspace_id UUID NOT NULL,
    -- The deleted item's.
    id UUID NOT NULL,
    parent_id UUID,
    object TEXT NOT NULL,
    name TEXT NOT NULL,
    -- Its place among its siblings: the position is valid while the workspace's count of rebalances is
    -- the same, the neighbours while they have the same parent.
    position TEXT COLLATE "C" NOT NULL,
    rebalances INTEGER NOT NULL,
    before_id UUID,
    after_id UUID,
    -- Levels of the subtree, the item included.
    height INTEGER NOT NULL,
    pages INTEGER NOT NULL,
    collections INTEGER NOT NULL,
    deleted_at TIMESTAMPTZ(3) NOT NULL,
    deleted_by UUID,
    -- Purged: gone for everybody; its rows are removed in portions.
    purged_at TIMESTAMPTZ(3),

    CONSTRAINT trash_deletions_pkey PRIMARY KEY (team_id, id),
    CONSTRAINT trash_deletions_object_check CHECK (object IN ('collection', 'item')),
    CONSTRAINT trash_deletions_workspace_fkey FOREIGN KEY (team_id, workspace_id) REFERENCES workspaces (team_id, id) ON DELETE CASCADE ON UPDATE NO ACTION
);

CREATE INDEX trash_deletions_workspace_idx ON trash_deletions (team_id, workspace_id, deleted_at, id);
CREATE INDEX trash_deletions_id_idx ON trash_deletions (id);
CREATE INDEX trash_deletions_purged_idx ON trash_deletions (team_id, id) WHERE purged_at IS NOT NULL;

-- Rows of collections as they were. The workspace is the deletion's.
CREATE TABLE trash_items (
    team_id UUID NOT NULL,
    deletion_id UUID NOT NULL,
    id UUID NOT NULL,
    parent_id UUID,
    object TEXT NOT NULL,
    name TEXT NOT NULL,
    slug TEXT NOT NULL,
    position TEXT COLLATE "C" NOT NULL,
    content JSON,
    version INTEGER NOT NULL,
    created_at TIMESTAMPTZ(3) NOT NULL,
    updated_at TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT trash_items_pkey PRIMARY KEY (team_id, deletion_id, id),
    CONSTRAINT trash_items_deletion_fkey FOREIGN KEY (team_id, deletion_id) REFERENCES trash_deletions (team_id, id) ON DELETE CASCADE ON UPDATE NO ACTION
);
