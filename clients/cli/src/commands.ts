import type { Command } from '@commander-js/extra-typings';
import {
  type ApiCommand,
  addApiCommand,
  addCommand,
  change,
  type Group,
  list,
} from './api-command.js';

/** Deletions that one request brings. */
const PAGE = 1000;

const DELETED_ITEM = ['id', 'the deleted item, as trash list shows it'] as const;
const DELETED_WORKSPACE = ['id', 'the workspace, as trash workspaces list shows it'] as const;
const WEBHOOK = ['id', 'the webhook, as webhooks list shows it'] as const;
const WORKSPACE_EXAMPLE = '--team acme 019a3f0e-6c1f-7cc3-9d0b-2f6f7a8b9c20';

/** The commands that call the API, in the order of the help. */
const COMMANDS: readonly (ApiCommand | Group)[] = [
  {
    name: 'import',
    summary: 'import a folder of Markdown into a workspace',
    description:
      'Imports a folder of Markdown files as collections and pages; other files, such as images, are\n' +
      'left out. Existing items are not changed: run the same command again to continue an\n' +
      'interrupted import.',
    argument: ['folder', 'the folder'],
    team: 'the team',
    workspace: 'the workspace; it must exist',
    token: 'with full access to the workspace',
    flag: ['--dry-run', 'print what would be created, without creating it'],
    example: '--team acme --workspace docs ./docs',
    run: async (target) => (await import('./folders.js')).runImport(target),
  },
  {
    name: 'export',
    summary: 'write a workspace to a folder of Markdown',
    description:
      'Writes a workspace to a new or empty folder: a file for each page, a folder for each\n' +
      'collection. Importing and exporting again reproduces the same files.',
    argument: ['folder', 'the folder'],
    team: 'the team',
    workspace: 'the workspace',
    token: 'with read access to the workspace',
    flag: ['--force', 'allow a folder with files: files of the same name are replaced'],
    example: '--team acme --workspace docs ./docs-again',
    run: async (target) => (await import('./folders.js')).runExport(target),
  },
  {
    name: 'find',
    summary: 'find collections and pages by name',
    description:
      'Finds collections and pages whose names contain each word of the text, in all workspaces of\n' +
      'a team that you may read, or in one. Prints the 100 best matches at most.',
    argument: ['text', 'what to look for; several words in quotes'],
    team: 'the team',
    optionalWorkspace: 'searches only this workspace',
    token: 'of a member of the team',
    example: "--team acme 'first day'",
    run: list(
      (api, { team, workspace, argument }) =>
        (workspace === '' ? api.team(team) : api.workspace(team, workspace)).search(argument, {
          limit: 100,
        }),
      ({ id, name, workspaceMeta, ancestors }) => ({
        ...{ id, name, workspace: workspaceMeta.slug },
        path: ancestors.map((ancestor) => ancestor.name).join(' / '),
      }),
      'Nothing was found.',
    ),
  },
  {
    name: 'webhooks',
    summary: 'list or test webhooks',
    description: 'Lists and tests the webhooks of a team.',
  },
  {
    name: 'webhooks list',
    summary: 'list the webhooks of a team',
    description: 'Lists the webhooks of a team, oldest first.',
    team: 'the team',
    token: 'of an owner of the team',
    example: '--team acme',
    run: list(
      (api, { team }) => api.team(team).webhooks.list(),
      ({ _id, url, events, workspaces, enabled, disabledBecause }) => ({
        ...{ id: _id, url, events: events.join(' '), workspaces: workspaces?.join(' ') ?? 'all' },
        state: enabled ? 'enabled' : (disabledBecause ?? 'disabled'),
      }),
      'The team has no webhooks.',
    ),
  },
  {
    name: 'webhooks test',
    summary: 'send a test message',
    description: 'Has a test message sent; webhooks deliveries shows what came of it.',
    argument: WEBHOOK,
    team: 'the team',
    token: 'of an owner of the team',
    example: '--team acme 019a3f0e-6c1f-7cc3-9d0b-2f6f7a8b9c60',
    run: change(
      (api, { team, argument: id }) => api.team(team).webhooks.test(id),
      ({ message }) => message,
    ),
  },
  {
    name: 'webhooks deliveries',
    summary: 'list what was delivered',
    description: 'Lists the last 100 attempts to deliver a message, newest first.',
    argument: WEBHOOK,
    team: 'the team',
    token: 'of an owner of the team',
    example: '--team acme 019a3f0e-6c1f-7cc3-9d0b-2f6f7a8b9c60',
    run: list(
      (api, { team, argument: id }) => api.team(team).webhooks.deliveries(id),
      ({ at, event, status, workspace = '', id }) => ({ at, event, status, workspace, id }),
      'Nothing was sent yet.',
    ),
  },
  {
    name: 'trash',
    summary: 'list, restore or purge deletions',
    description: 'Lists, restores and purges deletions.',
  },
  {
    name: 'trash list',
    summary: 'list the trash of a workspace',
    description: 'Lists the deletions of a workspace that can be restored, newest first.',
    team: 'the team',
    workspace: 'the workspace',
    token: 'with full access to the workspace',
    example: '--team acme --workspace handbook',
    run: list(
      (api, { team, workspace }) => api.workspace(team, workspace).trash.list({ limit: PAGE }),
      ({ id, name, pages, collections, deletedAt, deletedBy }) => ({
        ...{ id, name, collections, pages, deletedAt },
        deletedBy: deletedBy?.name ?? '',
      }),
      'The trash is empty.',
    ),
  },
  {
    name: 'trash purge',
    summary: 'delete permanently from the trash',
    description: 'Permanently deletes an item and everything below it from the trash.',
    argument: DELETED_ITEM,
    token: 'of an editor of the workspace',
    example: '019a3f0e-6c1f-7cc3-9d0b-2f6f7a8b9c30',
    run: change(
      (api, { argument: id }) =>
        api.DELETE('/collections/trash/{id}', { params: { path: { id } } }),
      (_, { argument: id }) => `Purged ${id}.`,
    ),
  },
  {
    name: 'trash workspaces',
    summary: 'list, restore or purge deleted workspaces',
    description: 'Lists, restores and purges deleted workspaces.',
  },
  {
    name: 'trash workspaces list',
    summary: 'list the deleted workspaces of a team',
    description: 'Lists the deleted workspaces of a team that you can restore, newest first.',
    team: 'the team',
    token: 'of an editor of the workspaces',
    example: '--team acme',
    run: list(
      (api, { team }) => api.team(team).trash.list({ limit: PAGE }),
      ({ _id: id, name, pages, deletedAt, deletedBy }) => ({
        ...{ id, name, pages, deletedAt },
        deletedBy: deletedBy?.name ?? '',
      }),
      'There are no deleted workspaces that you can restore.',
    ),
  },
  {
    name: 'trash workspaces restore',
    summary: 'restore a workspace',
    description:
      'Restores a workspace with its content, its members and its own trash. If its slug was taken\n' +
      'in the meantime, the slug gets a suffix.',
    argument: DELETED_WORKSPACE,
    team: 'the team',
    token: 'of an editor of the workspace',
    example: WORKSPACE_EXAMPLE,
    run: change(
      (api, { team, argument: id }) => api.team(team).trash.restore(id),
      ({ name, meta }, { team }) => `Restored ${name} as ${team}/${meta.slug}.`,
    ),
  },
  {
    name: 'trash workspaces purge',
    summary: 'delete a workspace permanently from the trash',
    description: 'Permanently deletes a workspace and all its content from the trash.',
    argument: DELETED_WORKSPACE,
    team: 'the team',
    token: 'of an editor of the workspace',
    example: WORKSPACE_EXAMPLE,
    run: change(
      (api, { team, argument: id }) => api.team(team).trash.purge(id),
      (_, { argument: id }) => `Purged ${id}.`,
    ),
  },
];

/** Adds the commands that call the API, and their groups. */
export function addApiCommands(program: Command): void {
  for (const command of COMMANDS) {
    if ('run' in command) addApiCommand(program, command);
    else addCommand(program, command);
  }
}
