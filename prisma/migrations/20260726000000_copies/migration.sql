-- The workspace that a copy or transfer went to: a replay asks for access to both.
ALTER TABLE idempotency_keys ADD COLUMN target_workspace_id UUID;
