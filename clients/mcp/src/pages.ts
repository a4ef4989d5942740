import { type McpServer, ResourceTemplate } from '@modelcontextprotocol/sdk/server/mcp.js';
import { McpError } from '@modelcontextprotocol/sdk/types.js';
import { NotFoundError, type TeamspacesClient } from 'teamspaces-client';
import { type Items, pageOf } from './items.js';

const mimeType = 'application/json';
/** The code of MCP for a resource that is not there. */
const RESOURCE_NOT_FOUND = -32002;

/**
 * Adds pages and collections as resources, which a person attaches to a conversation: their addresses are
 * the slugs of team, workspace and item, and each part is completed. There is no list of all: there may
 * be a million.
 */
export function addPages(server: McpServer, client: TeamspacesClient, items: Items): void {
  const template = new ResourceTemplate('teamspaces://{team}/{workspace}/{slug}', {
    list: undefined,
    complete: {
      team: async (begun) => slugs(await client.teams.list(), begun),
      workspace: async (begun, { arguments: { team = '' } = {} } = {}) =>
        team === '' ? [] : slugs(await client.team(team).workspaces.list(), begun),
      slug: async (begun, { arguments: { team = '', workspace = '' } = {} } = {}) => {
        if (team === '' || workspace === '') return [];
        const place = client.workspace(team, workspace);
        if (begun.trim() === '') return slugs(await place.tree.list({ depth: 1 }), '');
        // Slugs are made of titles: words of the title find the item.
        return slugs(await place.search(begun.replaceAll('-', ' ')), '');
      },
    },
  });
  const about = {
    title: 'Page',
    description:
      'A page with its content, or a collection, by the slugs of its team, workspace and its own.',
    mimeType,
  };
  server.registerResource('page', template, about, async (uri, variables) => {
    const [team = '', workspace = '', slug = ''] = ['team', 'workspace', 'slug'].map((name) =>
      decodeURIComponent(`${variables[name]}`),
    );
    try {
      const { pages } = client.workspace(team, workspace);
      const item = items.see(await pages.getBySlug(slug, { include: 'ancestors' }));
      return { contents: [{ uri: uri.href, mimeType, text: JSON.stringify(pageOf(item)) }] };
    } catch (error) {
      if (error instanceof NotFoundError) throw new McpError(RESOURCE_NOT_FOUND, error.message);
      throw error;
    }
  });
}

const slugs = (records: readonly { meta: { slug: string } }[], begun: string): string[] =>
  records.map(({ meta }) => meta.slug).filter((slug) => slug.startsWith(begun));
