import { tokenOf } from '../support/app.js';
import { anItem, ok } from '../support/builders.js';
import { runCommand } from '../support/command.js';
import { aMember } from '../support/members.js';
import { scene } from '../support/scene.js';

const at = scene({ once: 'team', each: 'workspace' });

const run = (...args: string[]) =>
  runCommand([...args, '--url', at.url], { TEAMSPACES_TOKEN: tokenOf(at.ada.person) });

/** What a command prints with --json. */
async function json(...args: string[]) {
  const { status, output } = await run(...args, '--json');
  expect([status, output]).toEqual([0, expect.stringMatching(/^[[{]/)]);
  return JSON.parse(output);
}

const place = () => ['--team', at.team, '--workspace', at.workspace.slug];

/** A collection in a collection, with a page. */
async function aTree() {
  const guides = await anItem(at.ada, at.query, { name: 'Guides' });
  const inner = await anItem(at.ada, at.query, { name: 'Inner', parent: guides.id });
  const content = { text: 'Hello' };
  const page = { name: 'First day', object: 'item', parent: inner.id, content };
  return { guides, inner, page: await anItem(at.ada, at.query, page) };
}

describe('list', () => {
  test('shows the teams of the caller', async () => {
    const { output } = await run('list');
    expect(output).toMatch(/^slug +name +role +plan +members +workspaces +pages\n/);
    expect(output).toMatch(new RegExp(`^${at.team} +Team +owner +free +1 +\\d+ +\\d+$`, 'm'));
    expect(await json('list')).toMatchObject([{ meta: { slug: at.team }, role: 'owner' }]);
  });

  test('shows the workspaces of a team', async () => {
    const { slug } = at.workspace;
    const { output } = await run('list', '--team', at.team);
    expect(output).toMatch(/^slug +name +visibility +access +updatedAt\n/);
    expect(output).toMatch(new RegExp(`^${slug} +.+ +public +full +20\\S+Z$`, 'm'));
    expect(await json('list', '--team', at.team)).toContainEqual(
      expect.objectContaining({ meta: expect.objectContaining({ slug }) }),
    );
  });

  test('shows the tree of a workspace in order, titles below their collections', async () => {
    expect(await run('list', ...place())).toEqual({
      status: 0,
      output: 'The workspace is empty.\n',
    });
    const { guides, inner, page } = await aTree();
    const last = await anItem(at.ada, at.query, { name: 'Last', object: 'item' });
    const { output } = await run('list', ...place());
    expect(output.split('\n')).toEqual([
      expect.stringMatching(/^id +object +title$/),
      `${guides.id}  collection  Guides`,
      `${inner.id}  collection    Inner`,
      `${page.id}  item            First day`,
      `${last.id}  item        Last`,
      '',
    ]);
    expect(await json('list', ...place())).toMatchObject([
      { id: guides.id, children: [{ id: inner.id, children: [{ id: page.id }] }] },
      { id: last.id },
    ]);
  });

  test('shows titles, whole, in lists and of an item', async () => {
    const title = 'What to do if somebody takes your chair, your desk, or both of them at once';
    const { id } = await anItem(at.ada, at.query, { title, object: 'item' });
    const { output } = await run('list', ...place());
    expect(output).toContain(`${id}  item    ${title}\n`);
    const { output: shown } = await run('show', id);
    expect(shown).toMatch(
      new RegExp(`^title +${title}\nname +What to do if somebody takes you$`, 'm'),
    );
  });

  test('a workspace without its team is an error of usage', async () => {
    const { status, output } = await run('list', '--workspace', at.workspace.slug);
    expect([status, output]).toEqual([
      2,
      expect.stringMatching(/^error: --workspace requires --team$/m),
    ]);
  });
});

describe('show', () => {
  test('shows a page with its content, and a collection with the number of its children', async () => {
    const { inner, guides, page } = await aTree();
    const { output } = await run('show', page.id);
    expect(output).toMatch(new RegExp(`^id +${page.id}$`, 'm'));
    expect(output).toMatch(new RegExp(`^parent +${inner.id}$`, 'm'));
    expect(output).toMatch(/^content +{"text":"Hello"}$/m);
    expect(await json('show', page.id)).toMatchObject({ id: page.id, content: { text: 'Hello' } });
    const { output: collection } = await run('show', guides.id);
    expect(collection).toMatch(/^children +1$/m);
    expect(collection).not.toMatch(/^(parent|content)/m);
  });

  test('--versions lists the versions of a page', async () => {
    const bob = await aMember(at, at.team, 'member');
    const { id } = await anItem(at.ada, at.query, { object: 'item', content: { n: 1 } });
    const none = { status: 0, output: 'The page has no versions.\n' };
    expect(await run('show', '--versions', id)).toEqual(none);
    await ok(bob.put(`/collections/${id}`, { content: { n: 2 } }));
    const { output } = await run('show', '--versions', id);
    expect(output).toMatch(/^version +since +until +by +bytes\n1 +20\S+Z +20\S+Z +Ada +7\n$/);
    expect(await json('show', '--versions', id)).toMatchObject([{ version: 1 }]);
    expect((await run('show', id)).output).toMatch(new RegExp(`^updatedBy +${bob.id}$`, 'm'));
    expect(await run('show', '--versions', '--team', at.team)).toEqual({
      status: 1,
      output: '--versions requires the id of a page.\n',
    });
  });

  test('shows a workspace and a team', async () => {
    const { slug } = at.workspace;
    expect((await run('show', ...place())).output).toMatch(new RegExp(`^slug +${slug}$`, 'm'));
    expect(await json('show', ...place())).toMatchObject({ meta: { slug } });
    const { output } = await run('show', '--team', at.team);
    expect(output).toMatch(/^members +\d of 20$/m);
    expect(await json('show', '--team', at.team)).toMatchObject({ meta: { slug: at.team } });
  });

  test('nothing to show is an error of usage, an unknown id a failure', async () => {
    const { status, output } = await run('show');
    expect([status, output]).toEqual([
      2,
      expect.stringMatching(/^error: <id> or --team must be given$/m),
    ]);
    expect(await run('show', at.ada.person.sub)).toMatchObject({ status: 1 });
  });
});

test('--json of the other lists prints the records of the API', async () => {
  const { page } = await aTree();
  expect(await json('find', '--team', at.team, ...place().slice(2), 'first')).toMatchObject([
    { id: page.id, workspaceMeta: { slug: at.workspace.slug } },
  ]);
  expect(await json('trash', 'list', ...place())).toEqual([]);
});
