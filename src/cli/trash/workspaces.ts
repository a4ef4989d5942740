import { counted } from '../counted.js';
import { print } from '../print.js';
import { assertService, clientOf } from '../service-client.js';
import type { Service } from '../service-options.js';
import { nameOfDeleter, PAGE } from './trash.js';

/** Prints the deleted workspaces of a team, a line each. */
export async function listWorkspaces(service: Service, team: string): Promise<void> {
  await assertService(service);
  const params = { path: { team_slug: team }, query: { limit: PAGE } };
  let count = 0;
  for await (const workspace of clientOf(service).list('/teams/{team_slug}/trash', { params })) {
    const { _id, name, pages, deletedAt } = workspace;
    print(`${deletedAt}  ${_id}  ${name} (${counted(pages, 'page')})${nameOfDeleter(workspace)}`);
    count++;
  }
  if (count === 0) print('There are no deleted workspaces that you can restore.');
}

export async function restoreWorkspace(service: Service, team: string, id: string): Promise<void> {
  await assertService(service);
  const path = '/teams/{team_slug}/trash/{workspace_id}/restore';
  const { name, meta } = await clientOf(service).POST(path, { params: paramsOf(team, id) });
  print(`Restored ${name} as ${team}/${meta.slug}.`);
}

export async function purgeWorkspace(service: Service, team: string, id: string): Promise<void> {
  await assertService(service);
  const path = '/teams/{team_slug}/trash/{workspace_id}';
  await clientOf(service).DELETE(path, { params: paramsOf(team, id) });
  print(`Purged ${id}.`);
}

const paramsOf = (team: string, id: string) => ({ path: { team_slug: team, workspace_id: id } });
