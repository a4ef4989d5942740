import { inspect } from 'node:util';
import {
  BadRequestError,
  ConflictError,
  createClient,
  etagOf,
  type FoundCollection,
  NotFoundError,
  type SnippetPart,
  secondsBehind,
  titleOf,
} from '../../clients/typescript/src/client.js';
import { Resource, type Transport } from '../../clients/typescript/src/resource.js';
import { Resources } from '../../clients/typescript/src/resources.js';
import { somebody, startStillService, tokenOf } from '../support/app.js';
import { freshSlug } from '../support/builders.js';
import { goldenDocument } from '../support/golden.js';
import { describeAlone } from '../support/inside.js';
import { scene } from '../support/scene.js';
import { aVersion } from '../support/versions.js';

const at = scene();

const person = somebody();

/** A client, and a workspace of a team of its own. */
async function aPlace() {
  const client = createClient({ baseUrl: at.url, token: tokenOf(person) });
  const slug = freshSlug();
  await client.teams.create({ name: 'Acme', slug });
  await client.team(slug).workspaces.create({ name: 'Handbook' });
  return { client, slug, ...client.workspace(slug, 'handbook') };
}

describe('the methods and the document', () => {
  const { paths } = goldenDocument<{
    paths: Record<string, Record<string, { operationId: string }>>;
  }>();

  /** The routes, such as `GET /teams`, that the methods of the client send requests to. */
  async function routesOfMethods(): Promise<Set<string>> {
    const routes = new Set<string>();
    const transport: Transport = {
      request: async (method, path) => {
        routes.add(`${method} ${path}`);
        return { data: { changes: [] }, response: new Response() };
      },
      async *list(path) {
        routes.add(`GET ${path}`);
        yield* [];
      },
    };
    await callAll(new Resources(transport));
    return routes;
  }

  /** Calls each method of a resource, and of those that it leads to. */
  async function callAll(resource: Resource): Promise<void> {
    for (const name of namesOf(resource)) {
      const member = (resource as unknown as Record<string, unknown>)[name];
      if (member instanceof Resource) await callAll(member);
      if (typeof member !== 'function') continue;
      const result: unknown = await member.call(resource, 'x', {}, {});
      if (result instanceof Resource) await callAll(result);
      else if (result instanceof Object && 'next' in result)
        await (result as AsyncGenerator).next();
    }
  }

  /** The names of its members, inherited ones included, without those of every resource. */
  function namesOf(resource: object): string[] {
    if (resource === Resource.prototype) return [];
    const inherited = namesOf(Object.getPrototypeOf(resource));
    const own = Object.getOwnPropertyNames(resource).filter((name) => name !== 'constructor');
    return [...own, ...inherited];
  }

  test('each operation has a method, in one of its two forms; each method has an operation', async () => {
    const called = await routesOfMethods();
    const rows = Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, { operationId }]) => ({
        id: operationId.replace(/InWorkspace$/, ''),
        route: `${method.toUpperCase()} ${path}`,
      })),
    );
    const covered = new Set(rows.filter(({ route }) => called.has(route)).map(({ id }) => id));
    const missing = rows.filter(({ id }) => !covered.has(id));
    expect(missing).toEqual([]);
    const known = new Set(rows.map(({ route }) => route));
    expect([...called].filter((route) => !known.has(route))).toEqual([]);
  });
});

test('teams, people and workspaces', async () => {
  const { client, slug } = await aPlace();
  const { members, invites, workspaces, trash } = client.team(slug);
  expect(await client.teams.list()).toMatchObject([{ meta: { slug } }]);
  expect(await client.teams.update(slug, { description: 'We build' })).toMatchObject({
    description: 'We build',
  });
  const [invite] = (await invites.send({ invites: [{ email: 'bo@acme.example', role: 'member' }] }))
    .users;
  expect(await invites.list()).toMatchObject([{ email: 'bo@acme.example' }]);
  await invites.revoke(`${invite?._id}`);
  expect(await invites.list()).toEqual([]);
  expect(await members.list()).toMatchObject([{ role: 'owner' }]);
  await workspaces.delete('handbook');
  const [deleted] = await trash.list();
  if (!deleted) throw new Error('the trash is empty');
  expect(await trash.restore(deleted)).toMatchObject({ meta: { slug: 'handbook' } });
  const me = await client.me();
  await expect(members.remove({ userId: me._id })).rejects.toThrow();
});

test('times in a query arrive with their offset', async () => {
  const { client, slug } = await aPlace();
  const actions = async (query: { since?: string; until?: string }) => {
    const found: string[] = [];
    const entries = client.team(slug).auditLog({ ...query, action: 'team.created' });
    for await (const { action } of entries) found.push(action);
    return found;
  };
  expect(await actions({ since: '2020-01-01T00:00:00+02:00' })).toEqual(['team.created']);
  expect(await actions({ until: '2020-01-01T00:00:00+02:00' })).toEqual([]);
});

test('search, in a workspace and in all of a team', async () => {
  const { client, slug, pages } = await aPlace();
  const content = { text: 'Ask for a badge' };
  const { id } = await pages.create({ name: 'First day', content });
  const found = [{ id, name: 'First day', workspaceMeta: { slug: 'handbook' } }];
  expect(await client.workspace(slug, 'handbook').search('day')).toMatchObject(found);
  expect(await client.team(slug).search('FIRST', { object: 'item', limit: 1 })).toMatchObject(
    found,
  );
  expect(await client.team(slug).search('first', { object: 'collection' })).toEqual([]);

  const workspace = client.workspace(slug, 'handbook');
  expect(await workspace.search('badge')).toEqual([]);
  const snippet: SnippetPart[] = [
    { text: 'First day Ask for a ', match: false },
    { text: 'badge', match: true },
  ];
  const [hit, ...others]: FoundCollection[] = await workspace.search('badge', { in: 'all' });
  expect([hit?.id, hit?.snippet, others]).toEqual([id, snippet, []]);
  expect(await client.team(slug).search('badge', { in: 'all' })).toMatchObject([{ id, snippet }]);
});

describeAlone('a service whose index is behind', () => {
  test('secondsBehind() says how old the changes are that may be missing', async () => {
    const service = await startStillService();
    try {
      const client = createClient({ baseUrl: service.url, token: tokenOf(somebody()) });
      const { meta } = await client.teams.create({ name: 'Team', slug: freshSlug() });
      const { slug } = (await client.team(meta.slug).workspaces.create({ name: 'Docs' })).meta;
      const workspace = client.workspace(meta.slug, slug);
      const page = { object: 'item' as const, content: { text: 'Ask for a badge' } };
      await workspace.tree.createMany({ items: [{ ...page, name: 'First day' }] });
      const isBehind = async (options?: { in: 'all' }) => [
        secondsBehind(await workspace.search('badge', options)) !== undefined,
        secondsBehind(await client.team(meta.slug).search('badge', options)) !== undefined,
      ];
      expect(await isBehind({ in: 'all' })).toEqual([false, false]);
      // More than a search reads beside the index.
      const items = Array.from({ length: 60 }, (_, n) => ({ ...page, name: `${n}` }));
      await workspace.tree.createMany({ items });
      expect(await isBehind({ in: 'all' })).toEqual([true, true]);
      expect(secondsBehind(await workspace.search('badge', { in: 'all' }))).toBeGreaterThan(0);
      expect(await isBehind()).toEqual([false, false]);
    } finally {
      await service.stop();
    }
  });
});

test('a tree: create, move, patch, delete, restore', async () => {
  const { pages, collections, tree, trash } = await aPlace();
  const guides = await collections.create({ name: 'Guides' });
  const first = await pages.create({ name: 'First', parent: guides.id, content: { items: [] } });
  const second = await pages.create({ name: 'Second', parent: guides.id, index: 0 });
  const names = async () => (await tree.list())[0]?.children?.map(({ name }) => name);
  expect(await names()).toEqual(['Second', 'First']);
  await pages.move(first, { index: 0 });
  expect(await names()).toEqual(['First', 'Second']);
  await pages.move(second, { index: 0, newParent: null });
  expect(await names()).toEqual(undefined);
  await tree.order({ parent: null, children: [guides.id, second.id] });
  const patch = [{ op: 'add', path: '/items/-', value: 1 } as const];
  expect(await pages.patch(first, patch)).toMatchObject({ content: { items: [1] } });
  // Of a deletion, children count, too.
  await expect(collections.delete(guides)).rejects.toThrow(ConflictError);
  await collections.delete(await collections.get(guides));
  await expect(pages.get(first)).rejects.toThrow(NotFoundError);
  const [deletion] = await trash.list();
  if (!deletion) throw new Error('the trash is empty');
  await trash.restore(deletion, { index: 1 });
  expect((await tree.list({ depth: 1 })).map(({ name }) => name)).toEqual(['Second', 'Guides']);
  expect(await pages.getBySlug('first', { include: 'ancestors' })).toMatchObject({
    ancestors: [{ id: guides.id }],
  });
  await pages.update(guides.id, { key: 'guides' });
  expect((await tree.list())[1]).toMatchObject({ key: 'guides' });
  expect(await pages.getByKey('guides')).toMatchObject({ id: guides.id, key: 'guides' });
  const seen: string[] = [];
  for await (const { item } of tree.changes()) if (item) seen.push(item.name);
  expect(seen.sort()).toEqual(['First', 'Guides', 'Second']);
});

describe('a title', () => {
  const TITLE = `How to ask for a new laptop 💻, and what to do until it comes: ${'é'.repeat(193)}`;
  const named = (name: string, title = name) => ({ name, meta: { title } });

  test('is enough, and has up to 255 code points', async () => {
    const { pages, collections } = await aPlace();
    expect([...TITLE]).toHaveLength(255);
    const page = await pages.create({ title: TITLE });
    expect(page).toMatchObject(named('How to ask for a new laptop 💻, a', TITLE));
    expect(page.meta.slug).toBe('how-to-ask-for-a-new-laptop-and-what-to-do-until');
    expect(await collections.create({ title: 'Guides' })).toMatchObject(named('Guides'));
    await expect(pages.create({ title: `${TITLE}!` })).rejects.toThrow(/^title .*255/);
    expect(await pages.create({ name: 'laptop', title: TITLE })).toMatchObject(
      named('laptop', TITLE),
    );
  });

  test('goes with a new name and null, and stays with an equal name', async () => {
    const { pages } = await aPlace();
    const page = await pages.create({ name: 'laptop', title: TITLE });
    const same = await pages.update(page, { name: 'laptop', content: { n: 1 } });
    expect(same).toMatchObject(named('laptop', TITLE));
    const renamed = await pages.update(same, { name: 'Laptops' });
    expect(renamed).toMatchObject(named('Laptops'));
    const titled = await pages.update(renamed, { title: TITLE });
    expect(titled).toMatchObject(named('How to ask for a new laptop 💻, a', TITLE));
    const without = await pages.update(titled, { title: null });
    expect(without).toMatchObject(named('How to ask for a new laptop 💻, a'));
    expect(without.meta.slug).toBe(page.meta.slug);
  });

  test('is given in a batch, a manifest and a copy, and shown by lists, ancestors and the trash', async () => {
    const { client, slug, tree, pages, collections, trash } = await aPlace();
    const workspace = client.workspace(slug, 'handbook');
    const [shelf] = await tree.createMany({
      items: [{ title: TITLE, children: [{ title: 'Short', object: 'item' }] }],
    });
    if (!shelf) throw new Error('nothing was created');
    const items = [{ key: 'a', title: `${TITLE.slice(0, 40)}A` }];
    expect(await workspace.apply({ items })).toMatchObject({ created: 1 });
    expect(await workspace.apply({ items })).toMatchObject({ unchanged: 1 });
    const copy = await collections.duplicate(shelf.id, { title: 'Copy' });
    expect(copy).toMatchObject(named('Copy'));
    // Those with a key are first; a copy is right after its original.
    expect((await tree.list()).map(titleOf)).toEqual([items[0]?.title, TITLE, 'Copy']);

    const [found] = await workspace.search('short');
    const page = await pages.get(`${found?.id}`, { include: 'ancestors' });
    const paths = [found?.ancestors, page.ancestors].map((path) => path?.map(titleOf).join(' / '));
    expect([TITLE, 'Copy']).toContain(paths[0]);
    expect(paths[1]).toBe(paths[0]);
    expect(await workspace.search('until it comes')).toMatchObject([named(shelf.name, TITLE)]);

    await collections.delete(shelf.id);
    await collections.delete(copy.id);
    expect((await trash.list()).map(titleOf)).toEqual(['Copy', TITLE]);
    expect(await trash.restore(shelf.id)).toMatchObject(named(shelf.name, TITLE));
  });
});

test('versions of a page: list, read, restore, purge', async () => {
  const { pages } = await aPlace();
  const page = await pages.create({ name: 'One', content: { n: 1 } });
  const version = await aVersion(at, at.as(person), page.id);
  const old = await pages.get(page);
  expect(await pages.versions(page)).toMatchObject([{ version, bytes: 7 }]);
  expect(await pages.version(page, version)).toMatchObject({ version, content: { n: 1 } });
  const restored = await pages.restore(old, version);
  expect(restored).toMatchObject({ content: { n: 1 } });
  await expect(pages.restore(old, version)).rejects.toThrow(ConflictError);
  await pages.update(restored, { name: 'Two' });
  const numbers: number[] = [];
  for await (const each of pages.versions(page, { limit: 1 })) numbers.push(each.version);
  expect(numbers).toHaveLength(2);
  await pages.purgeVersions(page);
  expect(await pages.versions(page)).toEqual([]);
});

describe('a record remembers its ETag', () => {
  test('a change of one that is out of date is a ConflictError; by id it is not', async () => {
    const { pages } = await aPlace();
    const { id } = await pages.create({ name: 'One' });
    const old = await pages.get(id);
    const page = await pages.update(old, { name: 'Two' });
    await expect(pages.update(old, { name: 'Three' })).rejects.toThrow(ConflictError);
    await expect(pages.delete({ ...old })).rejects.toThrow(ConflictError);
    await pages.update(page, { name: 'Four' });
    await expect(pages.move(page, { index: 0 })).rejects.toThrow(ConflictError);
    await expect(pages.patch(page, [])).rejects.toThrow(ConflictError);
    await pages.update(id, { name: 'Five' });
    await pages.update(old, { name: 'Six' }, { ifMatch: null });
    expect(await pages.get(old)).toMatchObject({ name: 'Six' });
  });

  test('in no field of it; records of lists have none', async () => {
    const { pages, tree } = await aPlace();
    const page = await pages.get(await pages.create({ name: 'One' }));
    expect(etagOf(page)).toMatch(/^".+"$/);
    expect(JSON.stringify(page)).not.toContain('etag');
    expect(etagOf((await tree.list())[0])).toBeUndefined();
  });
});

test('a list: all of it with await, page after page with for await', async () => {
  const { pages, tree } = await aPlace();
  for (const name of ['a', 'b', 'c']) await pages.create({ name });
  const list = tree.list({ limit: 2 });
  const iterated: string[] = [];
  for await (const { name } of list) iterated.push(name);
  expect(iterated).toEqual(['a', 'b', 'c']);
  expect((await list).map(({ name }) => name)).toEqual(['a', 'b', 'c']);
  await expect(Promise.resolve(tree.list({ limit: 0 }))).rejects.toThrow(BadRequestError);
});

test('a created record remembers its ETag: a change by it is conditional', async () => {
  const { pages } = await aPlace();
  const created = await pages.create({ name: 'One', content: {} });
  await pages.update(created.id, { name: 'Other' });
  await expect(pages.update(created, { name: 'Mine' })).rejects.toThrow(ConflictError);
  expect(await pages.update(created, { name: 'Mine' }, { ifMatch: null })).toMatchObject({
    name: 'Mine',
  });
  const moved = await pages.create({ name: 'Two' });
  await pages.move(moved, { index: 0 });
  await pages.update(moved, { name: 'Three' });
  await expect(pages.move(moved, { index: 1 })).rejects.toThrow(ConflictError);
});

test('the record of a team or a workspace names it, and makes a change conditional', async () => {
  const { client, slug } = await aPlace();
  const team = await client.teams.get(slug);
  const { workspaces } = client.team(slug);
  const created = await workspaces.create({ name: 'Plans' });
  const renamed = await workspaces.update(created, { slug: 'the-plans' });
  await client.teams.update(team, { name: 'Ours' });
  await expect(client.teams.update(team, { name: 'Mine' })).rejects.toThrow(ConflictError);
  await workspaces.update('the-plans', { name: 'Theirs' });
  await expect(workspaces.delete(renamed)).rejects.toThrow(ConflictError);
  await workspaces.delete(renamed, { ifMatch: null });
  await expect(workspaces.get(renamed)).rejects.toThrow(NotFoundError);
});

test('a printed error is short, and says what happened', async () => {
  const { pages } = await aPlace();
  const error = (await pages.get('nowhere').catch((caught: unknown) => caught)) as NotFoundError;
  const printed = inspect(error);
  expect(error.response.status).toBe(404);
  for (const part of [
    error.message,
    "code: 'not_found'",
    'status: 404',
    error.requestId,
    error.docUrl,
  ]) {
    expect(printed).toContain(part);
  }
  expect(printed).not.toContain('Response');
  expect(printed.split('\n').filter((line) => !/^ +at /.test(line)).length).toBeLessThan(10);
});

test('an idempotencyKey of its own: the same page twice', async () => {
  const { pages } = await aPlace();
  const create = () => pages.create({ name: 'One' }, { idempotencyKey: 'mine' });
  // A replay has no ETag.
  expect(JSON.stringify(await create())).toBe(JSON.stringify(await create()));
});

test('what is missing or does not exist does not compile', async () => {
  const { client, pages, slug } = await aPlace();
  const calls: (() => Promise<unknown>)[] = [
    // @ts-expect-error: no name
    () => client.teams.create({ slug: 'acme' }),
    // @ts-expect-error: an unknown field
    () => pages.create({ heading: 'One' }),
    // @ts-expect-error: not a number
    () => Promise.resolve(client.team(slug).members.list({ limit: '2x' })),
    // @ts-expect-error: no index
    () => pages.move('x', { newParent: null }),
  ];
  for (const call of calls) await expect(call()).rejects.toThrow(BadRequestError);
});
