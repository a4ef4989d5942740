import { setTimeout as sleep } from 'node:timers/promises';
import type { Caller } from '../support/app.js';
import { anItem, aTeam, aWorkspace } from '../support/builders.js';
import { aMember } from '../support/members.js';
import { scene } from '../support/scene.js';

/** Waves of patches: as many in a minute as a sixth of the rate limit, 24 at a time. */
const AT_ONCE = 24;
const WAVES = process.env.NIGHTLY ? 8 : 2;
const PAUSE = 7_200;

const at = scene({ once: 'team', env: { RATE_LIMIT_PER_MINUTE: '1200' } });

interface Saves {
  took: number[];
  /** Of the attacker's requests, how many were answered meanwhile. */
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
  let answered = 0;
  const refused: Record<number, number> = {};

  async function attack(page: string): Promise<void> {
    const send = async () => {
      const { status } = await attacker.patch(`/collections/${page}/content`, copies);
      refused[status] = (refused[status] ?? 0) + 1;
      answered++;
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
      const [start, before] = [performance.now(), answered];
      const { status } = await colleague.put(`/collections/${page}`, { content: { n } });
      saves.took.push(performance.now() - start);
      saves.overtaken.push(answered - before);
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
