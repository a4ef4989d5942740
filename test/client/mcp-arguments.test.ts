import { createClient } from '../../clients/typescript/src/client.js';
import { tokenOf } from '../support/app.js';
import { anItem } from '../support/builders.js';
import {
  callTool,
  type Entry,
  modelClient,
  ownServer,
  type Result,
  textOf,
} from '../support/model-client.js';
import { offenders } from '../support/offenders.js';
import { scene } from '../support/scene.js';

const at = scene({ each: 'workspace' });

/** What a tool returns, in this test's workspace. */
async function callsOver(entry: Entry) {
  const client = await modelClient(entry, at, tokenOf(at.ada.person));
  return (name: string, input: object = {}): Promise<Result> =>
    callTool(client, name, { team: at.team, workspace: at.workspace.slug, ...input });
}

/** A model's client of a server; records the requests that would leave for the service. */
async function unconnected() {
  const sent: string[] = [];
  const fetch = async (request: Request) => {
    sent.push(request.url);
    return Response.json({});
  };
  const client = await ownServer(createClient({ baseUrl: at.url, token: 'x', fetch }));
  return { client, sent };
}

describe.each<Entry>(['a server of its own', 'the endpoint'])('%s', (entry) => {
  test('null is an absent argument, and the JSON text of a value the value', async () => {
    const call = await callsOver(entry);
    const shelf = await call('create_item', {
      ...{ kind: 'collection', title: 'Shelf', name: null, parent: null, index: '0' },
      ...{ content: null },
    });
    expect(shelf).toMatchObject({ title: 'Shelf', parent: null });
    const content = JSON.stringify({ text: 'one' });
    const page = { kind: 'page', title: '12', parent: shelf.id, content };
    const { id } = await call('create_item', page);
    const operations = JSON.stringify([{ op: 'add', path: '/more', value: null }]);
    expect(await call('patch_page', { id, etag: null, operations })).toMatchObject({
      ...{ title: '12', content: { text: 'one', more: null } },
    });
    expect((await call('search', { query: '12', limit: '5', in: null })).items).toHaveLength(1);
    const child = { key: 'child', kind: 'page', title: 'Child', content, children: null };
    const items = [{ key: 'shelf', kind: 'collection', title: 'S', children: [child], name: null }];
    const { ids } = await call('publish_tree', { items: JSON.stringify(items) });
    expect((await call('read_page', { id: ids.child })).content).toEqual({ text: 'one' });
    items[0]?.children.push({ ...child, key: '' });
    await expect(call('publish_tree', { items })).rejects.toThrow(/items.*key/);
  });

  test('a title finds its item where an id is wanted', async () => {
    const call = await callsOver(entry);
    const shelf = await call('create_item', { kind: 'collection', title: 'Our Policies' });
    const created = { kind: 'page', title: 'Annual "leave": who, when?', parent: 'our policies' };
    const { id, slug } = await call('create_item', created);
    for (const called of [created.title, 'ANNUAL "LEAVE": WHO, WHEN?', slug, id]) {
      expect(await call('read_page', { id: called })).toMatchObject({ id, parent: shelf.id });
    }
    expect(await call('read_tree', { parent: 'Our Policies' })).toMatchObject({
      items: [{ id }],
    });
    expect(await call('move_item', { id: created.title, index: 0, parent: null })).toMatchObject({
      id,
    });
    const long = 'A title that is much longer than what a search takes, '.repeat(4).slice(0, 200);
    await call('update_item', { id: created.title, title: long });
    expect(await call('read_page', { id: long })).toMatchObject({ id });
    expect(await call('delete_item', { id: long })).toMatchObject({ id });
  });

  test('a title of several items, or of none, is an error that names candidates', async () => {
    const call = await callsOver(entry);
    const one = await call('create_item', { kind: 'page', title: 'Notes' });
    const shelf = await call('create_item', { kind: 'collection', title: 'Shelf' });
    const two = await call('create_item', { kind: 'page', title: 'Notes', parent: shelf.id });
    const problem = await call('read_page', { id: 'notes' }).catch(({ message }) => message);
    expect(problem).toMatch(/^"notes" is the title of several items/);
    expect(problem).toContain(`${one.id} (Notes, in ${at.team}/${at.workspace.slug})`);
    expect(problem).toContain(`${two.id} (Shelf / Notes, in ${at.team}/${at.workspace.slug})`);
    await expect(call('delete_item', { id: 'note' })).rejects.toThrow(
      new RegExp(`^not_found: "note" .* Similar titles: .*${one.id}`),
    );
    await expect(call('read_page', { id: 'Nothing' })).rejects.toThrow(
      /^not_found: "Nothing" .*read\.$/,
    );
    await expect(call('read_page', { id: '  ' })).rejects.toThrow(/blank/);
    expect(await call('read_page', { id: one.id })).toMatchObject({ title: 'Notes' });
  });

  test('a text that no request can carry is refused with its name', async () => {
    const call = await callsOver(entry);
    const half = '😀'.slice(0, 1);
    const { id } = await call('create_item', { kind: 'page', title: 'Page' });
    const wrong: [string, object, RegExp][] = [
      ['read_page', { id: half }, /\bid: must be well-formed/],
      ['read_page', { id: 'x'.repeat(1_000_000) }, /^not_found: .{1,100}$/],
      ['search', { query: `a${half}` }, /\bquery: must be well-formed/],
      ['read_changes', { cursor: half }, /\bcursor: must be well-formed/],
      ['create_item', { kind: 'page', title: half }, /\btitle: must be well-formed/],
      ['update_item', { id, title: 'New', etag: 'a\r\nx: y' }, /\betag: must be an etag/],
      ['delete_item', { id, etag: 'x'.repeat(1000) }, /\betag: must be an etag/],
    ];
    for (const [name, input, problem] of wrong) {
      await expect(call(name, input)).rejects.toThrow(problem);
    }
  });

  test('an etag says what the model has read: a change of something else is refused', async () => {
    const call = await callsOver(entry);
    const { id } = await anItem(at.ada, at.query, { object: 'item', content: { text: 'one' } });
    const { etag } = await call('read_page', { id });
    expect(etag).not.toContain('"');
    const { etag: next } = await call('update_item', { id, etag, content: { text: 'two' } });
    await expect(call('delete_item', { id, etag })).rejects.toThrow(/^conflict: .*read it again/);
    const operations = [{ op: 'replace', path: '/text', value: 'three' }];
    await expect(call('patch_page', { id, etag, operations })).rejects.toThrow(/^conflict: /);
    await expect(call('move_item', { id, etag, index: 0 })).rejects.toThrow(/^conflict: /);
    const patched = await call('patch_page', { id, etag: `"${next}"`, operations });
    const moved = await call('move_item', { id, etag: patched.etag, index: 0 });
    const renamed = await call('update_item', { id, etag: moved.etag, title: 'Three' });
    expect(await call('delete_item', { id, etag: renamed.etag })).toMatchObject({ id });
  });
});

test('a server of its own remembers what the model has read, also where it passes no etag', async () => {
  const call = await callsOver('a server of its own');
  const { id } = await anItem(at.ada, at.query, { object: 'item', content: { text: 'one' } });
  await call('read_page', { id });
  await at.ada.put(`/collections/${id}`, { content: { text: 'two' } });
  const changes: [string, object][] = [
    ['update_item', { content: { text: 'three' } }],
    ['patch_page', { operations: [{ op: 'replace', path: '/text', value: 'three' }] }],
    ['move_item', { index: 0 }],
    ['delete_item', {}],
  ];
  for (const [name, input] of changes) {
    await expect(call(name, { id, ...input })).rejects.toThrow(/^conflict: .*read it again/);
  }
  expect(await call('read_page', { id })).toMatchObject({ content: { text: 'two' } });
  for (const [name, input] of changes) await call(name, { id, ...input });
});

test('tools that need only an id ask for no more', async () => {
  const { client } = await unconnected();
  const { tools } = await client.listTools();
  const withId = tools.filter(({ inputSchema: { properties = {} } }) => 'id' in properties);
  const asking = withId.filter(({ inputSchema: { required = [] } }) => required.includes('team'));
  // The API moves an item in a workspace.
  expect(asking.map(({ name }) => name)).toEqual(['move_item']);
  expect(withId.length).toBeGreaterThan(5);
});

test('schemas do not refer to themselves, which some clients cannot read', async () => {
  const { client } = await unconnected();
  const { tools } = await client.listTools();
  expect(JSON.stringify(tools)).not.toContain('$ref');
});

test('a name that would lead to another resource is refused before a request leaves', async () => {
  const { client, sent } = await unconnected();
  const { tools } = await client.listTools();
  const rows = tools.flatMap(({ name, inputSchema }) =>
    Object.keys(inputSchema.properties ?? {})
      .filter((field) => ['team', 'workspace', 'id', 'slug'].includes(field))
      .flatMap((field) => ['', '.', '..'].map((bad) => [name, field, bad] as const)),
  );
  // All but list_teams.
  expect(new Set(rows.map(([name]) => name)).size).toBe(tools.length - 1);
  const wrong = await offenders(rows, async ([name, field, bad]) => {
    const place = { team: 'acme', workspace: 'docs', id: 'x', slug: 'x' };
    const result = await client.callTool({ name, arguments: { ...place, [field]: bad } });
    expect(result).toMatchObject({ isError: true });
    expect(textOf(result)).toMatch(new RegExp(`\\b${field}\\b`));
  });
  expect([wrong, sent]).toEqual([[], []]);
});
