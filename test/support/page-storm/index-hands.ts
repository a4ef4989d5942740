import { setTimeout as sleep } from 'node:timers/promises';
import type { InsideService } from '../app.js';
import { sql } from '../sql.js';

interface Place {
  teamId: string;
  id: string;
}
interface Cursor {
  version: number;
  id: string;
}
/** The provider of this name, as far as the tests call it. */
export interface IndexWriter {
  rewritePage(workspace: Place, id: string): Promise<void>;
  writePortion(
    workspace: Place,
    cursor: Cursor | null,
  ): Promise<{ cursor?: Cursor | null; mustWait?: boolean } | null>;
}

export const writerOf = (service: InsideService): IndexWriter =>
  service.provider<IndexWriter>('IndexWriter');

/** As if time had passed: no page was indexed a moment ago, but for workspaces whose index is being written. */
export const age = (databaseUrl: string): Promise<unknown> =>
  sql(
    databaseUrl,
    `WITH place AS MATERIALIZED (
       SELECT team_id, workspace_id FROM search_positions FOR UPDATE SKIP LOCKED
     )
     UPDATE page_words p SET indexed_at = indexed_at - interval '11 seconds' FROM place
     WHERE p.team_id = place.team_id AND p.workspace_id = place.workspace_id`,
  );

export const placesIn = (databaseUrl: string): Promise<Place[]> =>
  sql<Place & Record<string, string>>(
    databaseUrl,
    'SELECT team_id AS "teamId", id FROM workspaces WHERE deleted_at IS NULL',
  );

/**
 * Writes portions of workspaces at random, as an instance does that does not know of any other, until it is stopped.
 * @param mayFail its connections are cut
 * @returns stops it
 */
export function writeAtRandom(
  service: InsideService,
  places: readonly Place[],
  mayFail: () => boolean,
): () => Promise<void> {
  const writer = writerOf(service);
  const cursors = new Map<string, Cursor | null>();
  let isOver = false;
  const running = (async () => {
    while (!isOver) {
      const place = places[Math.floor(Math.random() * places.length)] as Place;
      try {
        const progress = await writer.writePortion(place, cursors.get(place.id) ?? null);
        cursors.set(place.id, progress?.cursor ?? null);
      } catch (error) {
        if (!mayFail()) throw error;
      }
      await sleep(Math.random() * 20);
    }
  })();
  return () => {
    isOver = true;
    return running;
  };
}

/** Lets the index follow all changes. */
export async function catchUp(service: InsideService): Promise<void> {
  const writer = writerOf(service);
  for (const place of await placesIn(service.databaseUrl)) {
    let cursor: Cursor | null = null;
    for (let turns = 0; ; turns++) {
      if (turns > 1000) throw new Error(`the index of ${place.id} does not catch up`);
      await age(service.databaseUrl);
      const progress = await writer.writePortion(place, cursor);
      if (progress === null) break;
      cursor = progress.cursor ?? null;
    }
  }
}
