import {
  type McpServer,
  ResourceNotFoundError,
  ResourceTemplate,
} from '@modelcontextprotocol/server';
import { NotFoundError } from 'teamspaces-client';
import { pageOf } from './items.js';
import type { ToolContext } from './tool.js';

const mimeType = 'application/json';

/**
 * Adds pages and collections as resources, which a person attaches to a conversation: their addresses are
 * the slugs of team, workspace and item, and each part is completed. There is no list of all: there may
 * be a million.
 */
export function addPages(server: McpServer, { client, items }: ToolContext): void {
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
      if (error instanceof NotFoundError) throw new ResourceNotFoundError(uri.href, error.message);
      throw error;
    }
  });
}

const slugs = (records: readonly { meta: { slug: string } }[], begun: string): string[] =>
  records.map(({ meta }) => meta.slug).filter((slug) => slug.startsWith(begun));
