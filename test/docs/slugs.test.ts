import { readFileSync } from 'node:fs';
import { anItem } from '../support/builders.js';
import { scene } from '../support/scene.js';

const at = scene({ once: 'team', each: 'workspace' });

test('the slugs of docs/concepts.md are those that pages get', async () => {
  const [, section = ''] =
    /^## Slugs$(.*?)^## /ms.exec(readFileSync('docs/concepts.md', 'utf8')) ?? [];
  const rows = [...section.matchAll(/^\| (.+) \| `([a-z0-9-]+)` \|$/gm)];
  const shown = rows.map(([, name, slug]) => [name, slug]);
  const made = [];
  for (const [name, slug = ''] of shown) {
    const { meta } = await anItem(at.ada, at.query, { name, object: 'item' });
    const isSuffixed = slug.endsWith('xxxxxxxx');
    made.push([name, isSuffixed ? meta.slug.replace(/[a-z0-9]{8}$/, 'xxxxxxxx') : meta.slug]);
  }
  expect(made).toEqual(shown);
  expect(shown.length).toBeGreaterThan(4);
});
