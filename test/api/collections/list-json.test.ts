import { type Caller, somebody, startService, type TestService } from '../../support/app.js';
import { aTeam, aWorkspace, ok } from '../../support/builders.js';
import { sql } from '../../support/sql.js';

let service: TestService;
let ada: Caller;
let query: string;
beforeAll(async () => {
  service = await startService();
  ada = service.as(somebody());
  query = (await aWorkspace(ada, await aTeam(ada))).query;
});
afterAll(() => service.stop());

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
  const batch = await ada.post(`/collections/batch${query}`, { items });
  expect(batch.status).toBe(200);
  const list = await ada.get(`/collections${query}`);
  // What the service writes itself, and what PostgreSQL writes.
  expect(batch.text).toBe(list.text);
  expect(list.body.map(({ name }: { name: string }) => name)).toEqual(NAMES);

  const part = await ada.get(`/collections${query}&depth=2`);
  expect(part.text).toBe(list.text);
  const listed = bare(list.text, '"children":[');
  const withContent = await ada.get(`/collections${query}&include=content`);
  expect(bare(withContent.text, '"content":{')).toEqual(listed);
  expect(listed.size).toBe(2 * NAMES.length);
  for (const [id, json] of listed) {
    const single = await ada.get(`/collections/${id}`);
    expect(bare(single.text, '"content":{').get(id)).toBe(json);
    const { name, object, meta, content } = single.body;
    expect(meta.title).toBe(name);
    expect(content).toEqual(object === 'item' ? { name } : {});
  }
});

test('content is written in lists as in a single read, to the letter', async () => {
  const content = `{"z":1.50,"a":[{"":"\\u2028\\"\\\\"}],"n":12345678901234567890, "e":{}}`;
  const made = await ok<{ id: string }>(
    ada
      .post(`/collections${query}`)
      .set('content-type', 'application/json')
      .send(`{"object":"item","content":${content}}`),
  );
  const contentOf = (text: string) => {
    const from = text.indexOf('"content":', text.indexOf(made.id));
    return text.slice(from, text.indexOf('"e":{}}', from) + '"e":{}}'.length);
  };
  const single = contentOf((await ada.get(`/collections/${made.id}`)).text);
  expect(single).toContain('12345678901234567890');
  const { text } = await ada.get(`/collections${query}&include=content`);
  expect(contentOf(text)).toBe(single);
});

test('times are written alike, with and without milliseconds, in any year', async () => {
  const times = [
    '1999-12-31T23:59:59.999Z',
    '2024-02-29T00:00:00.000Z',
    '9999-01-01T01:02:03.040Z',
  ];
  for (const time of times) {
    const { id } = await ok<{ id: string }>(ada.post(`/collections${query}`, { name: time }));
    await sql(
      service.databaseUrl,
      'UPDATE collections SET created_at = $2, updated_at = $2 WHERE id = $1',
      [id, time],
    );
    const expected = { createdAt: time, updatedAt: time };
    expect(await ok(ada.get(`/collections/${id}`))).toMatchObject(expected);
    // A part, which is not remembered: this change came past the service.
    const part = await ok<{ id: string }[]>(ada.get(`/collections${query}&depth=1`));
    expect(part.find((item) => item.id === id)).toMatchObject(expected);
  }
});
