-- The index that search walks: the names of a workspace, folded so that letter case, Unicode normalization
-- (NFKC) and kinds of white space do not matter. The lower case comes first, because only the upper case of
-- that is the same for all forms of a letter: of ß and ẞ, of σ and ς, of i and ı. The collation of lower() and
-- upper() is named, so that every server folds all letters, whatever its locale. `name` is in the index because
-- PostgreSQL reads the table for the expression otherwise. The condition is always true: it keeps all
-- statements but those of search, which state it, from using this index, the checks of foreign keys above all.
--
-- Reads continue while it is built; writes of items wait, about five seconds for a million items. To build it
-- beforehand without that lock, see docs/upgrade.md. The version before this migration works on.
CREATE INDEX IF NOT EXISTS collections_name_idx ON collections (
    team_id,
    workspace_id,
    (translate(
        normalize(upper(lower(normalize(name, NFKC) COLLATE "und-x-icu")), NFKC),
        -- The Turkish capital I with a dot, and the white space that NFKC leaves.
        U&'\0130\0009\000A\000B\000C\000D\0085\1680\2028\2029\FEFF', 'I          '
    ) COLLATE "C")
) INCLUDE (id, name, object) WHERE num_nulls(name) = 0;

DO $$
BEGIN
    IF NOT (SELECT indisvalid FROM pg_index WHERE indexrelid = 'collections_name_idx'::regclass) THEN
        RAISE EXCEPTION 'The index collections_name_idx is invalid: drop it, and create it again';
    END IF;
END
$$;
