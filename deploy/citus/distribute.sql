-- Distributes a migrated database by team over the nodes of a Citus cluster. Run it on the coordinator, after
-- `npx teamspaces migrate` and before the service starts: the first time with the service stopped, later, for
-- the tables of a new version, while the previous version serves; see README.md beside it. Plain PostgreSQL
-- never sees this file. It works whole or not at all; what is distributed already is left alone.
--
--   psql -v ON_ERROR_STOP=1 -f deploy/citus/distribute.sql "$DATABASE_URL"

DO $distribute$
DECLARE
    -- Small and rarely written, looked up across teams: a copy on every node.
    reference   text[] := '{users,teams,team_members,team_invites,webhooks}';
    -- What grows and what a write of content touches: the rows of one team lie on one node. The
    -- others are colocated with team_usage.
    distributed text[] := '{team_usage,workspaces,workspace_members,collections,page_versions,tree_changes,search_positions,page_words,trash_deletions,trash_items,audit_entries}';
    -- All other tables belong to no team and stay local, on the coordinator, without foreign keys
    -- to those above: _prisma_migrations, idempotency_keys (by caller), mail_sends and mail_outbox,
    -- whose SKIP LOCKED does not run across shards, and the state of deliveries to webhooks (webhook_*)
    -- and the lease of search_rounds.
    name        text;
    foreign_key record;
BEGIN
    IF NOT EXISTS (SELECT FROM pg_extension WHERE extname = 'citus') THEN
        RAISE EXCEPTION 'This database has no extension citus: distribute.sql is for a Citus cluster only.';
    END IF;
    FOREACH name IN ARRAY reference || distributed LOOP
        IF to_regclass('public.' || name) IS NULL THEN
            RAISE EXCEPTION 'The table % is missing: run the migrations first.', name;
        END IF;
    END LOOP;

    -- The service has these settings on its own connections; Citus opens those to the workers without them. New
    -- tables have no statistics yet, and sorts and scans look cheap in them.
    FOREACH name IN ARRAY '{enable_seqscan,enable_sort,jit}'::text[] LOOP
        EXECUTE format('ALTER DATABASE %I SET %I TO off', current_database(), name);
    END LOOP;

    -- Triggers that look into another table do not run on shards. The migration `titles` made them if the database had
    -- no extension citus then.
    IF to_regproc('trash_items_take_title') IS NOT NULL THEN
        DROP FUNCTION trash_items_take_title(), trash_items_return_title() CASCADE;
        ALTER TABLE trash_items ALTER COLUMN title DROP DEFAULT;
    END IF;

    reference := ARRAY(SELECT t FROM unnest(reference) AS t WHERE NOT EXISTS (
        SELECT FROM citus_tables WHERE table_name = t::regclass AND citus_table_type = 'reference'));
    distributed := ARRAY(SELECT t FROM unnest(distributed) AS t WHERE NOT EXISTS (
        SELECT FROM citus_tables WHERE table_name = t::regclass AND citus_table_type = 'distributed'));
    IF cardinality(reference || distributed) = 0 THEN
        RAISE NOTICE 'This database is distributed already; nothing was done.';
        RETURN;
    END IF;

    -- A foreign key to a reference table is made on one connection for all shards.
    SET LOCAL citus.multi_shard_modify_mode TO 'sequential';

    -- Citus distributes no table that has a foreign key to or from a local one: all go, and come
    -- back as they were.
    CREATE TEMPORARY TABLE kept ON COMMIT DROP AS
        SELECT conrelid::regclass::text AS table_name, conname, pg_get_constraintdef(oid) AS definition
        FROM pg_constraint
        WHERE contype = 'f' AND conrelid = ANY (distributed::regclass[])
        ORDER BY conrelid, conname;
    FOR foreign_key IN SELECT * FROM kept LOOP
        EXECUTE format('ALTER TABLE %s DROP CONSTRAINT %I', foreign_key.table_name, foreign_key.conname);
    END LOOP;

    FOREACH name IN ARRAY reference LOOP
        PERFORM create_reference_table(name);
    END LOOP;
    FOREACH name IN ARRAY distributed LOOP
        PERFORM create_distributed_table(name, 'team_id',
            colocate_with => CASE name WHEN 'team_usage' THEN 'none' ELSE 'team_usage' END);
    END LOOP;

    FOR foreign_key IN SELECT * FROM kept LOOP
        EXECUTE format('ALTER TABLE %s ADD CONSTRAINT %I %s',
            foreign_key.table_name, foreign_key.conname, foreign_key.definition);
    END LOOP;
    -- The migration `page_words` leaves these two out on Citus.
    IF NOT EXISTS (SELECT FROM pg_constraint WHERE conname = 'search_positions_workspace_fkey') THEN
        ALTER TABLE search_positions ADD CONSTRAINT search_positions_workspace_fkey
            FOREIGN KEY (team_id, workspace_id) REFERENCES workspaces (team_id, id)
            ON DELETE CASCADE ON UPDATE NO ACTION;
        ALTER TABLE page_words ADD CONSTRAINT page_words_position_fkey
            FOREIGN KEY (team_id, workspace_id) REFERENCES search_positions (team_id, workspace_id)
            ON DELETE CASCADE ON UPDATE NO ACTION;
    END IF;
END
$distribute$;
