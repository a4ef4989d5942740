import type { Caller } from './app.js';
import { ok } from './builders.js';
import { sql } from './sql.js';

/** Makes a page have a version, by a save over a content of an unknown author. @returns the number of the version */
export async function aVersion(
  { databaseUrl }: { databaseUrl: string },
  caller: Caller,
  pageId: string,
): Promise<number> {
  await sql(databaseUrl, BY_NOBODY, [pageId]);
  await ok(caller.put(`/collections/${pageId}`, { content: { saved: crypto.randomUUID() } }));
  const path = `/collections/${pageId}/versions?limit=1`;
  const [newest] = await ok<{ version: number }[]>(caller.get(path));
  return (newest as { version: number }).version;
}

/** An empty content is no version. */
const BY_NOBODY = `
  UPDATE collections SET author_version = NULL, saved_version = NULL,
    content = CASE content::text WHEN '{}' THEN '{"before":true}' ELSE content END
  WHERE id = $1`;
