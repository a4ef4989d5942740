import { setTimeout as sleep } from 'node:timers/promises';
import { somebody, tokenOf } from '../../support/app.js';
import { sql } from '../../support/sql.js';
import { freePort } from '../process.js';
import { ownDatabase, sessionsAreOver, startUnlimited, TIMEOUT, verify } from './fault.js';

const TIMES = 3;
/** Milliseconds of saves between a start and the kill. */
const LONG = 1_000;
/** Pages that are saved at the same time, and versions of a page that are kept. */
const PAGES = 4;
const KEPT = 50;

const database = ownDatabase();
const people = [somebody('Ada'), somebody('Bob')].map(tokenOf);

test(
  'the process is killed while two people save in turn: each save has kept the version before it',
  async () => {
    const env = { DATABASE_URL: database.url, PORT: String(await freePort()) };
    let service = await startUnlimited(env);
    const ask = async (who: number, method: string, path: string, body: object) => {
      const response = await fetch(service.url + path, {
        method,
        headers: { authorization: `Bearer ${people[who]}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
      if (response.status !== 200) throw new Error(`${path}: ${await response.text()}`);
      return (await response.json()) as { id: string; inviteCode: string };
    };
    const { inviteCode } = await ask(0, 'POST', '/teams', { name: 'Acme', slug: 'acme' });
    await ask(1, 'POST', '/teams/join', { inviteCode });
    await ask(0, 'POST', '/teams/acme/workspaces', { name: 'Notes' });
    const place = '/teams/acme/workspaces/notes/collections';
    // Not empty: an empty content is never kept.
    const page = { object: 'item', content: { n: 0 } };
    const pages = await Promise.all(
      Array.from({ length: PAGES }, () => ask(0, 'POST', place, page)),
    );
    let isOver = false;
    let saved = 0;
    const saves = pages.map(async ({ id }) => {
      // What failed may be saved nevertheless: it is sent again, by the same person.
      for (let n = 1; !isOver; ) {
        const isSaved = await ask(n % 2, 'PUT', `/collections/${id}`, { content: { n } }).then(
          () => true,
          () => sleep(20, false),
        );
        if (isSaved) n++;
        if (isSaved) saved++;
      }
    });
    for (let n = 0; n < TIMES; n++) {
      const before = saved;
      while (saved < before + 100) await sleep(20);
      await sleep(LONG);
      await service.end('SIGKILL');
      await sessionsAreOver(database.url);
      await verify(database.url);
      for (const { id } of pages) await assertKept(id);
      service = await startUnlimited(env);
    }
    isOver = true;
    await Promise.all(saves);
    await verify(database.url);
  },
  TIMEOUT,
);

/** Of what was there before the last save, nothing is missing. */
async function assertKept(id: string): Promise<void> {
  const content = "(content ->> 'n')::int AS n";
  const [page] = await sql<{ n: number }>(
    database.url,
    `SELECT ${content} FROM collections WHERE id = $1`,
    [id],
  );
  const versions = await sql<{ n: number }>(
    database.url,
    `SELECT ${content} FROM page_versions WHERE id = $1 ORDER BY version DESC`,
    [id],
  );
  const last = (page as { n: number }).n;
  const expected = Array.from({ length: Math.min(last, KEPT) }, (_, n) => last - 1 - n);
  expect(versions.map(({ n }) => n)).toEqual(expected);
}
