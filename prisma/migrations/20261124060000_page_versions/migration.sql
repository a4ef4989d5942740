-- Who made and who changed an item, and what a page was before its content was overwritten. The columns are
-- null where that is not known: in all rows that are there now, and in what the version before this migration
-- writes, which works on. Adding them rewrites no table.

ALTER TABLE collections
    ADD COLUMN created_by UUID,
    ADD COLUMN updated_by UUID,
    -- Who wrote the content, and when they began.
    ADD COLUMN written_by UUID,
    ADD COLUMN written_since TIMESTAMPTZ(3),
    -- The version of the row that updated_by and the two columns after it belong to. Another one: they are not
    -- known, since the version before this migration has written the row.
    ADD COLUMN author_version INTEGER;

ALTER TABLE trash_items
    ADD COLUMN created_by UUID,
    ADD COLUMN updated_by UUID,
    ADD COLUMN written_by UUID,
    ADD COLUMN written_since TIMESTAMPTZ(3),
    ADD COLUMN author_version INTEGER;

-- What a page was before a write of its content. There is no foreign key to the page: while it is in the trash,
-- its versions stay where they are.
CREATE TABLE page_versions (
    team_id UUID NOT NULL,
    -- The page's.
    id UUID NOT NULL,
    -- That of the page's row.
    version INTEGER NOT NULL,
    -- From when to when it was the content of the page.
    since TIMESTAMPTZ(3) NOT NULL,
    until TIMESTAMPTZ(3) NOT NULL,
    author_id UUID,
    -- Of the content as text.
    bytes INTEGER NOT NULL,
    content JSON NOT NULL,
    -- Counts the page's versions, and sums their bytes, from the first one that is kept or was trimmed: what there are
    -- too many of is found without a sum.
    ordinal INTEGER NOT NULL,
    total_bytes BIGINT NOT NULL,

    CONSTRAINT page_versions_pkey PRIMARY KEY (team_id, id, version)
);

-- The oldest first, for the purge.
CREATE INDEX page_versions_until_idx ON page_versions (until);

-- As in 20261123010000_autovacuum: rows are inserted and purged.
ALTER TABLE page_versions SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000);
