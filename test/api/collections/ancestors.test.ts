import { anItem, type ItemBody, ok } from '../../support/builders.js';
import { testInside } from '../../support/inside.js';
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
