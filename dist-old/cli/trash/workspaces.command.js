import { serviceOf, tokenOption, urlOption } from '../service-options.js';
/** `teamspaces trash workspaces`: deleted workspaces, through the public API. */
export function addWorkspaces(trash) {
    const workspaces = trash
        .command('workspaces')
        .description('Lists, restores and purges deleted workspaces.')
        .summary('list, restore or purge deleted workspaces');
    addListWorkspaces(workspaces);
    addRestoreWorkspace(workspaces);
    addPurgeWorkspace(workspaces);
}
function addListWorkspaces(workspaces) {
    const command = workspaces
        .command('list')
        .summary('list the deleted workspaces of a team')
        .description('Lists the deleted workspaces of a team that you can restore, newest first, with the time, the\n' +
        'id, the name, the number of pages, and the user who deleted it.')
        .requiredOption('--team <slug>', 'the team')
        .addOption(tokenOption('of an editor of the workspaces'))
        .addOption(urlOption())
        .addHelpText('after', '\nExample:\n  TEAMSPACES_TOKEN=… npx teamspaces trash workspaces list --team acme')
        .action(async (options) => {
        const service = serviceOf(command, options);
        const { listWorkspaces } = await import('./workspaces.js');
        await listWorkspaces(service, options.team);
    });
}
function addRestoreWorkspace(workspaces) {
    const command = workspaces
        .command('restore')
        .summary('restore a workspace')
        .description('Restores a workspace with its content, its members and its own trash. If its slug was taken\n' +
        'in the meantime, the slug gets a suffix.')
        .argument('<id>', 'the workspace, as trash workspaces list shows it')
        .requiredOption('--team <slug>', 'the team')
        .addOption(tokenOption('of an editor of the workspace'))
        .addOption(urlOption())
        .addHelpText('after', exampleOf('restore'))
        .action(async (id, options) => {
        const service = serviceOf(command, options);
        const { restoreWorkspace } = await import('./workspaces.js');
        await restoreWorkspace(service, options.team, id);
    });
}
function addPurgeWorkspace(workspaces) {
    const command = workspaces
        .command('purge')
        .summary('delete a workspace permanently from the trash')
        .description('Permanently deletes a workspace and all its content from the trash.')
        .argument('<id>', 'the workspace, as trash workspaces list shows it')
        .requiredOption('--team <slug>', 'the team')
        .addOption(tokenOption('of an editor of the workspace'))
        .addOption(urlOption())
        .addHelpText('after', exampleOf('purge'))
        .action(async (id, options) => {
        const service = serviceOf(command, options);
        const { purgeWorkspace } = await import('./workspaces.js');
        await purgeWorkspace(service, options.team, id);
    });
}
const exampleOf = (name) => `\nExample:\n  TEAMSPACES_TOKEN=… npx teamspaces trash workspaces ${name} --team acme 019a3f0e-6c1f-7cc3-9d0b-2f6f7a8b9c20`;
//# sourceMappingURL=workspaces.command.js.map