import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { until } from '../operate/process.js';
import { tokenOf } from '../support/app.js';
import { anItem, ok, theTree } from '../support/builders.js';
import { aFolder, removeFolders } from '../support/folders.js';
import { Replica, type ReplicaItem } from '../support/replica.js';
import { scene } from '../support/scene.js';
import { sql } from '../support/sql.js';

const at = scene({ once: 'team', each: 'workspace' });
afterAll(removeFolders);

/** A copy as the example stores it. */
interface Copy {
  cursor: string | null;
  items: Record<string, ReplicaItem>;
}

function mirror(file: string, ...more: string[]): ChildProcess {
  const script = join(import.meta.dirname, '../../examples/mirror/mirror.js');
  const env = { ...process.env, TEAMSPACES_URL: at.url, TEAMSPACES_TOKEN: tokenOf(at.ada.person) };
  const values = [script, at.team, at.workspace.slug, file, ...more];
  return spawn(process.execPath, values, { env, stdio: ['ignore', 'ignore', 'pipe'] });
}

/** The tree that the file holds. */
function treeIn(file: string) {
  if (!existsSync(file)) return null;
  const replica = new Replica(at.query);
  const { items } = JSON.parse(readFileSync(file, 'utf8')) as Copy;
  for (const [id, item] of Object.entries(items)) replica.items.set(id, item);
  return replica.tree();
}

const isEqual = async (file: string) =>
  JSON.stringify(treeIn(file)) === JSON.stringify(await theTree(at.ada, at.query));

test('the example follows a workspace, is killed and started again, and is equal again', async () => {
  const file = join(await aFolder(), 'copy.json');
  const shelf = await anItem(at.ada, at.query, { name: 'Shelf' });
  let running = mirror(file);
  let ended = once(running, 'exit');
  for (let round = 0; round < 3; round++) {
    for (let n = 0; n < 10; n++) {
      const page = await anItem(at.ada, at.query, { parent: shelf.id, index: 0, object: 'item' });
      await ok(at.ada.put(`/collections/${page.id}`, { name: `${round} ${n}` }));
      if (n % 3 === 0) await ok(at.ada.delete(`/collections/${page.id}`));
      if (n === 5) running.kill('SIGKILL');
    }
    await ended;
    running = mirror(file);
    ended = once(running, 'exit');
    await until(() => isEqual(file));
  }
  running.kill();
  await ended;
}, 60_000);

test('an old cursor: the copy is made again, without what has gone', async () => {
  const file = join(await aFolder(), 'copy.json');
  const gone = await anItem(at.ada, at.query);
  const exit = async () => (await once(mirror(file, '--once'), 'exit'))[0];
  expect(await exit()).toBe(0);
  await ok(at.ada.delete(`/collections/${gone.id}?permanent=true`));
  await anItem(at.ada, at.query);
  await sql(at.databaseUrl, 'DELETE FROM tree_changes WHERE workspace_id = $1', [at.workspace.id]);
  expect(await exit()).toBe(0);
  expect(await isEqual(file)).toBe(true);
  await ok(at.ada.delete(at.workspace.path));
  expect(await exit()).not.toBe(0);
  expect(treeIn(file)).toEqual([]);
}, 60_000);
