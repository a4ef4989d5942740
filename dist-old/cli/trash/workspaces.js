import { counted } from '../counted.js';
import { assertService, clientOf } from '../service-client.js';
import { nameOfDeleter, PAGE } from './trash.js';
/** Prints the deleted workspaces of a team, a line each. */
export async function listWorkspaces(service, team) {
    await assertService(service);
    const params = { path: { team_slug: team }, query: { limit: PAGE } };
    let count = 0;
    for await (const workspace of clientOf(service).list('/teams/{team_slug}/trash', { params })) {
        const { _id, name, pages, deletedAt } = workspace;
        console.log(`${deletedAt}  ${_id}  ${name} (${counted(pages, 'page')})${nameOfDeleter(workspace)}`);
        count++;
    }
    if (count === 0)
        console.log('There are no deleted workspaces that you can restore.');
}
export async function restoreWorkspace(service, team, id) {
    await assertService(service);
    const path = '/teams/{team_slug}/trash/{workspace_id}/restore';
    const { name, meta } = await clientOf(service).POST(path, { params: paramsOf(team, id) });
    console.log(`Restored ${name} as ${team}/${meta.slug}.`);
}
export async function purgeWorkspace(service, team, id) {
    await assertService(service);
    const path = '/teams/{team_slug}/trash/{workspace_id}';
    await clientOf(service).DELETE(path, { params: paramsOf(team, id) });
    console.log(`Purged ${id}.`);
}
const paramsOf = (team, id) => ({ path: { team_slug: team, workspace_id: id } });
//# sourceMappingURL=workspaces.js.map