-- Reads the table beside its writers, which the migration before could not.
ALTER TABLE workspaces VALIDATE CONSTRAINT workspaces_archived_check;
