import { startService } from '../support/app.js';
import { anItem, ok, theTree } from '../support/builders.js';
import { holdLock, holdWorkspace } from '../support/locks.js';
import { scene } from '../support/scene.js';
import { sql } from '../support/sql.js';
import { everyItem, idsOf, putRows, usageOf } from '../support/tree.js';

/** Levels of nesting that the service takes. */
const MAX_DEPTH = 128;

const ENV = { PLAN_LIMITS: '{"free":{"pages":0,"workspaces":0}}' };

const at = scene({
  env: ENV,
  once: 'team',
  each: 'workspace',
  verify: true,
  proxied: true,
});
afterEach(() => {
  at.proxy.decide = () => 'pass';
});

interface Answer {
  status: number;
  headers: { etag?: string };
  body: { id: string };
}
type Request = () => PromiseLike<Answer>;

const create = (body: object) => at.ada.post(`/collections${at.query}`, body);
const move = (id: string, newParent?: string | null, index = 0) =>
  at.ada.post(`/collections/reorder${at.query}`, { id, index, newParent });
const update = (id: string, body: object) => at.ada.put(`/collections/${id}${at.query}`, body);
const tagOf = async (id: string): Promise<string> =>
  (await at.ada.get(`/collections/${id}${at.query}`)).headers.etag as string;

/** Sends a request that names the workspace; resolves when it has read the workspace. */
async function admitted<T>(request: () => PromiseLike<T>): Promise<{ answer: Promise<T> }> {
  const isRead = at.proxy.responded('workspaces.find');
  const answer = Promise.resolve(request());
  await isRead;
  return { answer };
}

/** Commands that wait, to be carried out in one batch. */
interface Batch {
  /** Lets them begin. */
  begin(): Promise<void>;
  answers: Promise<Answer[]>;
}

/**
 * Sends commands that come into one batch, in this order: they wait behind one that waits for the
 * lock of the workspace.
 */
async function aBatchOf(...requests: Request[]): Promise<Batch> {
  const stopper = await anItem(at.ada, at.query);
  const lock = await holdWorkspace(at.databaseUrl, at.workspace.id);
  const first = Promise.resolve(update(stopper.id, { name: 'First' }));
  await lock.waiting(1);
  const sent: Promise<Answer>[] = [];
  for (const request of requests) sent.push((await admitted(request)).answer);
  const begin = async () => {
    await lock.release();
    expect((await first).status).toBe(200);
  };
  return { begin, answers: Promise.all(sent) };
}

async function inOneBatch(...requests: Request[]): Promise<Answer[]> {
  const { begin, answers } = await aBatchOf(...requests);
  const { statements } = await at.proxy.during(async () => {
    await begin();
    await answers;
  });
  const locks = statements.filter(({ name }) => name === 'tree.lock').length;
  // One lock for all; and one for each, where they are carried out one by one in the end.
  expect([1, 1 + requests.length]).toContain(locks);
  return answers;
}

describe('commands of one batch', () => {
  describe('with If-Match of a collection, after a command before has changed its children', () => {
    const CHANGES: Record<string, (parent: string, child: string) => Promise<Request>> = {
      'a child is made': async (parent) => () => create({ parent }),
      'a child moves in': async (parent) => {
        const { id } = await anItem(at.ada, at.query);
        return () => move(id, parent);
      },
      'a child moves out': async (_, child) => {
        const { id } = await anItem(at.ada, at.query);
        return () => move(child, id);
      },
      'a child moves to the top level': async (_, child) => () => update(child, { parent: null }),
      'a child is renamed': async (_, child) => () => update(child, { name: 'Renamed' }),
      'two children change places': async (_, child) => () => move(child, undefined, 1),
    };

    /** The statuses of each change, and of what follows it with the ETag of before. */
    async function statusesOf(
      send: (parent: string, etag: string) => PromiseLike<Answer>,
      together: (...requests: Request[]) => Promise<Answer[]>,
    ): Promise<[change: string, statuses: number[]][]> {
      const found: [string, number[]][] = [];
      for (const [name, prepare] of Object.entries(CHANGES)) {
        const parent = (await anItem(at.ada, at.query)).id;
        const child = (await anItem(at.ada, at.query, { parent })).id;
        await anItem(at.ada, at.query, { parent });
        const change = await prepare(parent, child);
        const etag = await tagOf(parent);
        const answers = await together(change, () => send(parent, etag));
        found.push([name, answers.map(({ status }) => status)]);
      }
      return found;
    }

    const all = (...statuses: number[]) => Object.keys(CHANGES).map((name) => [name, statuses]);

    test('an update compares the collection alone', async () => {
      const guarded = (parent: string, etag: string) =>
        update(parent, { name: 'Guarded' }).set('if-match', etag);
      expect(await statusesOf(guarded, inOneBatch)).toEqual(all(200, 200));
    });

    test('a delete compares the children, too', async () => {
      const guarded = (parent: string, etag: string) =>
        at.ada.delete(`/collections/${parent}${at.query}`).set('if-match', etag);
      const inTurn = async (...requests: Request[]) => {
        const { begin, answers } = await aBatchOf(...requests);
        await begin();
        return answers;
      };
      expect(await statusesOf(guarded, inTurn)).toEqual(all(200, 409));
    });
  });

  test('an update shows the ETag that GET shows, whatever was moved before it', async () => {
    const [from, to] = [(await anItem(at.ada, at.query)).id, (await anItem(at.ada, at.query)).id];
    const child = (await anItem(at.ada, at.query, { parent: from })).id;
    const [, ...renamed] = await inOneBatch(
      () => move(child, to),
      () => update(from, { name: 'From' }),
      () => update(to, { name: 'To' }),
    );
    const shown = renamed.map(({ headers }) => headers.etag);
    expect(shown).toEqual([await tagOf(from), await tagOf(to)]);
  });

  test('a collection that grows by a command before is refused where it would be too deep', async () => {
    const chain = await putRows(
      at.databaseUrl,
      at.workspace.id,
      Array.from({ length: MAX_DEPTH - 2 }, (_, level) => ({
        object: 'collection' as const,
        ...(level > 0 && { parent: level - 1 }),
      })),
    );
    const deepest = chain.at(-1) as string;
    const GROWTHS: Record<string, (low: string, below: string) => Promise<Request>> = {
      'by a move of two levels': async (low) => {
        const { id } = await anItem(at.ada, at.query);
        await anItem(at.ada, at.query, { parent: id });
        return () => move(id, low);
      },
      'by a create further down': async (_, below) => () => create({ parent: below }),
      'by a move further down': async (_, below) => {
        const { id } = await anItem(at.ada, at.query, { object: 'item' });
        return () => update(id, { parent: below });
      },
    };
    const offenders: unknown[] = [];
    for (const [name, prepare] of Object.entries(GROWTHS)) {
      const low = (await anItem(at.ada, at.query)).id;
      const below = (await anItem(at.ada, at.query, { parent: low })).id;
      const grow = await prepare(low, below);
      const [grown, moved] = await inOneBatch(grow, () => move(low, deepest));
      const statuses = [grown?.status, moved?.status];
      if (statuses.join() !== '200,422') offenders.push([name, statuses]);
    }
    expect(offenders).toEqual([]);
  });

  test('a place behind a hundred that are made in a long list is the one that was asked for', async () => {
    const [parent = '', ...ids] = await putRows(at.databaseUrl, at.workspace.id, [
      { object: 'collection' },
      ...Array.from({ length: 2_100 }, () => ({ object: 'item' as const, parent: 0 })),
    ]);
    const items = Array.from({ length: 100 }, () => ({}));
    const [made, placed] = await inOneBatch(
      () => at.ada.post(`/collections/batch${at.query}`, { parent, index: 0, items }),
      () => create({ parent, index: 2_150 }),
    );
    expect([made?.status, placed?.status]).toEqual([200, 200]);
    const shown = idsOf(await theTree(at.ada, `${at.query}&parent=${parent}`));
    expect(shown.indexOf(placed?.body.id as string)).toBe(2_150);
    expect(shown.filter((id) => ids.includes(id))).toEqual(ids);
  });
});

describe('a deadlock with somebody else', () => {
  const DEADLOCK = '40P01';

  /**
   * Runs requests that come to wait for the counters of the team, which somebody holds who then asks
   * for the workspace. PostgreSQL refuses who waited first, unless the second comes a second late.
   */
  async function deadlocked({ begin, answers }: Batch) {
    const holder = await holdLock(
      at.databaseUrl,
      `SELECT 1 FROM team_usage WHERE team_id = (SELECT id FROM teams WHERE slug = $1)
       FOR NO KEY UPDATE`,
      [at.team],
    );
    let isRefused = true;
    try {
      await begin();
      await holder.waiting(1);
      await holder
        .take('SELECT 1 FROM workspaces WHERE id = $1 FOR NO KEY UPDATE', [at.workspace.id])
        .catch((error: { code?: string }) => {
          if (error.code !== DEADLOCK) throw error;
          isRefused = false;
        });
    } finally {
      await holder.release();
    }
    return { isRefused, statuses: (await answers).map(({ status }) => status) };
  }

  /** A request that is sent when it is to begin. */
  async function alone(send: Request): Promise<Batch> {
    let begin: () => void = () => undefined;
    const begun = new Promise<void>((resolve) => {
      begin = resolve;
    });
    return { begin: async () => begin(), answers: begun.then(send).then((answer) => [answer]) };
  }

  test('fails no command: each is carried out, once', async () => {
    const shelf = (await anItem(at.ada, at.query)).id;
    const body = { object: 'item', parent: shelf };
    const doomed = await Promise.all([1, 2, 3].map(() => anItem(at.ada, at.query, body)));
    const make = () => create(body);
    const WAYS: Record<string, [grows: number, prepare: (turn: number) => Promise<Batch>]> = {
      'a delete': [
        -1,
        (turn) => alone(() => at.ada.delete(`/collections/${doomed[turn]?.id}${at.query}`)),
      ],
      'a create': [1, () => alone(make)],
      'a create with a key': [1, (turn) => alone(() => make().set('idempotency-key', `k${turn}`))],
      'a batch': [3, () => aBatchOf(make, make, make)],
    };
    const offenders: unknown[] = [];
    for (const [name, [grows, prepare]] of Object.entries(WAYS)) {
      let wasRefused = false;
      for (let turn = 0; turn < 3 && !wasRefused; turn++) {
        const batch = await prepare(turn);
        const { pages } = await usageOf(at.ada, at.team);
        const { isRefused, statuses } = await deadlocked(batch);
        const { pages: now } = await usageOf(at.ada, at.team);
        if (statuses.some((status) => status !== 200) || now !== pages + grows) {
          offenders.push([name, statuses, now - pages]);
        }
        wasRefused = isRefused;
      }
      if (!wasRefused) offenders.push([name, 'never refused']);
    }
    expect(offenders).toEqual([]);
  });
});

test('a restore of what another instance has restored meanwhile is 404, whatever its own place would be refused for', async () => {
  const other = await startService(ENV, at.databaseUrl);
  try {
    const { id } = await anItem(at.ada, at.query, { object: 'item' });
    await ok(at.ada.delete(`/collections/${id}`));
    const path = `/collections/trash/${id}/restore${at.query}`;
    const found = at.proxy.holdResponse('trash.find');
    // When this is sent, there is no such parent; then there is, and it is a page.
    const late = at.ada.post(path, { parent: id }).then(({ status, body }) => [status, body]);
    await found.arrived;
    await ok(other.as(at.ada.person).post(path, {})).finally(found.release);
    expect(await late).toMatchObject([
      404,
      { error: { message: 'deletion not found: check the id' } },
    ]);
  } finally {
    await other.stop();
  }
});

describe('a tree that is read while it changes', () => {
  test('who asks after a change is not shown what somebody else reads since before', async () => {
    const { id } = await anItem(at.ada, at.query, { name: 'Before' });
    const held = at.proxy.holdResponse('tree.whole');
    const early = theTree(at.ada, at.query).then((tree) => tree);
    await held.arrived;
    await ok(update(id, { name: 'After' }));
    const late = await admitted(() => theTree(at.ada, at.query));
    held.release();
    expect((await late.answer)[0]?.name).toBe('After');
    expect((await early)[0]?.name).toBe('Before');
    expect((await theTree(at.ada, at.query))[0]?.name).toBe('After');
  });

  test('a read of the tree that failed is forgotten: the next one is 200', async () => {
    const { id } = await anItem(at.ada, at.query);
    let wasCut = false;
    at.proxy.decide = ({ name }) => {
      if (wasCut || name !== 'tree.whole') return 'pass';
      wasCut = true;
      return 'cut before';
    };
    expect((await at.ada.get(`/collections${at.query}`)).status).toBe(500);
    expect(wasCut).toBe(true);
    expect(idsOf(await theTree(at.ada, at.query))).toEqual([id]);
  });

  test('two who ask at once for a tree of more than 8 MiB each get all of it', async () => {
    const ids = await putRows(
      at.databaseUrl,
      at.workspace.id,
      Array.from({ length: 10 }, () => ({ object: 'item' as const })),
    );
    await sql(
      at.databaseUrl,
      `UPDATE collections SET content = json_build_object('text', repeat('0123456789', 100000))
       WHERE workspace_id = $1`,
      [at.workspace.id],
    );
    const read = () => theTree(at.ada, `${at.query}&include=content`);
    const held = at.proxy.holdResponse('tree.list.content');
    const early = read().then((tree) => tree);
    await held.arrived;
    const late = await admitted(read);
    held.release();
    const trees = await Promise.all([early, late.answer]);
    for (const tree of trees) {
      expect(JSON.stringify(tree).length).toBeGreaterThan(8 * 1024 * 1024);
      expect(idsOf(everyItem(tree))).toEqual(ids);
    }
    expect(trees[0]).toEqual(trees[1]);
  });
});
