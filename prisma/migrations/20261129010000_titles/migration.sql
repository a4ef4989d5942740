-- Titles of items, null: the name. `titled_name` is the name that the title was given with: 0.2.0 changes a name and
-- leaves the title where it is. If the name has changed, the item has no title.
ALTER TABLE collections ADD COLUMN IF NOT EXISTS title TEXT, ADD COLUMN IF NOT EXISTS titled_name TEXT;
ALTER TABLE trash_items ADD COLUMN title TEXT, ADD COLUMN titled_name TEXT;

-- 0.2.0 names the columns that it copies to the trash and back. What it copies gets the default, and these triggers copy
-- the title: to the trash before the item is deleted, and back when the row leaves the trash and the item is there
-- again. This release writes both columns itself. The release after it drops the triggers, their functions and the
-- default. A distributed database runs no such triggers: see docs/upgrade.md.
DO $$
BEGIN
    IF EXISTS (SELECT FROM pg_extension WHERE extname = 'citus') THEN
        RETURN;
    END IF;

    ALTER TABLE trash_items ALTER COLUMN title SET DEFAULT '';

    CREATE FUNCTION trash_items_take_title() RETURNS trigger LANGUAGE plpgsql AS $take$
    BEGIN
        SELECT c.title, c.titled_name INTO NEW.title, NEW.titled_name
        FROM collections c WHERE c.team_id = NEW.team_id AND c.id = NEW.id;
        RETURN NEW;
    END
    $take$;
    CREATE TRIGGER trash_items_take_title BEFORE INSERT ON trash_items
        FOR EACH ROW WHEN (NEW.title = '') EXECUTE FUNCTION trash_items_take_title();

    CREATE FUNCTION trash_items_return_title() RETURNS trigger LANGUAGE plpgsql AS $return$
    BEGIN
        UPDATE collections c SET title = OLD.title, titled_name = OLD.titled_name
        WHERE c.team_id = OLD.team_id AND c.id = OLD.id AND c.title IS NULL;
        RETURN NULL;
    END
    $return$;
    CREATE TRIGGER trash_items_return_title AFTER DELETE ON trash_items
        FOR EACH ROW WHEN (OLD.title <> '') EXECUTE FUNCTION trash_items_return_title();
END
$$;
