-- Finds the stored answers that are about one page: purgeVersions takes the content out of them. The first 43
-- characters of such an answer are its id. The version before this migration works on, and its answers are found, too.
--
-- Reads continue while the index is built; requests with an Idempotency-Key wait while the table, which holds the keys
-- of one day, is read. To build it beforehand without that lock, see docs/upgrade.md.
CREATE INDEX IF NOT EXISTS idempotency_keys_item_idx
    ON idempotency_keys ((left(answer, 43))) WHERE left(answer, 7) = '{"id":"';
