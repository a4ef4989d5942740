import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { secondsBehind, type TeamspacesClient } from 'teamspaces-client';
import { z } from 'zod';
import {
  DELETION,
  deletionOf,
  FOUND,
  foundOf,
  HEAD,
  headOf,
  type Items,
  NODE,
  PAGE,
  pageOf,
  treeOf,
  VERSION_HEAD,
  versionOf,
} from './items.js';
import { addTool, ID, IN_WORKSPACE, segment, VERSION } from './tool.js';

const annotations = { readOnlyHint: true };
/** Items that one result shows: a larger tree is read in parts. */
const MOST_ITEMS = 500;
const FEED = '/teams/{team_slug}/workspaces/{workspace_slug}/collections/changes';

const TEAM = z.object({
  ...{ name: z.string(), slug: z.string() },
  role: z.string().exactOptional().describe('Of the user in the team.'),
});
const WORKSPACE = z.object({ name: z.string(), slug: z.string(), description: z.string() });
const CHANGE = z.object({
  id: z.string(),
  deleted: z.boolean(),
  item: z
    .object({ ...HEAD, updatedAt: z.string() })
    .exactOptional()
    .describe('As it is now, without content; absent if it was deleted.'),
});

/** Adds the tools that change nothing. */
export function addReadTools(server: McpServer, client: TeamspacesClient, items: Items): void {
  addTool(server, 'list_teams', {
    title: 'List teams',
    description:
      'Lists the teams of the user, with the role of the user in each. Start here: other tools name a team by its slug.',
    input: {},
    output: { teams: z.array(TEAM) },
    annotations,
    run: async () => {
      const teams = await client.teams.list();
      return {
        teams: teams.map(({ name, meta, role }) => ({
          name,
          slug: meta.slug,
          ...(role && { role }),
        })),
      };
    },
  });

  addTool(server, 'list_workspaces', {
    title: 'List workspaces',
    description: 'Lists the workspaces of a team that the user can see.',
    input: { team: IN_WORKSPACE.team },
    output: { workspaces: z.array(WORKSPACE) },
    annotations,
    run: async ({ team }) => {
      const workspaces = await client.team(team).workspaces.list();
      return {
        workspaces: workspaces.map(({ name, meta, description }) => ({
          ...{ name, slug: meta.slug, description },
        })),
      };
    },
  });

  addTool(server, 'search', {
    title: 'Search',
    description: `Finds pages and collections of a team, in one workspace or in all that the user can read. Call this \
first when you look for something: it is faster than reading trees. Without "in", each word of "query" must occur in \
the title: use this if you know what the page is called. With "in": "all", the result also has pages whose text \
contains every word, each with a "snippet": use this to answer a question, or if no title matches. Give a few \
characteristic words, not a sentence: every word must occur, and synonyms and inflections are not found. The best \
matches come first. Read a page before you rely on its snippet.`,
    input: {
      team: IN_WORKSPACE.team,
      workspace: IN_WORKSPACE.workspace
        .exactOptional()
        .describe('Slug of a workspace; absent: all of them.'),
      query: z
        .string()
        .min(1)
        .max(100)
        .describe(
          'What to look for. With "in": "all", at most 8 words; "a phrase" in double quotes; a word of three letters or more also finds longer words that begin with it.',
        ),
      in: z
        .enum(['name', 'all'])
        .exactOptional()
        .describe(
          'Where to look: "name", in titles; "all", also in the text of pages; "name" if absent.',
        ),
      limit: z
        .number()
        .int()
        .min(1)
        .max(100)
        .exactOptional()
        .describe('How many to find at most; 20 if absent.'),
    },
    output: {
      items: z.array(FOUND),
      secondsBehind: z
        .number()
        .exactOptional()
        .describe(
          'If present, the newest changes may be missing: the age in seconds of the oldest of them.',
        ),
    },
    annotations,
    run: async ({ team, workspace, query, ...options }) => {
      const place = workspace === undefined ? client.team(team) : client.workspace(team, workspace);
      const found = await place.search(query, options);
      const behind = secondsBehind(found);
      return {
        items: found.map(foundOf),
        ...(behind !== undefined && { secondsBehind: behind }),
      };
    },
  });

  addTool(server, 'read_tree', {
    title: 'Read the tree',
    description: `Reads the collections and pages of a workspace, in order, without the content of pages. \
Shows ${MOST_ITEMS} items at most: if "complete" is false, read the rest by "parent", or with a smaller "depth".`,
    input: {
      ...IN_WORKSPACE,
      parent: z
        .string()
        .exactOptional()
        .describe('Id of a collection: reads only what is below it.'),
      depth: z
        .number()
        .int()
        .min(1)
        .exactOptional()
        .describe('Levels to read; absent: all of them.'),
    },
    output: { items: z.array(NODE), complete: z.boolean() },
    annotations,
    run: async ({ team, workspace, ...part }) => {
      const { tree } = client.workspace(team, workspace);
      return treeOf(await tree.list(part), MOST_ITEMS);
    },
  });

  addTool(server, 'read_page', {
    title: 'Read a page',
    description:
      'Reads a page with its content, or a collection. Read a page before you change it.',
    input: { id: ID },
    output: PAGE,
    annotations,
    run: async ({ id }) => pageOf(items.see(await client.items.get(id, { include: 'ancestors' }))),
  });

  addTool(server, 'find_by_slug', {
    title: 'Find by slug',
    description:
      'Finds the page or collection that has a slug, such as the last part of its address, and reads it with its content.',
    input: { ...IN_WORKSPACE, slug: segment('Slug of the item.') },
    output: PAGE,
    annotations,
    run: async ({ team, workspace, slug }) => {
      const { pages } = client.workspace(team, workspace);
      return pageOf(items.see(await pages.getBySlug(slug, { include: 'ancestors' })));
    },
  });

  addTool(server, 'list_versions', {
    title: 'List the versions of a page',
    description:
      'Lists what a page was before its content was overwritten, newest first, with who wrote it and from when to when. read_version reads one, restore_version brings one back.',
    input: { id: ID },
    output: { versions: z.array(z.object(VERSION_HEAD)) },
    annotations,
    run: async ({ id }) => ({ versions: (await client.items.versions(id)).map(versionOf) }),
  });

  addTool(server, 'read_version', {
    title: 'Read a version of a page',
    description: 'Reads a version of a page with its content.',
    input: { id: ID, version: VERSION },
    output: { ...VERSION_HEAD, content: z.record(z.string(), z.unknown()) },
    annotations,
    run: async ({ id, version }) => {
      const found = await client.items.version(id, version);
      return { ...versionOf(found), content: found.content };
    },
  });

  addTool(server, 'list_trash', {
    title: 'List the trash',
    description:
      'Lists the deleted items of a workspace, newest first. restore_item brings one back.',
    input: IN_WORKSPACE,
    output: { deletions: z.array(DELETION) },
    annotations,
    run: async ({ team, workspace }) => {
      const { trash } = client.workspace(team, workspace);
      return { deletions: (await trash.list()).map(deletionOf) };
    },
  });

  addTool(server, 'read_changes', {
    title: 'Read changes',
    description:
      'Reads what has changed in a workspace since a cursor: the current state of each changed item, or that it was deleted. \
Without a cursor, returns no changes, only a cursor for now. If "more" is true, call it again with the new cursor.',
    input: {
      ...IN_WORKSPACE,
      cursor: z.string().exactOptional().describe('The cursor of the last result.'),
      wait: z
        .number()
        .int()
        .min(0)
        .max(25)
        .exactOptional()
        .describe('Seconds to wait if there is no change yet.'),
    },
    output: { changes: z.array(CHANGE), cursor: z.string(), more: z.boolean() },
    annotations,
    run: async ({ team, workspace, cursor, wait = 0 }) => {
      if (cursor === undefined) {
        const { tree } = client.workspace(team, workspace);
        return { changes: [], cursor: await endOf(tree), more: false };
      }
      const path = { team_slug: team, workspace_slug: workspace };
      const read = await client.GET(FEED, { params: { path, query: { cursor, wait } } });
      const changes = read.changes.map(({ id, deleted, item }) => ({
        ...{ id, deleted },
        ...(item && { item: { ...headOf(item), updatedAt: item.updatedAt } }),
      }));
      return { ...read, changes };
    },
  });
}

/** The cursor behind all changes so far. */
async function endOf(tree: ReturnType<TeamspacesClient['workspace']>['tree']): Promise<string> {
  let cursor = '';
  const onCursor = (next: string) => {
    cursor = next;
  };
  for await (const _ of tree.changes({ limit: 1000, onCursor }));
  return cursor;
}
