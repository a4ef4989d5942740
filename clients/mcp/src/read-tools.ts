import {
  type Changes,
  type Collection,
  secondsBehind,
  type TeamspacesClient,
} from 'teamspaces-client';
import { z } from 'zod';
import { ANY_OBJECT } from './arguments.js';
import { isTooLarge } from './errors.js';
import {
  DELETION,
  deletionOf,
  FOUND,
  foundOf,
  HEAD,
  headOf,
  pageOf as itemOf,
  NODE,
  PAGE,
  treeOf,
  VERSION_HEAD,
  versionOf,
} from './items.js';
import { CURSOR, NEXT, pageAfter, pageOf } from './lists.js';
import { IN_WORKSPACE, ITEM, segment, text, VERSION } from './parameters.js';
import { idOf } from './titles.js';
import { type Tool, tool } from './tool.js';
import { WORKSPACE, workspaceOf } from './workspace-tools.js';

const annotations = { readOnlyHint: true };
/** Items that one result shows: a larger tree is read in parts. */
const MAX_ITEMS = 500;
const COLLECTIONS = '/teams/{team_slug}/workspaces/{workspace_slug}/collections';

const TEAM = z.object({
  ...{ name: z.string(), slug: z.string() },
  role: z.string().exactOptional().describe('Of the user in the team.'),
});
const CHANGE = z.object({
  id: z.string(),
  deleted: z.boolean(),
  item: z
    .object({ ...HEAD, updatedAt: z.string() })
    .exactOptional()
    .describe('As it is now, without content; absent if it was deleted.'),
});

const LARGE_PAGE =
  'this page is too large for a tool: read it with GET /collections/{id} of the API';

/** The tools that change nothing. */
export const READ_TOOLS: readonly Tool[] = [
  tool('list_teams', {
    scope: 'read',
    title: 'List teams',
    description:
      'Lists the teams of the user, with the role of the user in each, 100 at a time. Start here: other tools name a team by its slug.',
    input: { cursor: CURSOR },
    output: { teams: z.array(TEAM), cursor: NEXT },
    annotations,
    run: async ({ cursor }, { client }) => {
      const query = pageAfter(cursor);
      const { elements, next } = await pageOf(client.raw.GET('/teams', { params: { query } }));
      const teams = elements.map(({ name, meta, role }) => ({
        ...{ name, slug: meta.slug },
        ...(role && { role }),
      }));
      return { teams, ...next };
    },
  }),

  tool('list_workspaces', {
    scope: 'read',
    title: 'List workspaces',
    description:
      'Lists the workspaces of a team that the user can see. Other tools name a workspace by its slug.',
    input: { team: IN_WORKSPACE.team },
    output: { workspaces: z.array(z.object(WORKSPACE)) },
    annotations,
    instead: 'this team has too many workspaces for a tool: ask for the slug of the workspace',
    run: async ({ team }, { client }) => {
      const workspaces = await client.team(team).workspaces.list();
      return {
        workspaces: workspaces.map(workspaceOf),
      };
    },
  }),

  tool('search', {
    scope: 'read',
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
      query: text()
        .min(1)
        .max(100)
        .describe(
          'What to look for, up to 100 characters. With "in": "all", at most 8 words; "a phrase" in double quotes; a word of three letters or more also finds longer words that begin with it.',
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
        .describe('How many to find at most, 1 to 100; 20 if absent.'),
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
    instead: 'call again with a smaller "limit"',
    run: async ({ team, workspace, query, ...options }, { client }) => {
      const place = workspace === undefined ? client.team(team) : client.workspace(team, workspace);
      const found = await place.search(query, options);
      const behind = secondsBehind(found);
      return {
        items: found.map(foundOf),
        ...(behind !== undefined && { secondsBehind: behind }),
      };
    },
  }),

  tool('read_tree', {
    scope: 'read',
    title: 'Read the tree',
    description: `Reads the collections and pages of a workspace, in order, without the content of pages. Shows the \
levels that have at most ${MAX_ITEMS} items together. If "complete" is false, a collection without "children" may have \
some: read them by "parent". If there is a "cursor", the first level has more items: call again with it.`,
    input: {
      ...IN_WORKSPACE,
      parent: text()
        .exactOptional()
        .describe('Id or title of a collection: reads only what is below it.'),
      depth: z
        .number()
        .int()
        .min(1)
        .exactOptional()
        .describe('Levels to read; absent: as many as fit.'),
      cursor: CURSOR,
    },
    output: { items: z.array(NODE), complete: z.boolean(), cursor: NEXT },
    annotations,
    run: async ({ team, workspace, parent, depth, cursor }, { client }) => {
      const path = { team_slug: team, workspace_slug: workspace };
      const below = parent && { parent: await idOf(client, parent, { team, workspace }) };
      const read = (levels: number | undefined) => {
        const query = {
          ...pageAfter(cursor, MAX_ITEMS),
          ...below,
          ...(levels !== undefined && { depth: levels }),
        };
        return pageOf<Collection>(client.raw.GET(COLLECTIONS, { params: { path, query } }));
      };
      let cut = false;
      const { elements, next } = await read(depth).catch((error) => {
        if (depth === 1 || !isTooLarge(error)) throw error;
        cut = true;
        return read(1);
      });
      const { items, complete } = treeOf(elements, MAX_ITEMS);
      return { items, complete: complete && !cut && next.cursor === undefined, ...next };
    },
  }),

  tool('read_page', {
    scope: 'read',
    title: 'Read a page',
    description:
      'Reads a page with its content, or a collection. Read a page before you change it, and pass its "etag" with the change.',
    input: ITEM,
    output: PAGE,
    annotations,
    instead: `${LARGE_PAGE}; read the children of a collection with read_tree`,
    run: async ({ id, ...place }, { client, items }) => {
      const item = await client.items.get(await idOf(client, id, place), { include: 'ancestors' });
      return itemOf(items.see(item));
    },
  }),

  tool('find_by_slug', {
    scope: 'read',
    title: 'Find by slug',
    description:
      'Finds the page or collection that has a slug, such as the last part of its address, and reads it with its content.',
    input: { ...IN_WORKSPACE, slug: segment('Slug of the item.') },
    output: PAGE,
    annotations,
    instead: LARGE_PAGE,
    run: async ({ team, workspace, slug }, { client, items }) => {
      const { pages } = client.workspace(team, workspace);
      return itemOf(items.see(await pages.getBySlug(slug, { include: 'ancestors' })));
    },
  }),

  tool('list_versions', {
    scope: 'write',
    title: 'List the versions of a page',
    description:
      'Lists what a page was before its content was overwritten, newest first, with who wrote it and from when to when. read_version reads one, restore_version brings one back.',
    input: ITEM,
    output: { versions: z.array(z.object(VERSION_HEAD)) },
    annotations,
    run: async ({ id, ...place }, { client }) => {
      const versions = await client.items.versions(await idOf(client, id, place));
      return { versions: versions.map(versionOf) };
    },
  }),

  tool('read_version', {
    scope: 'write',
    title: 'Read a version of a page',
    description: 'Reads a version of a page with its content.',
    input: { ...ITEM, version: VERSION },
    output: { ...VERSION_HEAD, content: ANY_OBJECT },
    annotations,
    instead:
      'this version is too large for a tool: read it with GET /collections/{id}/versions/{version} of the API',
    run: async ({ id, version, ...place }, { client }) => {
      const found = await client.items.version(await idOf(client, id, place), version);
      return { ...versionOf(found), content: found.content };
    },
  }),

  tool('list_trash', {
    scope: 'write',
    title: 'List the trash',
    description:
      'Lists the deleted items of a workspace, newest first, 100 at a time. restore_item brings one back.',
    input: { ...IN_WORKSPACE, cursor: CURSOR },
    output: { deletions: z.array(DELETION), cursor: NEXT },
    annotations,
    run: async ({ team, workspace, cursor }, { client }) => {
      const path = { team_slug: team, workspace_slug: workspace };
      const trash = client.raw.GET(`${COLLECTIONS}/trash`, {
        params: { path, query: pageAfter(cursor) },
      });
      const { elements, next } = await pageOf(trash);
      return { deletions: elements.map(deletionOf), ...next };
    },
  }),

  tool('read_changes', {
    scope: 'read',
    title: 'Read changes',
    description:
      'Reads what has changed in a workspace since a cursor: the current state of each changed item, or that it was deleted. \
Without a cursor, returns no changes, only a cursor for now; this costs a request for each 1,000 items. If "more" is true, \
call it again with the new cursor.',
    input: {
      ...IN_WORKSPACE,
      cursor: text().exactOptional().describe('The cursor of the last result.'),
      wait: z
        .number()
        .int()
        .min(0)
        .max(25)
        .exactOptional()
        .describe('Seconds to wait if there is no change yet, 0 to 25.'),
    },
    output: { changes: z.array(CHANGE), cursor: z.string(), more: z.boolean() },
    annotations,
    run: async ({ team, workspace, cursor, wait = 0 }, { client }) => {
      const path = { team_slug: team, workspace_slug: workspace };
      if (cursor === undefined) {
        return { changes: [], cursor: await endOf(client, path), more: false };
      }
      const read = await changesOf(client, path, { cursor, wait });
      const changes = read.changes.map(({ id, deleted, item }) => ({
        ...{ id, deleted },
        ...(item && { item: { ...headOf(item), updatedAt: item.updatedAt } }),
      }));
      return { ...read, changes };
    },
  }),
];

interface WorkspacePath {
  team_slug: string;
  workspace_slug: string;
}

/** Changes of a page of the feed whose titles are too long for more. */
const SHORT = 100;

/** A page of the feed: shorter if its titles are too long for one response. */
async function changesOf(
  client: TeamspacesClient,
  path: WorkspacePath,
  query: { cursor?: string; wait?: number },
  limit = 200,
): Promise<Changes> {
  const read = (limit: number) =>
    client.GET(`${COLLECTIONS}/changes`, { params: { path, query: { ...query, limit } } });
  return read(limit).catch((error) => {
    if (isTooLarge(error) && limit > SHORT) return read(SHORT);
    throw error;
  });
}

/** The cursor after all changes so far. */
async function endOf(client: TeamspacesClient, path: WorkspacePath): Promise<string> {
  let page = await changesOf(client, path, {}, 1000);
  while (page.more) {
    const limit = page.changes.length > SHORT ? 1000 : SHORT;
    page = await changesOf(client, path, { cursor: page.cursor }, limit);
  }
  return page.cursor;
}
