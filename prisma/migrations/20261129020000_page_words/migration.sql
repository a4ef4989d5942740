-- Search in pages. `search_positions` says how far the index of a workspace has followed its log of changes. A workspace
-- that has no row yet is at the beginning of its log. 0.2.0 writes neither table, and needs not to: the index
-- follows what it has logged, and the foreign keys take the rows of a workspace that it purges.
CREATE TABLE search_positions (
    team_id      uuid NOT NULL,
    workspace_id uuid NOT NULL,
    version      bigint NOT NULL,
    id           uuid NOT NULL,
    loaded_id    uuid,
    since        timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
    writes       integer NOT NULL DEFAULT 0,
    CONSTRAINT search_positions_pkey PRIMARY KEY (team_id, workspace_id)
);

-- The words of a page, in rows of a bounded size.
CREATE TABLE page_words (
    team_id      uuid NOT NULL,
    workspace_id uuid NOT NULL,
    id           uuid NOT NULL,
    part         smallint NOT NULL,
    tree_version bigint NOT NULL,
    changed_at   timestamptz(3) NOT NULL,
    indexed_at   timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
    bytes        integer NOT NULL,
    count        integer NOT NULL,
    is_set_aside boolean NOT NULL DEFAULT false,
    words        tsvector NOT NULL,
    CONSTRAINT page_words_pkey PRIMARY KEY (team_id, workspace_id, id, part)
) WITH (fillfactor = 80, toast_tuple_target = 128);

-- Nobody reads the words back but for writing them: a search finds rows by the index alone, and then reads the small
-- rest of them. Without fastupdate, no search walks what was not put in its place yet.
CREATE INDEX page_words_words_idx ON page_words USING gin (words) WITH (fastupdate = off);

-- Words refer to the position of their workspace: whoever deletes the position deletes the index of the workspace, and
-- the rows of workspaces are not locked for words. On Citus, a new table has no foreign key to one that is
-- distributed: deploy/citus/distribute.sql adds both.
DO $$
BEGIN
    IF NOT EXISTS (SELECT 1 FROM pg_extension WHERE extname = 'citus') THEN
        ALTER TABLE search_positions ADD CONSTRAINT search_positions_workspace_fkey
            FOREIGN KEY (team_id, workspace_id) REFERENCES workspaces (team_id, id)
            ON DELETE CASCADE ON UPDATE NO ACTION;
        ALTER TABLE page_words ADD CONSTRAINT page_words_position_fkey
            FOREIGN KEY (team_id, workspace_id) REFERENCES search_positions (team_id, workspace_id)
            ON DELETE CASCADE ON UPDATE NO ACTION;
    END IF;
END
$$;

-- The lease of the instance that follows the changes.
CREATE TABLE search_rounds (
    id           integer NOT NULL,
    holder       uuid,
    leased_until timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
    CONSTRAINT search_rounds_pkey PRIMARY KEY (id)
);
INSERT INTO search_rounds (id) VALUES (1);
