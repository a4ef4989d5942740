import type { SnippetPart } from '@teamspaces/page-text/match';
import type { Question } from '@teamspaces/page-text/question';
import { point, type Scan, scan } from '@teamspaces/pg-lanes/statements';
import { IS_ALIVE_BY_ID } from '../../access/access-sql.js';
import type { Reader } from '../../database/database.js';
import { sql } from '../../database/fields.js';
import { isPossibleSlug } from '../../database/identifiers.js';
import type { WorkspaceKey } from '../../workspaces/workspace.js';
import { inEachWorkspace, inWorkspace } from '../../workspaces/workspaces.repository.js';
import type { Ancestor, ObjectKind } from '../items/collection.js';
import { ITEM_FIELDS } from '../items/item.fields.js';
import { ancestorsIn, ITEM_JSON, rowOf } from '../items/item-sql.js';
import { MAX_WALKED, MAX_WHOLE_TITLES } from '../limits.js';

/** A workspace that the caller may read. */
export interface SearchableWorkspace extends WorkspaceKey {
  /** Of its team. */
  pages: number;
}

/** What to look for. */
export interface SearchQuery {
  /** Without white space at its ends. */
  text: string;
  /** null: collections and pages. */
  object: ObjectKind | null;
  /** What to look for in the text of pages; null: it is not asked for. */
  question: Question | null;
  limit: number;
}

/** A collection or page that was found. */
export interface SearchHit {
  id: string;
  /** Its JSON as lists show it, without `children` and the closing brace. */
  json: string;
  /** From the top level down. */
  ancestors: readonly Ancestor[];
  workspace: { title: string; slug: string };
  /** Where the words stand in its text, if that is where they were found. */
  snippet?: readonly SnippetPart[];
}

/** What a search has found. */
export interface FoundItems {
  hits: readonly SearchHit[];
  /** Seconds since the oldest change that the search in pages does not know; null: it knows all. */
  behind: number | null;
}

/** Where to search. */
export interface SearchScope {
  teamId: string;
  /** Nothing else is looked at. */
  workspaceIds: readonly string[];
}

/** What a search has found, and how many titles it has looked at. */
interface SearchResult {
  walked: number;
  hits: SearchHit[];
}

interface HitRow {
  walked: string;
  /** null: nothing was found. */
  id: string | null;
  json: string;
  ancestors: Ancestor[];
  title: string;
  slug: string;
}

/**
 * The best matches in some workspaces of a team: one statement.
 * @param onlyPrefixes finds only titles that begin with the text
 */
export async function searchTitles(
  reader: Reader,
  { teamId, workspaceIds }: SearchScope,
  { text, object, limit }: SearchQuery,
  onlyPrefixes: boolean,
): Promise<SearchResult> {
  const words = text.split(WHITE_SPACE);
  const slug = isPossibleSlug(text) ? text : null;
  const rows = await reader.query<HitRow>(onlyPrefixes ? SEARCH.prefixes : SEARCH.words, [
    ...[teamId, workspaceIds, text, words, object, slug, limit],
  ]);
  const hits = rows.flatMap(({ id, json, ancestors, title, slug }) =>
    id === null ? [] : [{ id, json, ancestors, workspace: { title, slug } }],
  );
  return { walked: Number(rows[0]?.walked ?? 0), hits };
}

const WHITE_SPACE = /[\p{White_Space}\uFEFF]+/u;

const PAGES = sql<Pick<SearchableWorkspace, 'pages'>>(
  '(SELECT u.pages FROM team_usage u WHERE u.team_id = $1) AS pages',
);

/** What to read of the workspaces before a search. */
export const READABLE = {
  one: point(1, inWorkspace('search.workspace', PAGES)),
  all: inEachWorkspace('search.workspaces', PAGES),
};

/** The title that is compared. */
const TITLE = ITEM_FIELDS.title.read('c');

/** A title as it is compared. */
const folded = (title: string): string => String.raw`translate(
        normalize(upper(lower(normalize(${title}, NFKC) COLLATE "und-x-icu")), NFKC),
        U&'\0130\0009\000A\000B\000C\000D\0085\1680\2028\2029\FEFF', 'I          '
      ) COLLATE "C"`;

/** Its first characters, at most 1,000 bytes: the expression of the index collections_title_idx, see its migration. */
const INDEXED = 250;
const indexed = (folded: string): string => `left(${folded}, ${INDEXED})`;

/** The text, and its words as patterns of LIKE. */
const ASKED = String.raw`
      SELECT ${folded('$3')} AS text, ARRAY(
        SELECT '%' || regexp_replace(${folded('word')}, '([\\%_])', '\\\1', 'g') || '%'
        FROM unnest($4::text[]) AS word
      ) AS patterns`;

const PLACES = `
      SELECT w.id, w.name, w.slug FROM unnest($2::uuid[]) AS readable (id)
      CROSS JOIN LATERAL (
        SELECT * FROM workspaces w
        WHERE w.team_id = $1 AND w.id >= readable.id AND w.id <= readable.id
          AND ${IS_ALIVE_BY_ID}
        ORDER BY w.team_id, w.id LIMIT 1
      ) AS w`;

/** What is carried of an item to where it is shown. All of it is in the index of titles. */
const HIT = `c.id, c.workspace_id, ${TITLE} AS title`;
const CARRIED = 'id, workspace_id, title';

const OF_SLUG = `
      SELECT ${HIT} FROM place CROSS JOIN LATERAL (
        SELECT * FROM collections c
        WHERE c.team_id = $1 AND c.slug >= $6 AND c.slug <= $6 AND c.workspace_id = place.id
        ORDER BY c.slug LIMIT 1
      ) AS c
      WHERE $5::text IS NULL OR c.object = $5`;

/** Titles that begin with what the index can have of the text: U+10FFFF sorts after whatever may follow. */
const BEGINS = String.raw`
            AND c.indexed >= ${indexed('asked.text')}
            AND c.indexed <= ${indexed('asked.text')} || repeat(U&'\+10FFFF', 8)`;

/** How many titles a search walks at most. */
const limit = (onlyPrefixes: boolean): string => (onlyPrefixes ? ` LIMIT ${MAX_WALKED}` : '');

/**
 * The titles to compare, of each workspace in the order of the index of titles: no other one has it. All that is
 * read of an item is in it, so that no row is.
 */
const walk = (onlyPrefixes: boolean): string => `
        SELECT asked.*, c.* FROM asked CROSS JOIN place CROSS JOIN LATERAL (
          SELECT ${HIT}, c.object, c.indexed AS folded
          FROM (SELECT *, ${indexed(folded(TITLE))} AS indexed FROM collections c) AS c
          WHERE c.team_id = $1 AND c.workspace_id = place.id AND num_nulls(c.name) = 0${
            onlyPrefixes ? BEGINS : ''
          }
          ORDER BY c.team_id, c.workspace_id, c.indexed
        ) AS c${limit(onlyPrefixes)}`;

/** The condition of the index collections_long_title_idx. */
const isLong = (title: string): string => `octet_length(${title}) >= 96`;

/**
 * Those of them of which the index has only the beginning, in the order of the index that has only long ones. To fold such
 * a title takes up to a millisecond, since NFKC makes up to 4,590 characters of it: of the first MAX_WHOLE_TITLES the whole
 * is compared, of the others the beginning.
 */
const walkLong = (onlyPrefixes: boolean): string => `
        SELECT text, patterns, id, workspace_id, title, object, CASE
            WHEN row_number() OVER () <= ${MAX_WHOLE_TITLES} THEN ${folded('title')} ELSE indexed
          END AS folded
        FROM (
          SELECT asked.*, c.* FROM asked CROSS JOIN place CROSS JOIN LATERAL (
            SELECT ${HIT}, c.object, c.indexed
            FROM (SELECT *, ${indexed(folded(TITLE))} AS indexed FROM collections c) AS c
            WHERE c.team_id = $1 AND c.workspace_id = place.id
              AND ${isLong(TITLE)} AND char_length(c.indexed) = ${INDEXED}
            ORDER BY c.team_id, c.workspace_id, c.object, c.indexed
          ) AS c${limit(onlyPrefixes)}
        ) AS long`;

const RANK = `CASE
          WHEN folded = text THEN 0
          WHEN starts_with(folded, text) THEN 1
          WHEN strpos(folded, ' ' || text) > 0 THEN 2
          ELSE 3
        END`;

const ORDER = 'rank, char_length(title), title COLLATE "C", id';

/**
 * The best $7 items of the team $1 in the workspaces $2 for the text $3, its words $4, the kind $5 (or null)
 * and the slug $6 (or null). `walked` is the number of titles that were compared; there is always a row.
 */
const search = (name: string, onlyPrefixes: boolean): Scan =>
  scan({
    name,
    text: `
    WITH asked AS MATERIALIZED (${ASKED}
    ), place AS MATERIALIZED (${PLACES}
    ), of_slug AS MATERIALIZED (${OF_SLUG}
    ), found AS MATERIALIZED (
      SELECT * FROM (
        SELECT ${CARRIED}, ${RANK} AS rank
        FROM (
          SELECT * FROM (${walk(onlyPrefixes)}
          ) AS others WHERE char_length(folded) < ${INDEXED} OR NOT ${isLong('title')}
          UNION ALL${walkLong(onlyPrefixes)}
        ) AS walked
        WHERE ($5::text IS NULL OR object = $5) AND ${
          onlyPrefixes ? 'starts_with(folded, text)' : 'folded LIKE ALL (patterns)'
        }
          AND id <> ALL (ARRAY(SELECT id FROM of_slug))
        UNION ALL
        SELECT ${CARRIED}, 0 FROM of_slug
      ) AS hit
      ORDER BY ${ORDER} LIMIT $7
    )
    SELECT count.walked, found.id, item.json, ${ancestorsIn('$1')} AS ancestors, place.name AS title, place.slug
    FROM (SELECT count(*) AS walked FROM (${walk(onlyPrefixes)}
      ) AS walked) AS count
    LEFT JOIN found ON true
    LEFT JOIN LATERAL (
      SELECT name, slug FROM place WHERE place.id = found.workspace_id
    ) AS place ON true
    LEFT JOIN LATERAL (${rowOf('found.id', `c.parent_id, ${ITEM_JSON} AS json`)}
    ) AS item ON true
    ORDER BY ${ORDER}`,
  });

const SEARCH = { words: search('search.words', false), prefixes: search('search.prefixes', true) };
