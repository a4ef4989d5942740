import { setTimeout as sleep } from 'node:timers/promises';
import type { Caller } from '../support/app.js';
import { anItem, aTeam, aWorkspace, ok } from '../support/builders.js';
import { aMember, someone } from '../support/members.js';
import { scene } from '../support/scene.js';
import { sql } from '../support/sql.js';

/** Waves of patches: as many in a minute as a sixth of the rate limit, 24 at a time. */
const AT_ONCE = 24;
const WAVES = process.env.NIGHTLY ? 8 : 2;
const PAUSE = 7_200;

const at = scene({ once: 'team', env: { RATE_LIMIT_PER_MINUTE: '1200' } });

interface Saves {
  took: number[];
  /** Of the attacker's requests, how many were carried out meanwhile; one that is refused takes no turn. */
  overtaken: number[];
  statuses: Record<number, number>;
}

const median = (values: number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

describe('a member who sends patches with much work, in one workspace', () => {
  let colleague: Caller;
  let attacker: Caller;
  let query: string;
  beforeAll(async () => {
    const team = await aTeam(at.ada);
    ({ query } = await aWorkspace(at.ada, team));
    colleague = await aMember(at, team, 'member');
    attacker = await aMember(at, team, 'member');
  });

  const copies = Array.from({ length: 100 }, (_, n) => ({
    op: 'copy',
    from: '/a',
    path: `/c${n}`,
  }));
  let carriedOut = 0;
  const refused: Record<number, number> = {};

  async function attack(page: string): Promise<void> {
    const send = async () => {
      const { status } = await attacker.patch(`/collections/${page}/content`, copies);
      refused[status] = (refused[status] ?? 0) + 1;
      if (status === 200) carriedOut++;
    };
    for (let wave = 0; wave < WAVES; wave++) {
      const pause = sleep(PAUSE);
      await Promise.all(Array.from({ length: AT_ONCE }, send));
      await pause;
    }
  }

  /** Saves of the colleague, ten in a second, until something has ended. */
  async function saveUntil(page: string, end: Promise<unknown>): Promise<Saves> {
    const saves: Saves = { took: [], overtaken: [], statuses: {} };
    let isOver = false;
    void end.then(() => (isOver = true));
    for (let n = 0; !isOver; n++) {
      const [start, before] = [performance.now(), carriedOut];
      const { status } = await colleague.put(`/collections/${page}`, { content: { n } });
      saves.took.push(performance.now() - start);
      saves.overtaken.push(carriedOut - before);
      saves.statuses[status] = (saves.statuses[status] ?? 0) + 1;
      await sleep(100);
    }
    return saves;
  }

  test('delays a colleague by few of them, and nobody gets an error', async () => {
    const large = await anItem(at.ada, query, {
      object: 'item',
      content: { a: 1, text: 'x'.repeat(960 * 1024) },
    });
    const small = await anItem(at.ada, query, { object: 'item' });
    await saveUntil(small.id, sleep(1_000));
    const idle = await saveUntil(small.id, sleep(5_000));
    const busy = await saveUntil(small.id, attack(large.id));
    const during = busy.took.filter((_, n) => (busy.overtaken[n] ?? 0) > 0);
    const line = [
      `idle median ${median(idle.took).toFixed(1)} ms`,
      `during the attack ${median(busy.took).toFixed(1)} ms of ${busy.took.length} saves`,
      `of those beside a patch ${median(during).toFixed(1)} ms (${during.length}), longest ${Math.max(...busy.took).toFixed(0)} ms`,
      `statuses of saves ${JSON.stringify(busy.statuses)}, of patches ${JSON.stringify(refused)}`,
    ];
    process.stdout.write(`neighbours: ${line.join('; ')}\n`);
    expect(busy.statuses).toEqual({ 200: busy.took.length });
    expect(Math.max(...busy.overtaken)).toBeLessThanOrEqual(4);
    expect(Object.keys(refused).filter((status) => status !== '200' && status !== '429')).toEqual(
      [],
    );
  }, 120_000);
});

describe('20 members of a team who search 100,000 names as often as the rate limit allows', () => {
  const NAMES = 100_000;
  const CALLERS = 20;
  /** A search costs 11 points of 1,200 a minute. */
  const BETWEEN = 60_000 / (1200 / 11);
  const SEARCHES = process.env.NIGHTLY ? 100 : 8;

  test('delay getTeamInfo of others by few of them', async () => {
    const { query, id } = await aWorkspace(at.ada, at.team);
    const words = ['Release', 'notes', 'Meeting', 'plan', 'Roadmap', 'budget', 'review', 'design'];
    await sql(
      at.databaseUrl,
      `INSERT INTO collections (team_id, workspace_id, id, object, name, slug, position, content)
       SELECT team_id, id, gen_random_uuid(), 'item', concat_ws(' ', words[n % 8 + 1], words[n / 8 % 8 + 1], n),
         'page-' || n, 'a' || lpad(n::text, 6, '0'), '{}'
       FROM workspaces, generate_series(1, $2::int) n, (SELECT $3::text[] AS words) AS all_words
       WHERE id = $1`,
      [id, NAMES, words],
    );
    await sql(at.databaseUrl, 'VACUUM ANALYZE collections');
    const other = await someone(at);
    const team = await aTeam(other);
    const callers = await Promise.all(
      Array.from({ length: CALLERS }, () => aMember(at, at.team, 'member')),
    );
    const statuses: Record<number, number> = {};
    const searching: number[] = [];
    const searches = async (caller: Caller, n: number) => {
      await sleep((BETWEEN / CALLERS) * n);
      for (let k = 0; k < SEARCHES; k++) {
        const pause = sleep(BETWEEN);
        const start = performance.now();
        const { status } = await caller.get(`/collections/search${query}&q=${words[k % 8]}`);
        searching.push(performance.now() - start);
        statuses[status] = (statuses[status] ?? 0) + 1;
        await pause;
      }
    };
    /** Requests of the other one, twenty in a second, until something has ended. */
    async function readUntil(end: Promise<unknown>) {
      const took: number[] = [];
      /** Searches that were answered while a read waited, of each read. */
      const overtaken: number[] = [];
      let isOver = false;
      void end.then(() => (isOver = true));
      while (!isOver) {
        const [start, before] = [performance.now(), searching.length];
        await ok(other.get(`/teams/${team}`));
        took.push(performance.now() - start);
        overtaken.push(searching.length - before);
        await sleep(50);
      }
      return { took, overtaken };
    }
    await readUntil(sleep(1_000));
    const idle = await readUntil(sleep(5_000));
    const busy = await readUntil(Promise.all(callers.map(searches)));
    const line = [
      `getTeamInfo idle median ${median(idle.took).toFixed(1)} ms`,
      `beside searches ${median(busy.took).toFixed(1)} ms of ${busy.took.length}`,
      `overtaken by ${median(busy.overtaken)}, at most ${Math.max(...busy.overtaken)}`,
      `searches median ${median(searching).toFixed(0)} ms, longest ${Math.max(...searching).toFixed(0)} ms`,
      `statuses of searches ${JSON.stringify(statuses)}`,
    ];
    process.stdout.write(`neighbours: ${line.join('; ')}\n`);
    expect(Object.keys(statuses).filter((status) => !['200', '429'].includes(status))).toEqual([]);
    expect(median(busy.overtaken)).toBe(0);
    expect(Math.max(...busy.overtaken)).toBeLessThanOrEqual(4);
  }, 180_000);
});
