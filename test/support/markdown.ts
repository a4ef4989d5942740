import { join } from 'node:path';
import { createClient, type TeamspacesClient } from 'teamspaces-client';
import { exportFolder, type ImportPlan, importFolder } from 'teamspaces-markdown';
import {
  type Caller,
  type Person,
  somebody,
  startService,
  type TestService,
  tokenOf,
} from './app.js';
import { aTeam, aWorkspace, type ItemBody } from './builders.js';
import { aFolder, type Files, filesIn, removeFolders } from './folders.js';
import { assertInvariants } from './invariants.js';
import { sql } from './sql.js';

/** A service, and a team without limits, to import into. Ada owns the team. */
export interface Markdown {
  service: TestService;
  ada: Caller;
  person: Person;
  team: string;
  stop(): Promise<void>;
}

/** Starts one before the tests of a file, and holds the invariants after each of them. */
export function useMarkdown(): Markdown {
  const markdown = {} as Markdown;
  beforeAll(async () => void Object.assign(markdown, await startMarkdown()));
  afterEach(async () => {
    await removeFolders();
    await assertInvariants(markdown.service.databaseUrl);
  });
  afterAll(() => markdown.stop());
  return markdown;
}

async function startMarkdown(): Promise<Markdown> {
  const service = await startService({
    RATE_LIMIT_PER_MINUTE: '0',
    PLAN_LIMITS: '{"free":{"pages":9}}',
  });
  const person = somebody();
  const ada = service.as(person);
  const team = await aTeam(ada);
  await sql(service.databaseUrl, `UPDATE teams SET plan = 'enterprise' WHERE slug = $1`, [team]);
  return { service, ada, person, team, stop: () => service.stop() };
}

/** A workspace, and a client that reaches it. */
export interface Target {
  client: TeamspacesClient;
  team: string;
  workspace: string;
}

/** A new workspace, and how to reach it: by anybody, also through a proxy. */
export async function aTarget({ service, ada, person, team }: Markdown, teamSlug = team) {
  const workspace = await aWorkspace(ada, teamSlug);
  const target = (url = service.url, as = person): Target => ({
    client: createClient({ baseUrl: url, token: tokenOf(as) }),
    team: teamSlug,
    workspace: workspace.slug,
  });
  return { ...workspace, target };
}

/** Imports a folder; answers what that created and found. */
export const importTo = ({ client, ...place }: Target, folder: string): Promise<ImportPlan> =>
  importFolder(client, { ...place, folder });

/** Exports a workspace to a folder. */
export const exportTo = ({ client, ...place }: Target, folder: string, force = false) =>
  exportFolder(client, { ...place, folder, force });

/** Exports a workspace to a new folder; answers what is in it. */
export async function exported(target: Target): Promise<Files> {
  const folder = join(await aFolder(), 'out');
  await exportTo(target, folder);
  return filesIn(folder);
}

/** The names of a tree, nested as it is. */
export const outline = (items: readonly ItemBody[]): unknown[] =>
  items.map(({ name, children }) => (children ? [name, outline(children)] : name));
