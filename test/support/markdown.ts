import { join } from 'node:path';
import { createClient, type TeamspacesClient } from 'teamspaces-client';
import {
  exportFolder,
  type ImportPlan,
  importFolder,
  type SyncOptions,
  type SyncReport,
  syncFolder,
} from 'teamspaces-markdown';
import { tokenOf } from './app.js';
import { aWorkspace, type ItemBody, ok } from './builders.js';
import { aFolder, type Files, filesIn, removeFolders } from './folders.js';
import { type Scene, scene } from './scene.js';
import { sql } from './sql.js';

/** A scene with a team without limits, to import into. */
export function useMarkdown(): Scene {
  const at = scene({
    env: { PLAN_LIMITS: '{"free":{"pages":9}}' },
    once: 'team',
    verify: true,
  });
  beforeAll(() =>
    sql(at.databaseUrl, `UPDATE teams SET plan = 'enterprise' WHERE slug = $1`, [at.team]),
  );
  afterEach(removeFolders);
  return at;
}

/** A workspace, and a client that reaches it. */
export interface Target {
  client: TeamspacesClient;
  team: string;
  workspace: string;
}

/** A new workspace, and how to reach it: by anybody, also through a proxy. */
export async function aTarget(at: Scene, teamSlug = at.team) {
  const workspace = await aWorkspace(at.ada, teamSlug);
  const target = (url = at.url, as = at.ada.person): Target => ({
    client: createClient({ baseUrl: url, token: tokenOf(as) }),
    team: teamSlug,
    workspace: workspace.slug,
  });
  return { ...workspace, target };
}

/** Imports a folder; returns what that created and found. */
export const importTo = ({ client, ...place }: Target, folder: string): Promise<ImportPlan> =>
  importFolder(client, { ...place, folder });

/** Exports a workspace to a folder. */
export const exportTo = ({ client, ...place }: Target, folder: string, force = false) =>
  exportFolder(client, { ...place, folder, force });

/** Exports a workspace to a new folder; returns what is in it. */
export async function exported(target: Target): Promise<Files> {
  const folder = join(await aFolder(), 'out');
  await exportTo(target, folder);
  return filesIn(folder);
}

/** The titles of a tree, nested as it is. */
export const outline = (items: readonly ItemBody[]): unknown[] =>
  items.map(({ meta, children }) => (children ? [meta.title, outline(children)] : meta.title));

/** A new workspace that folders are synced to. */
export interface Synced {
  query: string;
  sync(root: string, more?: Partial<SyncOptions>): Promise<number[]>;
  /** Exports to a new folder, for a sync of that name. */
  exportAs(name: string): Promise<string>;
  /** What changed in the feed since the last call: names, or ids of what is gone. */
  changed(): Promise<string[]>;
}

export async function aSyncedPlace(at: Scene): Promise<Synced> {
  const { query, target } = await aTarget(at);
  const { client, ...place } = target();
  let cursor = '';
  const countsOf = ({ created, updated, moved, unchanged, pruned }: SyncReport) => [
    ...[created, updated, moved, unchanged, pruned],
  ];
  return {
    query,
    sync: async (folder, more = {}) =>
      countsOf(await syncFolder(client, { ...place, folder, name: 'docs', ...more })),
    exportAs: async (name) => {
      const folder = await aFolder();
      await exportFolder(client, { ...place, folder, name });
      return folder;
    },
    changed: async () => {
      const after = cursor && `&cursor=${cursor}`;
      const page = await ok<{
        cursor: string;
        changes: { id: string; item?: { name: string } }[];
      }>(at.ada.get(`/collections/changes${query}&limit=1000${after}`));
      cursor = page.cursor;
      return page.changes.map(({ id, item }) => item?.name ?? id).sort();
    },
  };
}

/** A page with a key of its own. */
export const keyed = (key: string, text = 'Text'): string => `---\nkey: ${key}\n---\n${text}\n`;
