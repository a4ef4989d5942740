import { join } from 'node:path';
import { createClient, type TeamspacesClient } from 'teamspaces-client';
import { exportFolder, type ImportPlan, importFolder } from 'teamspaces-markdown';
import { tokenOf } from './app.js';
import { aWorkspace, type ItemBody } from './builders.js';
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

/** The names of a tree, nested as it is. */
export const outline = (items: readonly ItemBody[]): unknown[] =>
  items.map(({ name, children }) => (children ? [name, outline(children)] : name));
