-- A team holds at most as many collections as its plan allows pages, counted by themselves. The name of
-- the constraint identifies the limit that was exceeded. Stop the version before this migration: it does
-- not count collections.
ALTER TABLE team_usage ADD COLUMN collections integer NOT NULL DEFAULT 0;

UPDATE team_usage SET collections = counted.collections
FROM (SELECT team_id, count(*)::int AS collections FROM collections WHERE object = 'collection' GROUP BY team_id) AS counted
WHERE counted.team_id = team_usage.team_id;

ALTER TABLE team_usage
    ADD CONSTRAINT team_usage_collections_check CHECK (collections >= 0);
