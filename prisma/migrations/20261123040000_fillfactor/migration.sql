-- Leaves room on each page of the table, so that a save of content finds some on the page of its row and
-- changes no index. Applies to pages that are written from now on; docs/upgrade.md says how to rewrite the
-- others. Waits for no reader or writer, and none for it.
ALTER TABLE collections SET (fillfactor = 85);
