import { anItem, aWorkspace, type ItemBody, ok } from '../../support/builders.js';
import { THROUGH_POOLER, testInside } from '../../support/inside.js';
import { aMember, type Known } from '../../support/members.js';
import { scene } from '../../support/scene.js';

const at = scene({ once: 'workspace', proxied: true });

interface WithAncestors extends ItemBody {
  ancestors: { id: string }[];
}

/** A read that sends one statement to the tree sees one moment of it. */
testInside('include=ancestors: item and ancestors are read by one statement', async () => {
  const shelf = await anItem(at.ada, at.query);
  const page = await anItem(at.ada, at.query, { parent: shelf.id, object: 'item' });
  for (const path of [
    `/collections/${page.id}${at.query}&include=ancestors`,
    `/collections/by-slug/${page.meta.slug}${at.query}&include=ancestors`,
  ]) {
    const { statements } = await at.proxy.during(() => ok(at.ada.get(path)));
    expect(statements.filter(({ text }) => text.includes('collections'))).toHaveLength(1);
  }
});

test('include=ancestors: the last ancestor is the parent, while the item moves', async () => {
  const shelves: string[] = [];
  for (const name of ['Left', 'Right']) {
    const outer = await anItem(at.ada, at.query, { name });
    shelves.push((await anItem(at.ada, at.query, { name, parent: outer.id })).id);
  }
  const page = await anItem(at.ada, at.query, { object: 'item', parent: shelves[0] });
  let isOver = false;
  const move = async () => {
    for (let n = 1; !isOver; n++) {
      const place = { id: page.id, index: 0, newParent: shelves[n % 2] };
      await ok(at.ada.post(`/collections/reorder${at.query}`, place));
    }
  };
  const read = async () => {
    for (let n = 0; n < 100; n++) {
      const path = `/collections/${page.id}${at.query}&include=ancestors`;
      const { parent, ancestors } = await ok<WithAncestors>(at.ada.get(path));
      expect([parent, ancestors.length]).toEqual([ancestors.at(-1)?.id, 2]);
    }
  };
  const moving = move();
  await Promise.all([read(), read()]).finally(() => {
    isOver = true;
  });
  await moving;
});

describe('GET /collections?parent=', () => {
  test('the parent and what is below it are of one moment: one statement', async () => {
    const parent = await anItem(at.ada, at.query);
    await anItem(at.ada, at.query, { parent: parent.id, object: 'item' });
    const { statements } = await at.proxy.during(async () => {
      const { body } = await at.ada.get(`/collections${at.query}&parent=${parent.id}`).expect(200);
      expect(body).toHaveLength(1);
    });
    const about = statements.filter(({ text }) => text.includes('FROM collections'));
    expect(about.map(({ name }) => name)).toEqual([THROUGH_POOLER ? '' : 'tree.part']);
  });

  test('If-None-Match: * asks whether there is such a list', async () => {
    const parent = await anItem(at.ada, at.query);
    const page = await anItem(at.ada, at.query, { object: 'item' });
    const ask = (more: string) =>
      at.ada
        .get(`/collections${at.query}${more}`)
        .set('if-none-match', '*')
        .then(({ status }) => status);
    expect(await ask('')).toBe(304);
    expect(await ask(`&parent=${parent.id}`)).toBe(304);
    expect(await ask(`&parent=${page.id}`)).toBe(422);
    expect(await ask(`&parent=${crypto.randomUUID()}`)).toBe(404);
    expect(await ask('&parent=nothing')).toBe(404);
  });
});

describe('a hidden workspace', () => {
  let eve: Known;
  beforeAll(async () => {
    eve = await aMember(at, at.team, 'member');
    await ok(eve.get('/teams'));
  });

  /** Statements and round trips tell what a response's time would tell. */
  testInside(
    'a write to a hidden workspace costs what one to a workspace that does not exist costs',
    async () => {
      const hidden = await aWorkspace(at.ada, at.team, { name: 'Hidden', visibility: 'private' });
      const page = await anItem(at.ada, hidden.query, { object: 'item' });
      // Everything is prepared and remembered that can be.
      await ok(at.ada.put(`/collections/${page.id}${hidden.query}`, { name: 'Known' }));
      const writes: Record<
        string,
        (query: string) => PromiseLike<{ status: number; text: string }>
      > = {
        createCollection: (query) => eve.post(`/collections${query}`, { name: 'Mine' }),
        createCollections: (query) =>
          eve.post(`/collections/batch${query}`, { items: [{ name: 'Mine' }] }),
        reorderItem: (query) => eve.post(`/collections/reorder${query}`, { id: page.id, index: 0 }),
        orderCollections: (query) =>
          eve.put(`/collections/order${query}`, { parent: null, children: [page.id] }),
        updateCollection: (query) => eve.put(`/collections/${page.id}${query}`, { name: 'Mine' }),
        deleteCollection: (query) => eve.delete(`/collections/${page.id}${query}`),
      };
      const absent = hidden.query.replace(hidden.slug, 'not-there');
      for (const [name, write] of Object.entries(writes)) {
        const seen = [];
        for (const query of [absent, hidden.query]) {
          let answer: { status: number; text: string } | undefined;
          const { statements, roundTrips } = await at.proxy.duringOne(async () => {
            answer = await write(query);
          });
          const all = statements.map(({ text }) => text);
          // PgBouncer sets a connection up when it gives it to another client: a round trip each.
          const texts = all.filter((text) => !/^SET DateStyle=/.test(text));
          const own = roundTrips - (all.length - texts.length);
          seen.push({
            ...{ name, status: answer?.status, body: answer?.text },
            ...{ texts: texts.filter((text) => text !== 'DISCARD PLANS'), roundTrips: own },
          });
        }
        expect(seen[0]?.status).toBe(404);
        expect(seen[1]).toEqual(seen[0]);
      }
    },
  );
});
