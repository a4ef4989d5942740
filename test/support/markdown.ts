import { join } from 'node:path';
import { exportWorkspace } from '../../src/cli/markdown/exporter.js';
import { readFolder } from '../../src/cli/markdown/folder.js';
import { Importer } from '../../src/cli/markdown/importer.js';
import { WorkspaceClient } from '../../src/cli/markdown/workspace-client.js';
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

/** A new workspace, and a client of it that may go through a proxy. */
export async function aTarget({ service, ada, person, team }: Markdown, teamSlug = team) {
  const workspace = await aWorkspace(ada, teamSlug);
  const client = (url = service.url, as = person) =>
    new WorkspaceClient(url, tokenOf(as), teamSlug, workspace.slug, 1);
  return { ...workspace, client };
}

/** Imports a folder; answers what was found, what was created and in which order it is there. */
export async function importFolder(root: string, client: WorkspaceClient) {
  const { entries, leftOut, problems } = await readFolder(root);
  const created: string[] = [];
  const importer = new Importer(
    client,
    root,
    entries,
    { created: (path) => created.push(path), waiting: () => undefined },
    1,
  );
  const plan = await importer.plan();
  return { plan, ...(await importer.run()), created, leftOut, problems };
}

/** Exports a workspace to a new folder; answers what is in it. */
export async function exported(client: WorkspaceClient): Promise<Files> {
  const folder = join(await aFolder(), 'out');
  await exportWorkspace(client, folder);
  return filesIn(folder);
}

/** The names of a tree, nested as it is. */
export const outline = (items: readonly ItemBody[]): unknown[] =>
  items.map(({ name, children }) => (children ? [name, outline(children)] : name));
