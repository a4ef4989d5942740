import type pg from 'pg';
import { ITEM_FIELDS } from 'teamspaces-service/collections/items/item.fields';
import { lexemesOf } from 'teamspaces-service/collections/search/lexemes';
import { LAST_ID } from 'teamspaces-service/database/identifiers';
import { inPortions } from 'teamspaces-service/event-loop';
import { EXAMPLES, type Finding } from './finding.js';

/** Pages that are compared with the index, at most. */
const SAMPLE = 1000;

/**
 * Whether the index of search in pages has every word of a random sample of pages, by the snapshot of a transaction.
 * Left out are pages that the index does not have to know yet: their workspace has no index, is being loaded, or has
 * logged a later change of the page; and those that were set aside.
 */
export async function checkSearchIndex(client: pg.Client): Promise<Finding> {
  const finding: Finding = {
    name: `the index of search has every word of a page (a sample of ${SAMPLE.toLocaleString('en')})`,
    violations: 0,
    examples: [],
  };
  const { rows } = await client.query<SampledPage>(SAMPLED);
  for (const { teamId, workspaceId, id } of rows) {
    const key = [teamId, workspaceId, id];
    const { rows: pages } = await client.query<PageText>(TEXT, key);
    if (!pages[0]) continue;
    const lexemes = await inPortions(lexemesOf(workspaceId, pages[0]));
    const { rows: lacking } = await client.query<{ words: number }>(LACKING, [
      ...key,
      lexemes.flat(),
    ]);
    const words = lacking[0]?.words ?? 0;
    if (words === 0) continue;
    finding.violations++;
    if (finding.examples.length < EXAMPLES) {
      finding.examples.push(
        JSON.stringify({ id, workspace_id: workspaceId, missing_words: words }),
      );
    }
  }
  return finding;
}

interface SampledPage {
  teamId: string;
  workspaceId: string;
  id: string;
}

const SAMPLED = `
  SELECT team_id AS "teamId", workspace_id AS "workspaceId", id
  FROM collections WHERE object = 'item' ORDER BY random() LIMIT ${SAMPLE}`;

interface PageText {
  title: string;
  /** JSON text. */
  content: string;
}

/** A page, if the index must know it. The log must not have lost changes after the position. */
const TEXT = `
  SELECT ${ITEM_FIELDS.title.read('c')} AS title, coalesce(c.content::text, '{}') AS content
  FROM collections c
  JOIN workspaces w ON w.team_id = $1 AND w.id = $2 AND w.deleted_at IS NULL
  JOIN search_positions s ON s.team_id = $1 AND s.workspace_id = $2
  WHERE c.team_id = $1 AND c.workspace_id = $2 AND c.id = $3
    AND (s.loaded_id IS NULL OR c.id <= s.loaded_id)
    AND (w.tree_version <= s.version OR EXISTS (
      SELECT 1 FROM tree_changes l WHERE l.team_id = $1 AND l.workspace_id = $2
        AND l.version >= s.version AND (l.version, l.id) > (s.version, s.id)
        AND l.version <= s.version + CASE WHEN s.id = '${LAST_ID}' THEN 1 ELSE 0 END
    ))
    AND NOT EXISTS (
      SELECT 1 FROM tree_changes l WHERE l.team_id = $1 AND l.workspace_id = $2
        AND (l.version, l.id) > (s.version, s.id) AND l.id = $3
    )
    AND NOT EXISTS (
      SELECT 1 FROM page_words p
      WHERE p.team_id = $1 AND p.workspace_id = $2 AND p.id = $3 AND p.is_set_aside
    )`;

const LACKING = `
  SELECT count(*)::int AS words FROM (
    SELECT unnest($4::text[]) EXCEPT
    SELECT unnest(tsvector_to_array(p.words)) FROM page_words p
    WHERE p.team_id = $1 AND p.workspace_id = $2 AND p.id = $3
  ) AS lacking`;
