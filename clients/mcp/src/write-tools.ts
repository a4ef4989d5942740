import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import type { ApplyCollectionsRequest, PatchOperation, TeamspacesClient } from 'teamspaces-client';
import { z } from 'zod';
import { HEAD, headOf, type Items, PAGE, pageOf } from './items.js';
import { addTool, CONTENT, ID, IN_WORKSPACE, INDEX, VERSION } from './tool.js';

/** What an item is called: the title is enough. */
const NAMING = {
  title: z
    .string()
    .min(1)
    .max(255)
    .exactOptional()
    .describe('What people see: 1 to 255 characters.'),
  name: z
    .string()
    .min(1)
    .max(32)
    .exactOptional()
    .describe(
      'Short label, rarely needed: absent, it is made from the title. Alone, it is the title, too.',
    ),
};
const PARENT = z.string().nullable().describe('Id of a collection; null: the top level.');
const OPERATION = z.object({
  op: z.enum(['add', 'remove', 'replace', 'move', 'copy', 'test']),
  path: z.string().describe('JSON Pointer into the content; "/items/-" appends to an array.'),
  from: z.string().exactOptional().describe('Source of a move or copy: a JSON Pointer.'),
  value: z.unknown().exactOptional().describe('Value of add, replace and test.'),
});

type ManifestItem = ApplyCollectionsRequest['items'][number];
interface PublishedItem {
  key: string;
  kind: 'page' | 'collection';
  title?: string;
  name?: string;
  content?: Record<string, unknown>;
  children?: PublishedItem[];
}

const ITEM: z.ZodType<PublishedItem> = z.object({
  key: z.string().min(1).max(512).describe('What you call the item; unique in the workspace.'),
  kind: z.enum(['page', 'collection']),
  ...NAMING,
  content: CONTENT.exactOptional(),
  children: z
    .lazy(() => z.array(ITEM))
    .exactOptional()
    .describe('What a collection holds, in order; absent: it is left alone.'),
});
const REPORT = {
  created: z.number(),
  updated: z.number(),
  moved: z.number(),
  unchanged: z.number(),
  ids: z.record(z.string(), z.string()).describe('The id of each item, by its key.'),
};

/** Adds the tools that change content. */
export function addWriteTools(server: McpServer, client: TeamspacesClient, items: Items): void {
  addTool(server, 'create_item', {
    title: 'Create an item',
    description:
      'Creates a page, or a collection that can hold pages and collections. Give it a title.',
    input: {
      ...IN_WORKSPACE,
      kind: z.enum(['page', 'collection']),
      ...NAMING,
      parent: PARENT.exactOptional(),
      index: INDEX.exactOptional(),
      content: CONTENT.exactOptional(),
    },
    output: HEAD,
    annotations: { destructiveHint: false, idempotentHint: false },
    run: async ({ team, workspace, kind, ...body }) => {
      // The service would call it Untitled.
      if ((body.title ?? body.name) === undefined) throw new Error('title must be given');
      const { pages, collections } = client.workspace(team, workspace);
      return headOf(await (kind === 'page' ? pages : collections).create(body));
    },
  });

  addTool(server, 'update_item', {
    title: 'Rename an item or replace its content',
    description:
      'Changes the title of a page or collection, or replaces the whole content of a page. To change a part of the content, use patch_page.',
    input: { id: ID, ...NAMING, content: CONTENT.exactOptional() },
    output: HEAD,
    annotations: { destructiveHint: true, idempotentHint: true },
    run: async ({ id, ...body }) =>
      headOf(items.see(await client.items.update(items.ref(id), body))),
  });

  addTool(server, 'patch_page', {
    title: 'Change a part of a page',
    description:
      'Changes parts of the content of a page by a JSON Patch (RFC 6902): all operations in order, or none.',
    input: { id: ID, operations: z.array(OPERATION).min(1).max(100) },
    output: PAGE,
    annotations: { destructiveHint: true, idempotentHint: false },
    run: async ({ id, operations }) => {
      const patched = client.items.patch(items.ref(id), operations as PatchOperation[]);
      return pageOf(items.see(await patched));
    },
  });

  addTool(server, 'restore_version', {
    title: 'Restore a version of a page',
    description:
      'Gives a page the content of one of its versions. Nothing is lost: what was there becomes a version.',
    input: { id: ID, version: VERSION },
    output: PAGE,
    annotations: { destructiveHint: true, idempotentHint: true },
    run: async ({ id, version }) =>
      pageOf(items.see(await client.items.restoreVersion(items.ref(id), version))),
  });

  addTool(server, 'publish_tree', {
    title: 'Publish a small tree',
    description:
      'Makes what lies below a parent equal to a list of collections and pages, which are known by their keys: missing ones are created, others are changed or moved where they differ. Publishing the same again changes nothing. Items without a key are left alone.',
    input: {
      ...IN_WORKSPACE,
      parent: PARENT.exactOptional(),
      items: z.array(ITEM).min(1).max(100),
    },
    output: REPORT,
    annotations: { destructiveHint: true, idempotentHint: true },
    run: ({ team, workspace, ...manifest }) => {
      const toItem = ({ kind, children, ...item }: PublishedItem): ManifestItem => ({
        ...item,
        object: kind === 'page' ? 'item' : 'collection',
        ...(children && { children: children.map(toItem) }),
      });
      const items = manifest.items.map(toItem);
      return client.workspace(team, workspace).apply({ ...manifest, items });
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
    output: PAGE,
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
    input: { id: ID },
    output: { message: z.string() },
    annotations: { destructiveHint: true, idempotentHint: true },
    run: async ({ id }) => {
      const message = await client.items.delete(items.ref(id));
      items.forget(id);
      return message;
    },
  });

  addTool(server, 'restore_item', {
    title: 'Restore an item',
    description:
      'Restores a deleted item, with all that was deleted with it, from the trash: where it was, or under "parent".',
    input: { id: ID, parent: PARENT.exactOptional(), index: INDEX.exactOptional() },
    output: HEAD,
    annotations: { destructiveHint: false, idempotentHint: true },
    run: async ({ id, ...to }) => headOf(items.see(await client.items.restoreFromTrash(id, to))),
  });
}
