-- Whether the content of a page was saved (PUT or patch): what was created, copied, applied, imported or restored is
-- kept as a version by the next write. Null in all rows that are there now; the version before this migration, which
-- works on, leaves it as it is and changes the version of the row: then it is not known. Rewrites no table.
ALTER TABLE collections ADD COLUMN saved_version INTEGER;
