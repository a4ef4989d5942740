-- What the indexes by scope replace. Locks audit_entries for a moment. The version before this migration
-- works on, but filters the audit log without an index.
DROP INDEX audit_entries_action_idx;
DROP INDEX audit_entries_actor_idx;
DROP INDEX audit_entries_purged_idx;
