import jwt from 'jsonwebtoken';
import { signToken } from '../../clients/cli/src/token.js';
import { scopeOf } from '../../clients/mcp/src/scope.js';
import { createClient } from '../../clients/typescript/src/client.js';
import { SECRET, somebody, startStillService, tokenOf } from '../support/app.js';
import { anItem, freshSlug } from '../support/builders.js';
import { describeAlone } from '../support/inside.js';
import {
  callTool,
  type Entry,
  modelClient,
  ownServer,
  type Result,
} from '../support/model-client.js';
import { scene } from '../support/scene.js';
import { aVersion } from '../support/versions.js';

const at = scene({ each: 'workspace' });

/** A model's client, and what a tool returns in this test's workspace. */
async function connect(entry: Entry, token = tokenOf(at.ada.person)) {
  const client = await modelClient(entry, at, token);
  const call = (name: string, input: object = {}): Promise<Result> =>
    callTool(client, name, { team: at.team, workspace: at.workspace.slug, ...input });
  return { client, call };
}

const READS = [
  'list_teams',
  'list_workspaces',
  'search',
  'read_tree',
  'read_page',
  'find_by_slug',
  'read_changes',
];
/** They read what was taken out of sight. */
const FORMER = ['list_versions', 'read_version', 'list_trash'];
const WRITES = [
  'create_item',
  'update_item',
  'patch_page',
  'restore_version',
  'publish_tree',
  'move_item',
  'delete_item',
  'restore_item',
];
const MANAGES = ['archive_workspace', 'unarchive_workspace'];
const ALL = [...READS, ...FORMER, ...WRITES, ...MANAGES];

describe.each<Entry>(['a server of its own', 'the endpoint'])('%s', (entry) => {
  test('a model publishes a tree, any number of times', async () => {
    const { call } = await connect(entry);
    const page = { key: 'mcp/page', kind: 'page', name: 'Page', content: { text: 'Hello' } };
    const items = [{ key: 'mcp', kind: 'collection', name: 'Published', children: [page] }];
    const report = await call('publish_tree', { items });
    expect(report).toMatchObject({ created: 2, unchanged: 0 });
    expect(await call('publish_tree', { items })).toMatchObject({ created: 0, unchanged: 2 });
    await call('delete_item', { id: (report.ids as Record<string, string>).mcp });
  });

  test('a model works on a workspace', async () => {
    const { client, call } = await connect(entry);
    const team = { name: 'Team', slug: at.team, role: 'owner' };
    expect((await call('list_teams')).teams).toContainEqual(team);
    expect((await call('list_workspaces')).workspaces).toContainEqual(
      expect.objectContaining({ slug: at.workspace.slug }),
    );
    const { cursor } = await call('read_changes');

    const guides = await call('create_item', { kind: 'collection', name: 'Guides' });
    const content = { items: ['Get a badge'] };
    const page = { kind: 'page', name: 'First day', parent: guides.id, content };
    const { id, slug } = await call('create_item', page);
    const first = { title: 'First day', name: 'First day' };
    const tree = [{ id: guides.id, children: [{ id, kind: 'page', ...first }] }];
    expect(await call('read_tree')).toMatchObject({ items: tree, complete: true });
    expect(await call('find_by_slug', { slug })).toMatchObject({ content, ancestors: ['Guides'] });

    const found = { id, ...first, kind: 'page', slug, ancestors: ['Guides'] };
    const hits = [{ ...found, workspace: at.workspace.slug }];
    expect(await call('search', { query: 'day' })).toEqual({ items: hits });
    const inTeam = { team: at.team, query: 'first', limit: 1 };
    const { structuredContent } = await client.callTool({ name: 'search', arguments: inTeam });
    expect(structuredContent).toEqual({ items: hits });

    await call('update_item', { id, name: 'Day one' });
    const append = [{ op: 'add', path: '/items/-', value: 'Say hello' }];
    const items = ['Get a badge', 'Say hello'];
    expect(await call('patch_page', { id, operations: append })).toMatchObject({
      content: { items },
    });
    expect(await call('move_item', { id, index: 0, parent: null })).toMatchObject({ id });
    expect(await call('read_page', { id })).toMatchObject({ parent: null });
    expect((await call('read_tree', { depth: 1 })).items).toMatchObject([
      { id },
      { id: guides.id },
    ]);

    await call('delete_item', { id });
    expect(await call('list_trash')).toMatchObject({ deletions: [{ id, kind: 'page' }] });
    await call('restore_item', { id, index: 1 });
    expect(await call('read_page', { id })).toMatchObject({ name: 'Day one', content: { items } });
    const { changes, more } = await call('read_changes', { cursor });
    expect(changes.map((change: { id: string }) => change.id).sort()).toEqual(
      [guides.id, id].sort(),
    );
    expect(changes).toContainEqual({
      ...{ id, deleted: false },
      item: {
        ...{ id, title: 'Day one', name: 'Day one', kind: 'page', slug, parent: null },
        updatedAt: expect.any(String),
      },
    });
    expect(more).toBe(false);
  });

  test('a model brings back what was overwritten', async () => {
    const { call } = await connect(entry);
    const { id } = await anItem(at.ada, at.query, { object: 'item' });
    const version = await aVersion(at, at.ada, id);
    const listed = { version, since: expect.any(String), until: expect.any(String), by: null };
    expect(await call('list_versions', { id })).toEqual({ versions: [listed] });
    const content = { before: true };
    expect(await call('read_version', { id, version })).toEqual({ ...listed, content });
    expect(await call('restore_version', { id, version })).toMatchObject({ id, content });
    expect((await call('list_versions', { id })).versions).toHaveLength(2);
    await call('update_item', { id, content: { text: 'after' } });
  });

  describe('pages as resources', () => {
    const uriOf = (slug: string) => `teamspaces://${at.team}/${at.workspace.slug}/${slug}`;

    test('a page is read by its slugs, with its content', async () => {
      const { client, call } = await connect(entry);
      const page = { name: 'First day', object: 'item', content: { text: 'one' } };
      const { id } = await anItem(at.ada, at.query, page);
      const { resourceTemplates } = await client.listResourceTemplates();
      expect(resourceTemplates).toMatchObject([
        { uriTemplate: 'teamspaces://{team}/{workspace}/{slug}', mimeType: 'application/json' },
      ]);
      expect((await client.listResources()).resources).toEqual([]);
      const { contents } = await client.readResource({ uri: uriOf('first-day') });
      expect(contents).toMatchObject([{ uri: uriOf('first-day'), mimeType: 'application/json' }]);
      const text = JSON.parse((contents[0] as { text: string }).text);
      expect(text).toMatchObject({ id, name: 'First day', kind: 'page', content: { text: 'one' } });
      await at.ada.put(`/collections/${id}`, { content: { text: 'two' } });
      const rename = { id, name: 'Day one', etag: text.etag };
      await expect(call('update_item', rename)).rejects.toThrow(/^conflict: /);
    });

    test('one that is not there is not found', async () => {
      const { client } = await connect(entry);
      await expect(client.readResource({ uri: uriOf('none') })).rejects.toMatchObject({
        code: expect.any(Number),
        data: { uri: uriOf('none') },
      });
    });

    test('each part of an address is completed', async () => {
      const { client } = await connect(entry);
      await anItem(at.ada, at.query, { name: 'Guides' });
      await anItem(at.ada, at.query, { name: 'First day', object: 'item' });
      const completed = async (name: string, value: string, known: Record<string, string>) => {
        const { completion } = await client.complete({
          ref: { type: 'ref/resource', uri: 'teamspaces://{team}/{workspace}/{slug}' },
          argument: { name, value },
          context: { arguments: known },
        });
        return completion.values;
      };
      const place = { team: at.team, workspace: at.workspace.slug };
      expect(await completed('team', at.team.slice(0, -1), {})).toEqual([at.team]);
      expect(await completed('team', 'x', {})).toEqual([]);
      const { team } = place;
      expect(await completed('workspace', place.workspace, { team })).toContain(place.workspace);
      expect(await completed('workspace', '', {})).toEqual([]);
      expect(await completed('slug', '', place)).toEqual(['guides', 'first-day']);
      expect(await completed('slug', 'first-d', place)).toEqual(['first-day']);
      expect(await completed('slug', 'first-d', { team })).toEqual([]);
    });
  });

  test('search finds pages by their text, with a snippet', async () => {
    const { client, call } = await connect(entry);
    const content = { text: 'Up to five days of annual leave move to the next year.' };
    const { id } = await anItem(at.ada, at.query, { name: 'Holidays', object: 'item', content });
    await anItem(at.ada, at.query, { name: 'Annual report' });
    expect((await call('search', { query: 'annu' })).items).toMatchObject([
      { title: 'Annual report' },
    ]);
    expect(await call('search', { query: 'annu', in: 'name' })).toEqual(
      await call('search', { query: 'annu' }),
    );
    const query = 'annu "next year"';
    const snippet = 'Holidays Up to five days of **annual** leave move to the **next year**.';
    const { items, ...rest } = await call('search', { query, in: 'all' });
    expect(items).toMatchObject([{ id, snippet, workspace: at.workspace.slug }]);
    expect(rest).toEqual({});
    const [titled, found] = (await call('search', { query: 'annual', in: 'all' })).items;
    expect([titled.title, 'snippet' in titled, found.id]).toEqual(['Annual report', false, id]);
    const inTeam = { team: at.team, query, in: 'all', limit: 1 };
    const { structuredContent } = await client.callTool({ name: 'search', arguments: inTeam });
    expect(structuredContent).toMatchObject({ items: [{ snippet }] });
    await expect(call('search', { query: 'a b c d e f g h i', in: 'all' })).rejects.toThrow(
      /^bad_request: q must have at most 8 words/,
    );
    await expect(call('search', { query, in: 'text' })).rejects.toThrow(/\bin\b/);
  });

  test('errors of the service and wrong input are results that a model can act on', async () => {
    const { call } = await connect(entry);
    await expect(call('read_page', { id: 'none' })).rejects.toThrow(/^not_found: /);
    await expect(call('create_item', { kind: 'page', name: '' })).rejects.toThrow(/name/);
    await expect(call('read_changes', { cursor: 'x' })).rejects.toThrow(/^bad_request: /);
  });

  test('a name has up to 32 code points, also outside of the basic plane', async () => {
    const { client, call } = await connect(entry);
    const name = '😀'.repeat(32);
    expect(await call('create_item', { kind: 'page', name })).toMatchObject({ name });
    const tooLong = {
      team: at.team,
      workspace: at.workspace.slug,
      kind: 'page',
      name: `${name}😀`,
    };
    const result = await client.callTool({ name: 'create_item', arguments: tooLong });
    expect(result).toMatchObject({ isError: true });
  });

  test('titles: a model gives them and sees them everywhere; a name alone is the title', async () => {
    const { client, call } = await connect(entry);
    const title = `How do I get a new laptop when mine breaks? ${'😀'.repeat(211)}`;
    const { cursor } = await call('read_changes');
    const shelf = await call('create_item', { kind: 'collection', title });
    expect(shelf).toMatchObject({ title, name: 'How do I get a new laptop when m' });
    const { id, slug } = await call('create_item', {
      kind: 'page',
      title: 'Ask',
      parent: shelf.id,
    });
    expect((await call('read_tree')).items).toMatchObject([
      { title, children: [{ title: 'Ask' }] },
    ]);
    expect(await call('read_page', { id })).toMatchObject({ title: 'Ask', ancestors: [title] });
    expect(await call('find_by_slug', { slug })).toMatchObject({ ancestors: [title] });
    expect((await call('search', { query: 'ask' })).items).toMatchObject([{ ancestors: [title] }]);
    expect((await call('search', { query: 'breaks' })).items).toMatchObject([{ title }]);
    expect((await call('read_changes', { cursor })).changes).toContainEqual(
      expect.objectContaining({ item: expect.objectContaining({ id: shelf.id, title }) }),
    );
    expect(await call('update_item', { id, title: `${title.slice(0, 50)}!` })).toMatchObject({
      ...{ title: `${title.slice(0, 50)}!`, name: 'How do I get a new laptop when m' },
    });
    expect(await call('update_item', { id, name: 'Ask' })).toMatchObject({ title: 'Ask' });
    await call('delete_item', { id });
    await call('delete_item', { id: shelf.id });
    expect((await call('list_trash')).deletions).toMatchObject([{ title }, { title: 'Ask' }]);
    expect(await call('restore_item', { id: shelf.id })).toMatchObject({ title });

    const items = [{ key: 'k', kind: 'page', title }];
    expect(await call('publish_tree', { items })).toMatchObject({ created: 1 });
    expect(await call('publish_tree', { items })).toMatchObject({ unchanged: 1 });
    await expect(call('create_item', { kind: 'page' })).rejects.toThrow('title must be given');
    const place = { team: at.team, workspace: at.workspace.slug };
    const tooLong = { ...place, kind: 'page', title: `${title}😀` };
    const result = await client.callTool({ name: 'create_item', arguments: tooLong });
    expect(result).toMatchObject({ isError: true });
  });

  describe('a tree of more than 500 items', () => {
    const named = (count: number) => Array.from({ length: count }, (_, n) => ({ name: `${n}` }));
    const treeOf = () => {
      const service = createClient({ baseUrl: at.url, token: tokenOf(at.ada.person) });
      return service.workspace(at.team, at.workspace.slug).tree;
    };

    test('shows the levels that fit, and says that there is more', async () => {
      const { call } = await connect(entry);
      const shelf = { name: 'Shelf', children: [{ name: 'Box', children: named(498) }] };
      await treeOf().createMany({ items: [shelf] });
      const whole = await call('read_tree');
      expect(whole).toMatchObject({ complete: true });
      expect(whole.items[0].children[0].children).toHaveLength(498);
      await treeOf().createMany({ items: [{ name: 'One too many' }] });
      const { items, complete } = await call('read_tree');
      expect([items.length, complete]).toEqual([2, false]);
      expect(items[0].children).toMatchObject([{ title: 'Box' }]);
      expect(items[0].children[0]).not.toHaveProperty('children');
      const box = await call('read_tree', { parent: items[0].children[0].id });
      expect([box.items.length, box.complete]).toEqual([498, true]);
    });

    test('shows as many levels as are asked for, and says that there may be more', async () => {
      const { call } = await connect(entry);
      const empty = { name: 'Empty', children: [] };
      await treeOf().createMany({ items: [{ name: 'Shelf', children: [{ name: 'Box' }] }, empty] });
      const { items, complete } = await call('read_tree', { depth: 1 });
      expect([items.length, complete]).toEqual([2, false]);
      expect(items[0]).not.toHaveProperty('children');
      const all = await call('read_tree');
      expect(all).toMatchObject({ complete: true, items: [{ children: [{}] }, { children: [] }] });
    });

    test('on its first level is read 500 at a time', async () => {
      const { call } = await connect(entry);
      await treeOf().createMany({ items: named(501) });
      const { items, complete, cursor } = await call('read_tree');
      expect([items.length, complete]).toEqual([500, false]);
      const rest = await call('read_tree', { cursor });
      expect([rest.items.length, rest.complete, rest.cursor]).toEqual([1, true, undefined]);
    });
  });

  test('lists are read 100 at a time', async () => {
    const { call } = await connect(entry);
    const service = createClient({ baseUrl: at.url, token: tokenOf(at.ada.person) });
    const { tree, pages } = service.workspace(at.team, at.workspace.slug);
    const items = Array.from({ length: 101 }, (_, n) => ({ name: `${n}` }));
    for (const { id } of await tree.createMany({ items })) await pages.delete(id);
    const { deletions, cursor } = await call('list_trash');
    const rest = await call('list_trash', { cursor });
    const names = [...deletions, ...rest.deletions].map(({ name }: { name: string }) => name);
    expect([deletions.length, names, rest.cursor]).toEqual([
      ...[100, items.map(({ name }) => name).reverse(), undefined],
    ]);
  });

  test('a workspace is archived: its content can be read, and not changed', async () => {
    const { call } = await connect(entry);
    expect(await call('archive_workspace')).toMatchObject({ archivedAt: expect.any(String) });
    await expect(call('create_item', { kind: 'page', title: 'Late' })).rejects.toThrow(
      /^conflict: .* is archived/,
    );
    expect(await call('read_tree')).toEqual({ items: [], complete: true });
    expect(await call('unarchive_workspace')).toMatchObject({ archivedAt: null });
    await call('create_item', { kind: 'page', title: 'In time' });
  });

  test('a token has the tools that its scopes can use', async () => {
    const toolsOf = async (scope?: string) => {
      const { client } = await connect(entry, signToken(SECRET, at.ada.person, { scope }));
      return (await client.listTools()).tools;
    };
    const names = async (scope?: string) => (await toolsOf(scope)).map(({ name }) => name).sort();
    const expected = (...tools: string[][]) => tools.flat().sort();
    expect(await names('teamspaces:admin')).toEqual([]);
    expect(await names('openid teamspaces:read')).toEqual(expected(READS));
    expect(await names('teamspaces:read teamspaces:write')).toEqual(
      expected(READS, FORMER, WRITES),
    );
    expect(await names('teamspaces:manage')).toEqual(expected(ALL));
    // Some providers put the scopes of a service beside those of OpenID Connect.
    for (const scp of ['teamspaces:read', ['teamspaces:read']]) {
      const claims = { ...at.ada.person, scope: 'openid email', scp };
      const { client } = await connect(entry, jwt.sign(claims, SECRET, { expiresIn: 600 }));
      const { tools } = await client.listTools();
      expect(tools.map(({ name }) => name).sort()).toEqual(expected(READS));
    }
    expect(await names()).toEqual(expected(ALL));
    for (const { name, description, annotations } of await toolsOf()) {
      expect(description?.length).toBeGreaterThan(40);
      expect(annotations?.readOnlyHint ?? false).toBe([...READS, ...FORMER].includes(name));
    }
  });
});

test('of a token that is not a JWT, the service decides', () => {
  expect(scopeOf('opaque')).toBe('manage');
});

describeAlone('a service of its own', () => {
  /** What a model finds in 60 pages that say the same. */
  async function findThere(env: Record<string, string>) {
    const service = await startStillService(env);
    try {
      const token = tokenOf(somebody());
      const calls = createClient({ baseUrl: service.url, token, retry: { attempts: 1 } });
      const team = await calls.teams.create({ name: 'Team', slug: freshSlug() });
      const place = calls.team(team.meta.slug);
      const { meta } = await place.workspaces.create({ name: 'Docs' });
      const items = Array.from({ length: 60 }, (_, n) => ({
        ...{ name: `${n}`, object: 'item' as const, content: { text: 'Ask the pilot.' } },
      }));
      await calls.workspace(team.meta.slug, meta.slug).tree.createMany({ items });
      const client = await ownServer(calls);
      const input = { team: team.meta.slug, query: 'pilot', in: 'all' };
      return await client.callTool({ name: 'search', arguments: input });
    } finally {
      await service.stop();
    }
  }

  test('a result of search says that the newest changes may be missing', async () => {
    const { structuredContent } = await findThere({});
    expect(structuredContent).toMatchObject({ secondsBehind: expect.any(Number) });
  });

  test('one that does not search in pages is an error that a model can act on', async () => {
    expect(await findThere({ SEARCH_CONTENT: 'off' })).toMatchObject({
      isError: true,
      content: [
        {
          text: 'unprocessable_entity: this service does not search in pages: leave out in, or set it to name',
        },
      ],
    });
  });
});
