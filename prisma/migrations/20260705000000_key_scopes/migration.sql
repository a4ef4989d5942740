-- The team and the workspace that the request of an idempotency key acted on, by id: their slugs may
-- name others later. NULL: the request named none, or an older version of the service kept the key,
-- which works on. No foreign keys: in a distributed database the table stays on the coordinator.

ALTER TABLE idempotency_keys
    ADD COLUMN team_id      uuid,
    ADD COLUMN workspace_id uuid;
