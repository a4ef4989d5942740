-- A deleted workspace stays as it was, with its content and its members, until it is restored or purged.
ALTER TABLE workspaces
    ADD COLUMN deleted_at TIMESTAMPTZ(3),
    ADD COLUMN deleted_by UUID,
    -- Of its tree, when it was deleted: they count in no usage.
    ADD COLUMN deleted_pages INTEGER,
    ADD COLUMN deleted_collections INTEGER,
    -- Purged: gone for everybody; its rows are removed in portions.
    ADD COLUMN purged_at TIMESTAMPTZ(3),
    ADD CONSTRAINT workspaces_deleted_check CHECK (
        (deleted_at IS NULL) = (deleted_pages IS NULL)
        AND (deleted_at IS NULL) = (deleted_collections IS NULL)
        AND (deleted_at IS NOT NULL OR (deleted_by IS NULL AND purged_at IS NULL))
    );

-- The slug of a deleted workspace is free.
DROP INDEX workspaces_team_slug_key;
CREATE UNIQUE INDEX workspaces_team_slug_key ON workspaces (team_id, slug) WHERE deleted_at IS NULL;

CREATE INDEX workspaces_trash_idx ON workspaces (team_id, deleted_at, id) WHERE deleted_at IS NOT NULL;
CREATE INDEX workspaces_purged_idx ON workspaces (team_id, id) WHERE purged_at IS NOT NULL;
