-- BEGIN
BEGIN;

-- BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY
BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY;

-- COMMIT
COMMIT;

-- ROLLBACK
ROLLBACK;

-- SELECT pg_extension
SELECT set_config('plan_cache_mode', CASE
  WHEN EXISTS (SELECT FROM pg_extension WHERE extname = 'citus') THEN 'auto'
  ELSE 'force_generic_plan' END, false);

-- database.citus
SELECT extname FROM pg_extension WHERE extname = 'citus';

-- database.now
SELECT clock_timestamp() AS now;

-- health.missingMigrations
SELECT needed.name FROM unnest($1::text[]) AS needed (name)
WHERE NOT EXISTS (
  SELECT FROM _prisma_migrations applied
  WHERE applied.migration_name = needed.name
    AND applied.finished_at IS NOT NULL AND applied.rolled_back_at IS NULL
);

-- health.readOnly
SELECT current_setting('transaction_read_only')::boolean AS "isReadOnly";
