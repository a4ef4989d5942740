import { tokenOf } from '../support/app.js';
import { anItem, type ItemBody, ok, theTree } from '../support/builders.js';
import { runCommand } from '../support/command.js';
import { scene } from '../support/scene.js';

const at = scene({ each: 'workspace', verify: true });

const trash = (...args: string[]) =>
  runCommand(['trash', ...args, '--url', at.url], { TEAMSPACES_TOKEN: tokenOf(at.ada.person) });
const restore = (id: string, variables: Record<string, string> = {}) =>
  runCommand(['trash', 'restore', id], { DATABASE_URL: at.databaseUrl, ...variables });
const list = () => trash('list', '--team', at.team, '--workspace', at.workspace.slug);

async function aShelf(): Promise<ItemBody> {
  const shelf = await anItem(at.ada, at.query, { name: 'Shelf' });
  await anItem(at.ada, at.query, { object: 'item', parent: shelf.id });
  await ok(at.ada.delete(`/collections/${shelf.id}`));
  return shelf;
}

test('trash list shows what was deleted, and trash restore brings it back', async () => {
  const { id } = await aShelf();
  const listed = await list();
  expect(listed.output).toMatch(
    new RegExp(
      `^id +title +collections +pages +deletedAt +deletedBy\n${id}  Shelf  1 +1 +\\S+Z +Ada\n$`,
    ),
  );
  expect(await restore(id)).toEqual({
    status: 0,
    output: 'Restored Shelf (2 items) to the top level.\n',
  });
  expect((await theTree(at.ada, at.query)).map((item) => item.id)).toEqual([id]);
  expect(await list()).toEqual({ status: 0, output: 'The trash is empty.\n' });
});

test('trash list shows the title', async () => {
  const title = 'Everything that we have learned about shelves';
  const { id } = await anItem(at.ada, at.query, { title });
  await ok(at.ada.delete(`/collections/${id}`));
  expect((await list()).output).toMatch(new RegExp(`^${id}  ${title}  1 +0 `, 'm'));
});

test('trash purge deletes for good; what is not there is said', async () => {
  const { id } = await aShelf();
  expect(await trash('purge', id)).toEqual({ status: 0, output: `Purged ${id}.\n` });
  const again = await restore(id);
  expect(again.status).toBe(1);
  expect(again.output).toContain(`There is no deletion of the item ${id} in any trash.`);
});

test('trash restore needs no token, goes back to the parent, and respects the limit of the plan', async () => {
  const shelf = await anItem(at.ada, at.query, { name: 'Shelf' });
  const page = await anItem(at.ada, at.query, { object: 'item', name: 'Page', parent: shelf.id });
  await ok(at.ada.delete(`/collections/${page.id}`));
  const none = await restore(page.id, { PLAN_LIMITS: '{"free":{"pages":1}}' });
  expect(none).toEqual({
    status: 0,
    output: `Restored Page (1 item) to its collection ${shelf.id}.\n`,
  });
  await anItem(at.ada, at.query, { object: 'item' });
  await ok(at.ada.delete(`/collections/${page.id}`));
  const past = await restore(page.id, { PLAN_LIMITS: '{"free":{"pages":1}}' });
  expect(past.status).toBe(1);
  expect(past.output).toContain(
    "Nothing was restored: the free plan's limit of 1 pages (limit.pages) is reached",
  );
  expect(await list()).toMatchObject({ output: expect.stringContaining(page.id) });
});

const workspaces = (command: string, ...args: string[]) =>
  trash('workspaces', command, '--team', at.team, ...args);

test('trash workspaces list shows deleted workspaces, and trash workspaces restore brings one back', async () => {
  const { id, slug, path } = at.workspace;
  await anItem(at.ada, at.query, { object: 'item' });
  await ok(at.ada.delete(path));
  expect((await workspaces('list')).output).toMatch(
    new RegExp(`^id +name +pages +deletedAt +deletedBy\n${id}  Workspace  1 +\\S+Z +Ada\n$`),
  );
  expect(await workspaces('restore', id)).toEqual({
    status: 0,
    output: `Restored Workspace as ${at.team}/${slug}.\n`,
  });
  expect(await theTree(at.ada, at.query)).toHaveLength(1);
  expect(await workspaces('list')).toEqual({
    status: 0,
    output: 'There are no deleted workspaces that you can restore.\n',
  });
});

test('trash workspaces purge deletes for good; what is not there is said', async () => {
  const { id, path } = at.workspace;
  await ok(at.ada.delete(path));
  expect(await workspaces('purge', id)).toEqual({ status: 0, output: `Purged ${id}.\n` });
  const again = await workspaces('restore', id);
  expect(again.status).toBe(1);
  expect(again.output).toContain('workspace not found');
});
