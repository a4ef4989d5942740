-- The index that search walks: the titles of a workspace, folded as names are in collections_name_idx, whose migration
-- explains it. A title has up to 255 characters, and NFKC can make 18 of one: the index has the first 250, which are
-- at most 1,000 bytes, since a row of an index ends at 2,704. The whole title is in it for the others.
--
-- Reads continue while it is built; writes of items wait, about five seconds for a million items. To build it
-- beforehand without that lock, see docs/upgrade.md.
CREATE INDEX IF NOT EXISTS collections_title_idx ON collections (
    team_id,
    workspace_id,
    (left(translate(
        normalize(upper(lower(normalize(
            CASE WHEN titled_name = name THEN title ELSE name END, NFKC) COLLATE "und-x-icu")), NFKC),
        U&'\0130\0009\000A\000B\000C\000D\0085\1680\2028\2029\FEFF', 'I          '
    ) COLLATE "C", 250))
) INCLUDE (id, object, name, title, titled_name) WHERE num_nulls(name) = 0;

-- Among these are all those of which the index above has only the beginning, which search folds again, but for some
-- shorter ones of characters that NFKC makes many of. The condition folds nothing: every write of an item prepares it.
CREATE INDEX IF NOT EXISTS collections_long_title_idx ON collections (
    team_id,
    workspace_id,
    object,
    (left(translate(
        normalize(upper(lower(normalize(
            CASE WHEN titled_name = name THEN title ELSE name END, NFKC) COLLATE "und-x-icu")), NFKC),
        U&'\0130\0009\000A\000B\000C\000D\0085\1680\2028\2029\FEFF', 'I          '
    ) COLLATE "C", 250))
) INCLUDE (id, name, title, titled_name)
WHERE octet_length(CASE WHEN titled_name = name THEN title ELSE name END) >= 96;

DO $$
BEGIN
    IF EXISTS (
        SELECT 1 FROM pg_index WHERE NOT indisvalid
            AND indexrelid IN ('collections_title_idx'::regclass, 'collections_long_title_idx'::regclass)
    ) THEN
        RAISE EXCEPTION 'An index of titles is invalid: drop collections_title_idx and collections_long_title_idx, and create them again';
    END IF;

    -- 0.2.0 searches by collections_name_idx, and the release after this one drops it. A database without any item has
    -- nothing for 0.2.0 to search.
    IF NOT EXISTS (SELECT 1 FROM collections) AND NOT EXISTS (SELECT 1 FROM trash_items) THEN
        DROP INDEX IF EXISTS collections_name_idx;
    END IF;
END
$$;
