-- Prints the data of a database as statements for psql, which import it into an empty, migrated database of
-- PostgreSQL 15 or later, whatever the major version of either:
--
--   psql --no-psqlrc --file=deploy/postgres/export.sql "$FROM" > teamspaces.sql
--
-- pg_dump does not read a server that is newer than itself, and what it writes is for servers that are not
-- older. psql and COPY have no such limits.
\set ON_ERROR_STOP on
\set QUIET on
\pset tuples_only on
\pset format unaligned
\encoding UTF8

BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY;
-- All or nothing, also if this file is cut off.
\qecho '\\set ON_ERROR_STOP on'
\qecho '\\encoding UTF8'
\qecho 'BEGIN;'
-- The only tables to which the migrations add a row.
\qecho 'DELETE FROM webhook_rounds;'
\qecho 'DELETE FROM search_rounds;'

-- A table comes after those that its foreign keys refer to.
WITH RECURSIVE tables (id, step) AS (
  SELECT relid, 0 FROM pg_stat_user_tables
  WHERE schemaname = current_schema() AND relname <> '_prisma_migrations'
  UNION ALL
  SELECT key.conrelid, tables.step + 1 FROM tables JOIN pg_constraint key ON key.confrelid = tables.id
  WHERE key.contype = 'f' AND key.conrelid <> key.confrelid
)
SELECT format('SELECT %L', format('COPY %s FROM stdin;', id::regclass)),
  format('COPY %s TO STDOUT', id::regclass),
  'SELECT ''\.''',
  format('SELECT %L', format('ANALYZE %s;', id::regclass))
FROM tables GROUP BY id ORDER BY max(step), id::regclass::text
\gexec

\qecho 'COMMIT;'
\qecho '\\echo Everything was copied.'
COMMIT;
