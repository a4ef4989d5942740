import { ok } from '../../support/builders.js';
import { scene } from '../../support/scene.js';
import { sql } from '../../support/sql.js';

const at = scene({ once: 'workspace' });

const CONTROLS = Array.from({ length: 31 }, (_, n) => String.fromCharCode(n + 1)).join('');

/** Names that JSON, SQL, HTML or a terminal might take for something else. */
const NAMES = [
  `"quoted", 'single', \\back\\`,
  `x${CONTROLS}`,
  '\u007f\u0080\u0085\u009f\u00ad',
  'lines\u2028and\u2029paragraphs',
  '🌳👩‍👩‍👧‍👦🏳️‍🌈\u{10ffff}\u{1d306}',
  '\ufeff\ufffe\uffff\ufffd',
  '\u202eright to left\u2066',
  'é and e\u0301, ﬀ, ẞ, İ',
  '</script><!-- & -->',
  '{"id":"x"}, $1 %s \\u0041 \\n',
  "'); DROP TABLE collections; --",
  '   leading and trailing   ',
];

/** The JSON of each item that is a part of `text`, by id; content and children left out. */
function bare(text: string, tail: string): Map<string, string> {
  const found = new Map<string, string>();
  for (const part of text.split('{"id":"').slice(1)) {
    const end = part.indexOf('"updatedAt":"');
    expect(end).toBeGreaterThan(0);
    found.set(part.slice(0, 36), part.slice(0, part.indexOf('Z"', end) + 2));
  }
  expect(text).toContain(tail);
  return found;
}

test('lists write an item as a single read does, to the letter, whatever its name', async () => {
  const children = NAMES.map((name) => ({ name, object: 'item', content: { name } }));
  const items = NAMES.map((name, n) => ({ name, children: n === 0 ? children : [] }));
  const batch = await at.ada.post(`/collections/batch${at.query}`, { items });
  expect(batch.status).toBe(200);
  const list = await at.ada.get(`/collections${at.query}`);
  // What the service writes itself, and what PostgreSQL writes.
  expect(batch.text).toBe(list.text);
  expect(list.body.map(({ name }: { name: string }) => name)).toEqual(NAMES);

  const part = await at.ada.get(`/collections${at.query}&depth=2`);
  expect(part.text).toBe(list.text);
  const listed = bare(list.text, '"children":[');
  const withContent = await at.ada.get(`/collections${at.query}&include=content`);
  expect(bare(withContent.text, '"content":{')).toEqual(listed);
  expect(listed.size).toBe(2 * NAMES.length);
  for (const [id, json] of listed) {
    const single = await at.ada.get(`/collections/${id}`);
    expect(bare(single.text, '"content":{').get(id)).toBe(json);
    const { name, object, meta, content } = single.body;
    expect(meta.title).toBe(name);
    expect(content).toEqual(object === 'item' ? { name } : {});
  }
});

test('content is written in lists as in a single read, to the letter', async () => {
  const content = `{"z":1.50,"a":[{"":"\\u2028\\"\\\\"}],"n":12345678901234567890, "e":{}}`;
  const made = await ok<{ id: string }>(
    at.ada
      .post(`/collections${at.query}`)
      .set('content-type', 'application/json')
      .send(`{"object":"item","content":${content}}`),
  );
  const contentOf = (text: string) => {
    const from = text.indexOf('"content":', text.indexOf(made.id));
    return text.slice(from, text.indexOf('"e":{}}', from) + '"e":{}}'.length);
  };
  const single = contentOf((await at.ada.get(`/collections/${made.id}`)).text);
  expect(single).toContain('12345678901234567890');
  const { text } = await at.ada.get(`/collections${at.query}&include=content`);
  expect(contentOf(text)).toBe(single);
});

test('times are written alike, with and without milliseconds, in any year', async () => {
  const times = [
    '1999-12-31T23:59:59.999Z',
    '2024-02-29T00:00:00.000Z',
    '9999-01-01T01:02:03.040Z',
  ];
  for (const time of times) {
    const { id } = await ok<{ id: string }>(at.ada.post(`/collections${at.query}`, { name: time }));
    await sql(
      at.databaseUrl,
      'UPDATE collections SET created_at = $2, updated_at = $2 WHERE id = $1',
      [id, time],
    );
    const expected = { createdAt: time, updatedAt: time };
    expect(await ok(at.ada.get(`/collections/${id}`))).toMatchObject(expected);
    // A part, which is not remembered: this change came past the service.
    const part = await ok<{ id: string }[]>(at.ada.get(`/collections${at.query}&depth=1`));
    expect(part.find((item) => item.id === id)).toMatchObject(expected);
  }
});
