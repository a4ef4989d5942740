-- By default, autovacuum begins when a fifth of a table is dead. Rows of these tables are inserted and purged,
-- so that a fifth is days of them, and a long vacuum; with 2 %, the space of purged rows is used again within
-- hours (docs/storage.md). The version before this migration continues to work: no reader or writer waits.

ALTER TABLE tree_changes SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000);
ALTER TABLE audit_entries SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000);
ALTER TABLE trash_items SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000);
ALTER TABLE idempotency_keys SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000);
