import {
  type McpServer,
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
  ResourceTemplate,
} from '@modelcontextprotocol/server';
import { NotFoundError } from 'teamspaces-client';
import { isTooLarge, problemOf } from './errors.js';
import { pageOf as itemOf } from './items.js';
import { pageAfter, pageOf } from './lists.js';
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
      team: (begun) =>
        complete(begun, async () => {
          const query = pageAfter(undefined);
          return (await pageOf(client.raw.GET('/teams', { params: { query } }))).elements;
        }),
      workspace: async (begun, { arguments: { team = '' } = {} } = {}) =>
        team === '' ? [] : complete(begun, () => client.team(team).workspaces.list()),
      slug: async (begun, { arguments: { team = '', workspace = '' } = {} } = {}) => {
        if (team === '' || workspace === '') return [];
        const place = client.workspace(team, workspace);
        // Slugs are made of titles: words of the title find the item.
        return begun.trim() === ''
          ? complete('', () => place.tree.list({ depth: 1 }))
          : complete('', () => place.search(begun.replaceAll('-', ' ')));
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
      decodePart(`${variables[name]}`),
    );
    try {
      const { pages } = client.workspace(team, workspace);
      const item = items.see(await pages.getBySlug(slug, { include: 'ancestors' }));
      return { contents: [{ uri: uri.href, mimeType, text: JSON.stringify(itemOf(item)) }] };
    } catch (error) {
      if (error instanceof NotFoundError) throw new ResourceNotFoundError(uri.href, error.message);
      throw protocolError(error);
    }
  });
}

/** An error that a person or a program reads: resources have no other way to say it. */
function protocolError(error: unknown): unknown {
  const problem = problemOf(error, 'read the page with the API');
  return problem === null ? error : new ProtocolError(ProtocolErrorCode.InternalError, problem);
}

/** The slugs that begin so; none if there are too many to look at. */
async function complete(
  begun: string,
  find: () => PromiseLike<readonly { meta: { slug: string } }[]>,
): Promise<string[]> {
  try {
    const slugs = (await find()).map(({ meta }) => meta.slug);
    return slugs.filter((slug) => slug.startsWith(begun));
  } catch (error) {
    if (isTooLarge(error)) return [];
    throw protocolError(error);
  }
}

/** A part of an address; one that is not well-formed names nothing. */
function decodePart(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
