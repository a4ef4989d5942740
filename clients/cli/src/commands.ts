import type { Command } from '@commander-js/extra-typings';
import {
  type ApiCommand,
  addApiCommand,
  addCommand,
  change,
  type Group,
  JSON_FLAG,
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
    name: 'list',
    summary: 'list teams, the workspaces of a team, or a tree',
    description:
      'Lists your teams; with --team, the workspaces of the team that you can see; with --workspace,\n' +
      'its collections and pages in order, each below its collection.',
    optionalTeam: 'lists the workspaces of this team',
    optionalWorkspace: 'lists the tree of this workspace',
    token: 'of a person or a service',
    flag: JSON_FLAG,
    example: '--team acme --workspace handbook',
    run: async (target) => (await import('./records.js')).runList(target),
  },
  {
    name: 'show',
    summary: 'show a team, a workspace, a collection or a page',
    description:
      'Shows a collection or a page by its id, or a team, or a workspace. With --json, the whole\n' +
      'record, of a page with its content. With --versions, lists what a page was before its content\n' +
      'was overwritten, newest first.',
    optionalArgument: ['id', 'the collection or page, as list and find show it'],
    optionalTeam: 'shows this team',
    optionalWorkspace: 'shows this workspace',
    token: 'of a person or a service',
    flag: JSON_FLAG,
    otherFlag: ['--versions', 'list the versions of the page'],
    example: '--team acme --workspace handbook',
    run: async (target) => (await import('./records.js')).runShow(target),
  },
  {
    name: 'import',
    summary: 'import a folder of Markdown into a workspace',
    description:
      'Imports a folder of Markdown files as collections and pages; other files, such as images, are\n' +
      'left out. Existing items are not changed: run the same command again to continue an\n' +
      'interrupted import.\n' +
      'With --sync, the workspace is made equal to the folder, any number of times: items are known by\n' +
      "keys, which are the name, a colon and the path, or what a file's front matter names as key.",
    argument: ['folder', 'the folder'],
    team: 'the team',
    workspace: 'the workspace; it must exist',
    token: 'with full access to the workspace',
    flag: ['--dry-run', 'print what would be done, without doing it'],
    options: [
      ['--sync', 'make the workspace equal to the folder: items with keys are changed and moved'],
      ['--name <name>', 'with --sync: what keys begin with (default: the name of the folder)'],
      ['--prune', 'with --sync: move items with keys that are not in the folder to the trash'],
      ['--json', 'with --sync: print the result as JSON'],
    ],
    example: '--team acme --workspace docs ./docs',
    run: async (target) => {
      const { runImport, runSync } = await import('./folders.js');
      await (target.options.sync ? runSync(target) : runImport(target));
    },
  },
  {
    name: 'export',
    summary: 'write a workspace to a folder of Markdown',
    description:
      'Writes a workspace to a new or empty folder: a file for each page, a folder for each\n' +
      'collection. Importing and exporting again reproduces the same files.\n' +
      'If import --sync would not recognize a page with a key, the front matter of its file names it.',

    argument: ['folder', 'the folder'],
    team: 'the team',
    workspace: 'the workspace',
    token: 'with read access to the workspace',
    flag: ['--force', 'allow a folder with files: files of the same name are replaced'],
    options: [
      ['--name <name>', 'what keys begin with in a sync (default: the name of the folder)'],
    ],
    example: '--team acme --workspace docs ./docs-again',
    run: async (target) => (await import('./folders.js')).runExport(target),
  },
  {
    name: 'find',
    summary: 'find collections and pages by title or text',
    description:
      'Finds collections and pages whose titles contain each word of the text, in all workspaces of\n' +
      'a team that you may read, or in one. Prints the 100 best matches at most.\n' +
      'With --in all, pages whose text contains every word follow, each with a snippet below its row;\n' +
      'several words in double quotes are a phrase.',
    argument: ['text', 'what to look for; several words in quotes'],
    team: 'the team',
    optionalWorkspace: 'searches only this workspace',
    token: 'of a member of the team',
    options: [['--in <where>', 'search titles, or also the text of pages', ['name', 'all']]],
    example: '--team acme --in all \'"first day" badge\'',
    flag: JSON_FLAG,
    run: async (target) => (await import('./find.js')).runFind(target),
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
    ...list(
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
    ...list(
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
    ...list(
      (api, { team, workspace }) => api.workspace(team, workspace).trash.list({ limit: PAGE }),
      ({ id, name, meta, pages, collections, deletedAt, deletedBy }) => ({
        ...{ id, title: meta?.title ?? name, collections, pages, deletedAt },
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
      (api, { argument: id }) => api.items.purgeFromTrash(id),
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
    ...list(
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

/** Adds `trash restore` by the API: that of the service works on its database, without limits. */
export const addTrashRestore = (program: Command): void =>
  addApiCommand(program, {
    name: 'trash restore',
    summary: 'restore an item',
    description:
      'Restores an item with everything below it, to its former place. If its parent no longer exists,\n' +
      'the item goes to the end of the top level.',
    argument: DELETED_ITEM,
    token: 'with full access to the workspace',
    example: '019a3f0e-6c1f-7cc3-9d0b-2f6f7a8b9c30',
    run: change(
      (api, { argument: id }) => api.items.restoreFromTrash(id),
      ({ meta }) => `Restored ${meta.title}.`,
    ),
  });
