import type { Caller } from './app.js';
import { ok } from './builders.js';
import { sql } from './sql.js';

/** Makes a page of an unknown author have a version, by a save. @returns the number of the version */
export async function aVersion(
  { databaseUrl }: { databaseUrl: string },
  caller: Caller,
  pageId: string,
): Promise<number> {
  const text = 'UPDATE collections SET author_version = NULL WHERE id = $1';
  await sql(databaseUrl, text, [pageId]);
  await ok(caller.put(`/collections/${pageId}`, { content: { saved: crypto.randomUUID() } }));
  const path = `/collections/${pageId}/versions?limit=1`;
  const [newest] = await ok<{ version: number }[]>(caller.get(path));
  return (newest as { version: number }).version;
}
