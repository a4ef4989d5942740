import { anItem, aWorkspace, ok } from '../../support/builders.js';
import { testInside } from '../../support/inside.js';
import { aMember, type Known } from '../../support/members.js';
import { scene } from '../../support/scene.js';

const at = scene({ once: 'team', proxied: true });
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
    const writes: Record<string, (query: string) => PromiseLike<{ status: number; text: string }>> =
      {
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
        const { statements, roundTrips } = await at.proxy.during(async () => {
          answer = await write(query);
        });
        const texts = statements.map(({ text }) => text).filter((text) => text !== 'DISCARD PLANS');
        seen.push({ name, status: answer?.status, body: answer?.text, texts, roundTrips });
      }
      expect(seen[0]?.status).toBe(404);
      expect(seen[1]).toEqual(seen[0]);
    }
  },
);
