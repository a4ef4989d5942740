import { anItem } from '../../support/builders.js';
import { scene } from '../../support/scene.js';

const at = scene({ once: 'workspace', proxied: true });

describe('GET /collections?parent=', () => {
  test('the parent and what is below it are of one moment: one statement', async () => {
    const parent = await anItem(at.ada, at.query);
    await anItem(at.ada, at.query, { parent: parent.id, object: 'item' });
    const { statements } = await at.proxy.during(async () => {
      const { body } = await at.ada.get(`/collections${at.query}&parent=${parent.id}`).expect(200);
      expect(body).toHaveLength(1);
    });
    const about = statements.filter(({ text }) => text.includes('FROM collections'));
    expect(about.map(({ name }) => name)).toEqual(['tree.below']);
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
