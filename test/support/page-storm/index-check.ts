import { indexWords } from '@teamspaces/page-text/index-words';
import { readText } from '@teamspaces/page-text/text';
import { sql } from '../sql.js';

/** The end of a generator's work. */
function result<T>(portions: Generator<undefined, T, undefined>): T {
  for (;;) {
    const { done, value } = portions.next();
    if (done) return value;
  }
}

const BASE64 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
/** The last 36 bits of an id, as six characters. */
function prefixOf(workspaceId: string): string {
  let bits = BigInt(`0x${workspaceId.replaceAll('-', '')}`);
  let text = '';
  for (let n = 0; n < 6; n++, bits >>= 6n) text = BASE64.charAt(Number(bits & 63n)) + text;
  return text;
}

interface Row {
  id: string;
  workspace_id: string;
  title: string;
  content: string;
  lexemes: string[] | null;
  tree_version: string | null;
  /** Its newest change that is still logged. */
  changed: string | null;
  is_sorted_right: boolean | null;
}

/**
 * What is wrong with an index that has followed all changes: positions that are not at the end, words that it lacks of a
 * page, pages that it has and the workspace does not.
 */
export async function faultsOfIndex(databaseUrl: string): Promise<string[]> {
  const faults: string[] = [];
  const behind = await sql<{ id: string }>(
    databaseUrl,
    `SELECT w.id FROM workspaces w
     LEFT JOIN search_positions s ON s.team_id = w.team_id AND s.workspace_id = w.id
     WHERE s.version IS DISTINCT FROM w.tree_version OR s.loaded_id IS NOT NULL
       OR s.id <> 'ffffffff-ffff-ffff-ffff-ffffffffffff'`,
  );
  faults.push(...behind.map(({ id }) => `workspace ${id} is behind`));
  const left = await sql<{ id: string }>(
    databaseUrl,
    `SELECT DISTINCT p.id FROM page_words p WHERE NOT EXISTS (
       SELECT FROM collections c WHERE c.id = p.id AND c.object = 'item'
         AND c.team_id = p.team_id AND c.workspace_id = p.workspace_id)`,
  );
  faults.push(...left.map(({ id }) => `${id} is gone, and in the index`));
  const rows = await sql<Row>(
    databaseUrl,
    `SELECT c.id, c.workspace_id, coalesce(c.title, c.name) AS title, c.content::text,
       words.*, (SELECT max(version) FROM tree_changes l
         WHERE l.workspace_id = c.workspace_id AND l.id = c.id) AS changed
     FROM collections c CROSS JOIN LATERAL (
       SELECT array_agg(lexeme) AS lexemes, min(tree_version) AS tree_version,
         bool_and(changed_at = c.updated_at) AS is_sorted_right
       FROM page_words p CROSS JOIN unnest(tsvector_to_array(p.words)) AS lexeme
       WHERE p.workspace_id = c.workspace_id AND p.id = c.id
     ) AS words WHERE c.object = 'item'`,
  );
  for (const row of rows) {
    const prefix = prefixOf(row.workspace_id);
    const { words, headings } = result(indexWords(result(readText(row.title, row.content))));
    const wanted = [...words, ...[...headings].map((word) => `#${word}`)];
    const has = new Set(row.lexemes);
    const lacks = wanted.filter((word) => !has.has(prefix + word));
    if (lacks.length > 0) faults.push(`${row.id} lacks ${lacks.join(' ')}`);
    const others = [...has].filter((lexeme) => !lexeme.startsWith(prefix));
    if (others.length > 0) faults.push(`${row.id} has ${others.join(' ')}`);
    if (Number(row.tree_version) < Number(row.changed))
      faults.push(`${row.id} is of an old version`);
    if (row.is_sorted_right === false) faults.push(`${row.id} has the time of another change`);
  }
  return faults;
}
