import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import type { PatchOperation, TeamspacesClient } from 'teamspaces-client';
import { z } from 'zod';
import { headOf, type Items, pageOf } from './items.js';
import { addTool, CONTENT, ID, IN_WORKSPACE, INDEX } from './tool.js';

const NAME = z.string().min(1).max(32).describe('Name: 1 to 32 characters.');
const PARENT = z.string().nullable().describe('Id of a collection; null: the top level.');
const OPERATION = z.object({
  op: z.enum(['add', 'remove', 'replace', 'move', 'copy', 'test']),
  path: z.string().describe('JSON Pointer into the content; "/items/-" appends to an array.'),
  from: z.string().exactOptional().describe('Source of a move or copy: a JSON Pointer.'),
  value: z.unknown().exactOptional().describe('Value of add, replace and test.'),
});

/** Adds the tools that change content. */
export function addWriteTools(server: McpServer, client: TeamspacesClient, items: Items): void {
  addTool(server, 'create_item', {
    title: 'Create an item',
    description: 'Creates a page, or a collection that can hold pages and collections.',
    input: {
      ...IN_WORKSPACE,
      kind: z.enum(['page', 'collection']),
      name: NAME,
      parent: PARENT.exactOptional(),
      index: INDEX.exactOptional(),
      content: CONTENT.exactOptional(),
    },
    annotations: { destructiveHint: false, idempotentHint: false },
    run: async ({ team, workspace, kind, ...body }) => {
      const { pages, collections } = client.workspace(team, workspace);
      return headOf(await (kind === 'page' ? pages : collections).create(body));
    },
  });

  addTool(server, 'update_item', {
    title: 'Rename an item or replace its content',
    description:
      'Changes the name of a page or collection, or replaces the whole content of a page. To change a part of the content, use patch_page.',
    input: {
      ...IN_WORKSPACE,
      id: ID,
      name: NAME.exactOptional(),
      content: CONTENT.exactOptional(),
    },
    annotations: { destructiveHint: true, idempotentHint: true },
    run: async ({ team, workspace, id, ...body }) => {
      const { pages } = client.workspace(team, workspace);
      return headOf(items.see(await pages.update(items.ref(id), body)));
    },
  });

  addTool(server, 'patch_page', {
    title: 'Change a part of a page',
    description:
      'Changes parts of the content of a page by a JSON Patch (RFC 6902): all operations in order, or none.',
    input: { ...IN_WORKSPACE, id: ID, operations: z.array(OPERATION).min(1).max(100) },
    annotations: { destructiveHint: true, idempotentHint: false },
    run: async ({ team, workspace, id, operations }) => {
      const { pages } = client.workspace(team, workspace);
      return pageOf(items.see(await pages.patch(items.ref(id), operations as PatchOperation[])));
    },
  });

  addTool(server, 'move_item', {
    title: 'Move an item',
    description:
      'Moves a page or collection, with all below it, to a position among its siblings or under another parent.',
    input: {
      ...IN_WORKSPACE,
      id: ID,
      index: INDEX,
      parent: PARENT.exactOptional().describe(
        'Id of the new parent, null for the top level; absent: the parent stays.',
      ),
    },
    annotations: { destructiveHint: false, idempotentHint: true },
    run: async ({ team, workspace, id, index, parent }) => {
      const { pages } = client.workspace(team, workspace);
      const newParent = parent === undefined ? {} : { newParent: parent };
      await pages.move(items.ref(id), { index, ...newParent });
      // The move has changed the ETag.
      return pageOf(items.see(await pages.get(id)));
    },
  });

  addTool(server, 'delete_item', {
    title: 'Delete an item',
    description:
      'Moves a page or collection, with all below it, to the trash. restore_item brings it back, for 30 days by default.',
    input: { ...IN_WORKSPACE, id: ID },
    annotations: { destructiveHint: true, idempotentHint: true },
    run: async ({ team, workspace, id }) => {
      const { pages } = client.workspace(team, workspace);
      const message = await pages.delete(items.ref(id));
      items.forget(id);
      return message;
    },
  });

  addTool(server, 'restore_item', {
    title: 'Restore an item',
    description:
      'Restores a deleted item, with all that was deleted with it, from the trash: where it was, or under "parent".',
    input: {
      ...IN_WORKSPACE,
      id: ID,
      parent: PARENT.exactOptional(),
      index: INDEX.exactOptional(),
    },
    annotations: { destructiveHint: false, idempotentHint: true },
    run: async ({ team, workspace, id, ...to }) => {
      const { trash } = client.workspace(team, workspace);
      return headOf(items.see(await trash.restore(id, to)));
    },
  });
}
