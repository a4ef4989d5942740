import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from '../../support/sql.js';
import { freePort } from '../process.js';
import { assertResponses, countLost } from './consistency.js';
import { addRow, ownDatabase, startUnlimited, TIMEOUT, verify } from './fault.js';
import { MixedLoad } from './mixed-load.js';

const TIMES = 5;
/** Milliseconds of load between a start and the kill. */
const LONG = 1_200;

const database = ownDatabase();

test(
  'the process is killed in the midst of writes, five times over',
  async () => {
    const env = { DATABASE_URL: database.url, PORT: String(await freePort()) };
    let service = await startUnlimited(env);
    const load = await MixedLoad.prepare(service.url);
    load.start();
    let slowest = 0;
    for (let n = 0; n < TIMES; n++) {
      await sleep(LONG);
      await service.end('SIGKILL');
      await verify(database.url);
      await assertWhole(load);
      service = await startUnlimited(env);
      const ready = performance.now();
      while (load.recoveredAt(ready) === null) await sleep(20);
      slowest = Math.max(slowest, (load.recoveredAt(ready) ?? 0) - ready);
    }
    await sleep(LONG);
    await load.stop();
    const lost = await countLost(load);
    addRow(`SIGKILL in the midst of writes, ${TIMES} times`, load.asked, slowest, null, lost);
    assertResponses(load.asked, { mayBeCut: true });
    expect(load.asked.some(({ status }) => status === null)).toBe(true);
    expect(load.asked.some(({ status }) => status === 500)).toBe(false);
    await verify(database.url);
  },
  TIMEOUT,
);

/** A folder that is transferred again and again is with all below it in one workspace, right after a kill. */
async function assertWhole(load: MixedLoad): Promise<void> {
  for (const { folder, folderIds } of load.ownItems) {
    const places = await sql<{ workspace_id: string; items: string }>(
      database.url,
      `SELECT workspace_id, count(*) AS items FROM collections WHERE id = ANY ($1) GROUP BY workspace_id`,
      [folderIds],
    );
    const items = places.map((place) => Number(place.items));
    expect({ folder, items }).toEqual({ folder, items: [folderIds.length] });
  }
}
