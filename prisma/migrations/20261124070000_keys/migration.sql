-- Keys that programs give their items, unique in a workspace. The version before this migration works on: it
-- writes rows without keys, leaves those that are there, and drops the keys of what it moves to the trash or
-- brings back. Adding the columns rewrites no table.
ALTER TABLE collections
    ADD COLUMN key TEXT COLLATE "C",
    -- Of the content, with the version of the row that it belongs to: written by applyCollections only, so that a
    -- manifest is compared without reading contents.
    ADD COLUMN content_digest TEXT COLLATE "C";

ALTER TABLE trash_items ADD COLUMN key TEXT COLLATE "C";
