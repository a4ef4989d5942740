import type { Collection, PageVersion, Team, TeamspacesClient, Workspace } from 'teamspaces-client';
import { inColumns, inLines, print, printJson, type Row } from './print.js';
import { connect, type Target } from './service.js';

/** Lists teams, the workspaces of a team, or the tree of a workspace. The flag is `--json`. */
export async function runList(target: Target): Promise<void> {
  const { team, workspace } = target;
  const api = await connect(target);
  if (team === '') {
    tell(target, await api.teams.list(), teamColumns, 'You are not a member of a team.');
  } else if (workspace === '') {
    const workspaces = await api.team(team).workspaces.list();
    tell(target, workspaces, workspaceColumns, 'The team has no workspaces that you can see.');
  } else {
    const tree = await api.workspace(team, workspace).tree.list();
    if (target.flag) printJson(tree);
    else tell(target, [...rowsOf(tree)], (row) => row, 'The workspace is empty.');
  }
}

function tell<T>({ flag }: Target, all: T[], columns: (one: T) => Row, none: string): void {
  if (flag) printJson(all);
  else print(...(all.length > 0 ? inColumns(all.map(columns)) : [none]));
}

const teamColumns = ({ meta, name, role, plan, usage }: Team): Row => ({
  ...{ slug: meta.slug, name, role, plan, members: usage.users },
  ...{ workspaces: usage.workspaces, pages: usage.pages },
});

const workspaceColumns = ({ meta, name, Visibility, access, updatedAt }: Workspace): Row => ({
  ...{ slug: meta.slug, name, visibility: Visibility, access, updatedAt },
});

/** The items of a tree from top to bottom, their titles indented by their depth. */
function* rowsOf(items: readonly Collection[], depth = 0): Generator<Row, void, undefined> {
  for (const { id, object, meta, children = [] } of items) {
    yield { id, object, title: `${'  '.repeat(depth)}${meta.title}` };
    yield* rowsOf(children, depth + 1);
  }
}

/** Shows an item, a workspace or a team. The flags are `--json` and `--versions`: lists those of a page. */
export async function runShow(target: Target): Promise<void> {
  const api = await connect(target);
  if (target.otherFlag) return listVersions(api, target);
  const [record, lines] = await readOne(api, target);
  if (target.flag) printJson(record);
  else print(...inLines(lines));
}

async function listVersions(api: TeamspacesClient, target: Target): Promise<void> {
  const { argument: id } = target;
  if (id === '') throw new Error('--versions requires the id of a page.');
  const versions = await api.GET('/collections/{id}/versions', { params: { path: { id } } });
  tell(target, versions, versionColumns, 'The page has no versions.');
}

const versionColumns = ({ version, since, until, by, bytes }: PageVersion): Row => ({
  ...{ version, since, until, by: by?.name ?? '', bytes },
});

async function readOne(api: TeamspacesClient, target: Target): Promise<[object, Row]> {
  const { team, workspace, argument: id } = target;
  if (id !== '') {
    const item = await api.items.get(id);
    return [item, itemLines(item)];
  }
  if (workspace !== '') {
    const found = await api.team(team).workspaces.get(workspace);
    return [found, workspaceLines(found)];
  }
  const found = await api.teams.get(team);
  return [found, teamLines(found)];
}

const itemLines = (item: Collection): Row => ({
  ...{ id: item.id, title: item.meta.title, name: item.name },
  ...{ object: item.object, slug: item.meta.slug },
  ...(item.parent !== undefined && { parent: item.parent }),
  ...(item.object === 'collection'
    ? { children: item.children?.length ?? 0 }
    : { content: JSON.stringify(item.content) }),
  ...{ createdAt: item.createdAt, createdBy: item.createdBy },
  ...{ updatedAt: item.updatedAt, updatedBy: item.updatedBy },
});

const workspaceLines = (found: Workspace): Row => ({
  ...{ id: found._id, slug: found.meta.slug, name: found.name, description: found.description },
  ...{ visibility: found.Visibility, defaultAccess: found.defaultAccess, access: found.access },
  ...{ createdAt: found.createdAt, updatedAt: found.updatedAt },
});

const teamLines = ({ usage, limit, ...found }: Team): Row => ({
  ...{ id: found._id, slug: found.meta.slug, name: found.name, description: found.description },
  ...{ role: found.role, plan: found.plan, inviteCode: found.inviteCode },
  members: used(usage.users, limit.users),
  workspaces: used(usage.workspaces, limit.workspaces),
  pages: used(usage.pages, limit.pages),
  ...{ createdAt: found.createdAt, updatedAt: found.updatedAt },
});

/** A limit of 0 means unlimited. */
const used = (number: number, limit: number): string =>
  limit === 0 ? `${number}` : `${number} of ${limit}`;
