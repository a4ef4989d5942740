-- Since when the content of a workspace can only be read, and the stamp that its tree has while it is so. Every write
-- of content gives the tree another stamp, without a lock, too, and so does the version before this migration, which
-- works on: the constraint refuses all of them. It holds for new rows and changes; all that are there now are null.
ALTER TABLE workspaces
  ADD COLUMN archived_at TIMESTAMPTZ(3),
  ADD COLUMN archived_stamp UUID;
ALTER TABLE workspaces ADD CONSTRAINT workspaces_archived_check CHECK (
  CASE WHEN archived_at IS NULL THEN archived_stamp IS NULL
    ELSE archived_stamp IS NOT NULL AND archived_stamp = tree_stamp END
) NOT VALID;
