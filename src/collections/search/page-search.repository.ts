import { type ManyRows, manyRows, scan } from '@teamspaces/pg-lanes/statements';
import { IS_ALIVE_BY_ID } from '../../access/access-sql.js';
import type { Transaction } from '../../database/database.js';
import { LAST_ID } from '../../database/identifiers.js';
import type { Ancestor } from '../items/collection.js';
import { ITEM_FIELDS } from '../items/item.fields.js';
import { ancestorsIn, ITEM_JSON, rowOf } from '../items/item-sql.js';
import { MAX_BEHIND, MAX_LOOKED_AT } from '../limits.js';
import { indexed, type LogPlace } from './page-index.repository.js';

// The statements of a search in pages: all are of one transaction, which sees one moment.

/** A page that may match. */
export interface Candidate {
  id: string;
  workspaceId: string;
  changedAt: Date;
  /** Of its content. */
  bytes: number;
}

/** How long each statement may take from now on, until the end of the transaction. */
export const limitTime = (tx: Transaction, milliseconds: number): void =>
  tx.write(LIMIT_TIME, [`${milliseconds}ms`]);

const LIMIT_TIME = {
  name: 'pageSearch.limitTime',
  text: "SELECT set_config('statement_timeout', $1, true)",
};

/** A workspace whose index does not have everything. */
export interface BehindIndex extends LogPlace {
  workspaceId: string;
  /** Seconds since the first change was made, or a load began, that it does not have. */
  age: number;
  /** Seconds since its newest change. */
  newestAge: number | null;
  /** It lacks more than what is among its newest changes. */
  isIncomplete: boolean;
}

/** Those of these workspaces of a team whose indexes are behind, as places in their logs. */
export const findBehindAmong = (
  tx: Transaction,
  teamId: string,
  workspaceIds: readonly string[],
): Promise<BehindIndex[]> => tx.query(BEHIND, [teamId, workspaceIds]);

/** The rows of the log of `place` after it. */
const LOGGED_AFTER = `
        FROM tree_changes l
        WHERE l.team_id = $1 AND l.workspace_id = place.workspace_id
          AND (l.version, l.id) > (place.version, place.id)`;

/** How long ago, in seconds. */
const age = (time: string): string => `date_part('epoch', clock_timestamp() - ${time})`;

const BEHIND = manyRows({
  name: 'pageSearch.behind',
  text: `
    SELECT place.workspace_id AS "workspaceId", place.version::float8 AS version, place.id,
      ${age('coalesce(place.loading_since, first.created_at, place.created_at)')} AS age,
      ${age('newest.created_at')} AS "newestAge",
      place.loading_since IS NOT NULL OR first.version IS NULL
        OR first.version > place.version + CASE WHEN place.id = '${LAST_ID}' THEN 1 ELSE 0 END
        OR EXISTS (SELECT ${LOGGED_AFTER}
          ORDER BY l.team_id, l.workspace_id, l.version, l.id OFFSET ${MAX_BEHIND.changes}
        ) AS "isIncomplete"
    FROM unnest($2::uuid[]) AS readable (id)
    CROSS JOIN LATERAL (
      SELECT w.id AS workspace_id, w.tree_version, w.created_at, coalesce(s.version, 0) AS version,
        coalesce(s.id, '${LAST_ID}') AS id,
        CASE WHEN s.loaded_id IS NOT NULL THEN s.since END AS loading_since
      FROM (
        SELECT * FROM workspaces w
        WHERE w.team_id = $1 AND w.id >= readable.id AND w.id <= readable.id AND ${IS_ALIVE_BY_ID}
        ORDER BY w.team_id, w.id LIMIT 1
      ) AS w
      LEFT JOIN LATERAL (
        SELECT * FROM search_positions s
        WHERE s.team_id = $1 AND s.workspace_id >= w.id AND s.workspace_id <= w.id
        ORDER BY s.team_id, s.workspace_id LIMIT 1
      ) AS s ON true
      OFFSET 0
    ) AS place
    LEFT JOIN LATERAL (
      SELECT l.version, l.created_at ${LOGGED_AFTER}
      ORDER BY l.team_id, l.workspace_id, l.version, l.id LIMIT 1
    ) AS first ON true
    LEFT JOIN LATERAL (
      SELECT l.created_at ${LOGGED_AFTER}
      ORDER BY l.team_id DESC, l.workspace_id DESC, l.version DESC, l.id DESC LIMIT 1
    ) AS newest ON true
    WHERE place.tree_version > place.version OR place.id < '${LAST_ID}'
      OR place.loading_since IS NOT NULL`,
});

/** A page that has changed since the index has read it. */
export interface ChangedPage extends Candidate {
  /** Seconds since its newest change. */
  age: number;
}

/** The pages among the newest changes of these workspaces that the indexes do not have: one more than are looked at. */
export function findChangedPages(
  tx: Transaction,
  teamId: string,
  places: readonly BehindIndex[],
): Promise<ChangedPage[]> {
  const ids = places.map(({ workspaceId }) => workspaceId);
  const versions = places.map(({ version }) => version);
  return tx.query(CHANGED, [teamId, ids, versions, places.map(({ id }) => id)]);
}

const CHANGED = manyRows({
  name: 'pageSearch.changed',
  text: `
    SELECT newest.id, newest.workspace_id AS "workspaceId", newest.updated_at AS "changedAt",
      ${age('newest.at')} AS age, octet_length(content.text) AS bytes
    FROM (
      SELECT c.id, place.workspace_id, c.updated_at, change.at
      FROM unnest($2::uuid[], $3::bigint[], $4::uuid[]) AS place (workspace_id, version, id)
      CROSS JOIN LATERAL (
        SELECT logged.id, max(logged.version) AS version, max(logged.created_at) AS at
        FROM (
          SELECT l.id, l.version, l.created_at ${LOGGED_AFTER}
          ORDER BY l.team_id DESC, l.workspace_id DESC, l.version DESC, l.id DESC
          LIMIT ${MAX_BEHIND.changes}
        ) AS logged GROUP BY logged.id
      ) AS change
      CROSS JOIN LATERAL (${rowOf('change.id', 'c.id, c.workspace_id, c.object, c.updated_at')}
      ) AS c
      LEFT JOIN LATERAL (${indexed('change.id', 'p.tree_version', 'place.workspace_id')}
      ) AS p ON true
      WHERE c.workspace_id = place.workspace_id AND c.object = 'item'
        AND coalesce(p.tree_version < change.version, true)
      ORDER BY change.at DESC, c.id LIMIT ${MAX_LOOKED_AT.pages + 1}
    ) AS newest
    CROSS JOIN LATERAL (${rowOf('newest.id', "coalesce(c.content::text, '{}') AS text")}
    ) AS content
    ORDER BY newest.at DESC, newest.id`,
});

/** Where to look in the index: a workspace, and what to find there. */
export interface IndexQuery {
  workspaceId: string;
  /** A tsquery. */
  query: string;
}

/**
 * The pages that the index finds, the newest first; a page may come more than once.
 * @param after the last one that was found before
 * @param isDistributed on Citus
 */
export function findCandidates(
  tx: Transaction,
  teamId: string,
  queries: readonly IndexQuery[],
  limit: number,
  after: Candidate | null,
  isDistributed: boolean,
): Promise<Candidate[]> {
  const ids = queries.map(({ workspaceId }) => workspaceId);
  const values = [teamId, ids, queries.map(({ query }) => query), limit];
  return tx.query(isDistributed ? CANDIDATES_ON_NODES : CANDIDATES, [
    ...values,
    after?.changedAt ?? null,
    after?.id ?? null,
  ]);
}

/** @param rows of `page_words` */
const candidates = (name: string, rows: string): ManyRows =>
  manyRows({
    name,
    text: `
    SELECT found.* FROM unnest($2::uuid[], $3::text[]) AS place (id, query)
    CROSS JOIN LATERAL (
      SELECT p.id, p.workspace_id AS "workspaceId", p.changed_at AS "changedAt", p.bytes
      FROM (${rows}
      ) AS p
      WHERE p.team_id = $1 AND p.workspace_id = place.id
        AND ($5::timestamptz IS NULL OR p.changed_at < $5 OR (p.changed_at = $5 AND p.id > $6::uuid))
      ORDER BY p.changed_at DESC, p.id LIMIT $4
    ) AS found
    ORDER BY found."changedAt" DESC, found.id LIMIT $4`,
  });

const MATCHING = 'SELECT * FROM page_words p WHERE p.words @@ place.query::tsquery';

/**
 * The index finds the rows of the workspace alone. The team is compared afterwards (OFFSET 0): otherwise the
 * planner would walk all rows of the team beside it, also those of workspaces that the caller may not read.
 */
const CANDIDATES = candidates('pageSearch.candidates', `${MATCHING} OFFSET 0`);
/** A distributed database has to see the team in it. */
const CANDIDATES_ON_NODES = candidates(
  'pageSearch.candidatesOnNodes',
  `${MATCHING} AND p.team_id = $1`,
);

/** The text of a page, or what it is made of. */
export interface PageContent {
  id: string;
  title: string;
  /** JSON text. */
  content: string;
  changedAt: Date;
}

/** Those of these pages that are where the index says. */
export function readContents(
  tx: Transaction,
  teamId: string,
  pages: readonly Candidate[],
): Promise<PageContent[]> {
  return tx.query(CONTENTS, [teamId, ...placesOf(pages)]);
}

const placesOf = (pages: readonly Pick<Candidate, 'id' | 'workspaceId'>[]): string[][] => [
  pages.map(({ id }) => id),
  pages.map(({ workspaceId }) => workspaceId),
];

const CONTENTS = manyRows({
  name: 'pageSearch.contents',
  text: `
    SELECT c.id, ${ITEM_FIELDS.title.read('c')} AS title, coalesce(c.content::text, '{}') AS content,
      c.updated_at AS "changedAt"
    FROM unnest($2::uuid[], $3::uuid[]) AS wanted (item, workspace_id)
    CROSS JOIN LATERAL (${rowOf('wanted.item')}
    ) AS c
    WHERE c.workspace_id = wanted.workspace_id AND c.object = 'item'`,
});

/** A page as it is shown. */
export interface ShownPage {
  id: string;
  /** Its JSON as lists show it, without the closing brace. */
  json: string;
  ancestors: readonly Ancestor[];
  title: string;
  slug: string;
}

/** These pages as they are shown, with the workspaces that they are in. */
export const readShown = (
  tx: Transaction,
  teamId: string,
  pages: readonly Pick<Candidate, 'id' | 'workspaceId'>[],
): Promise<ShownPage[]> => tx.query(SHOWN, [teamId, ...placesOf(pages)]);

const SHOWN = scan({
  name: 'pageSearch.shown',
  text: `
    SELECT item.id, item.json, ${ancestorsIn('$1')} AS ancestors, w.name AS title, w.slug
    FROM unnest($2::uuid[], $3::uuid[]) AS wanted (item, workspace_id)
    CROSS JOIN LATERAL (${rowOf('wanted.item', `c.id, c.parent_id, ${ITEM_JSON} AS json`)}
    ) AS item
    CROSS JOIN LATERAL (
      SELECT name, slug FROM workspaces w
      WHERE w.team_id = $1 AND w.id >= wanted.workspace_id AND w.id <= wanted.workspace_id
      ORDER BY w.team_id, w.id LIMIT 1
    ) AS w`,
});
