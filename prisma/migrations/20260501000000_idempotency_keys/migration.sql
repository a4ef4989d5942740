-- What a caller's Idempotency-Key stands for: the first success under it, for 24 hours. Belongs to no
-- team and has no foreign keys: in a distributed database it stays on the coordinator. The version
-- before this migration works on.

CREATE TABLE idempotency_keys (
    user_id     uuid           NOT NULL,
    key         text           NOT NULL,
    operation   text           NOT NULL,
    fingerprint text           NOT NULL,
    answer      text           NOT NULL,
    created_at  timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
    CONSTRAINT idempotency_keys_pkey PRIMARY KEY (user_id, key)
);
CREATE INDEX idempotency_keys_created_at_idx ON idempotency_keys (created_at);
