// Keeps a JSON file equal to a workspace: { cursor, items }, the items by their ids. Node only, no packages.
//
//   TEAMSPACES_TOKEN=… node examples/mirror/mirror.js acme handbook handbook.json [--once]
//
// With --once it ends when it is in sync; otherwise it follows the changes until you stop it.
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

const [team, workspace, file, once] = process.argv.slice(2);
if (!file || !process.env.TEAMSPACES_TOKEN) {
  console.error('Usage: TEAMSPACES_TOKEN=… node mirror.js <team> <workspace> <file> [--once]');
  process.exit(2);
}
const base = process.env.TEAMSPACES_URL ?? 'http://localhost:3000';
if (!/^https?:\/\//i.test(base)) {
  console.error(`TEAMSPACES_URL must begin with http:// or https://; it is "${base}".`);
  process.exit(2);
}
const feed = `${base}/teams/${team}/workspaces/${workspace}/collections/changes?limit=1000`;
const headers = { authorization: `Bearer ${process.env.TEAMSPACES_TOKEN}` };
const nothing = () => ({ cursor: null, items: {} });

let copy = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : nothing();
for (;;) {
  const wait = once ? 0 : 25;
  const cursor = copy.cursor === null ? '' : `&cursor=${copy.cursor}`;
  const response = await fetch(`${feed}&wait=${wait}${cursor}`, { headers }).catch(() => null);
  const page = response?.ok ? await response.json().catch(() => null) : null;
  if (page) {
    // The ten lines: apply the changes, then store them and the cursor together.
    for (const change of page.changes) {
      if (change.deleted) delete copy.items[change.id];
      else copy.items[change.id] = change.item;
    }
    copy.cursor = page.cursor;
    store(copy);
    if (once && !page.more) break;
  } else if (response?.status === 409) {
    // The cursor is too old: everything is read again, and what is not in it is dropped.
    copy = nothing();
  } else if (response?.status === 404 || response?.status === 403) {
    // Access was lost, or the workspace was deleted: delete the copy.
    store(nothing());
    throw new Error(`${team}/${workspace} cannot be read any more`);
  } else if (response && response.status < 500 && response.status !== 429) {
    throw new Error(await response.text());
  } else {
    console.error(`${base}: ${response?.status ?? 'no response'}, trying again`);
    await sleep(1000 * Number(response?.headers.get('retry-after') ?? 1));
  }
}

/** Replaces the file at once: whoever kills this process finds the old one or the new one. */
function store(content) {
  writeFileSync(`${file}.new`, JSON.stringify(content));
  renameSync(`${file}.new`, file);
}
