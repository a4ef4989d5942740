import {
  type ApplyCollectionsRequest,
  etagOf,
  type PatchOperation,
  type TeamspacesClient,
} from 'teamspaces-client';
import { z } from 'zod';
import { ANY_OBJECT, elementOf, MAX_ELEMENTS, parseText } from './arguments.js';
import { CallError } from './errors.js';
import { HEAD, headOf, PAGE, pageOf, unquoted } from './items.js';
import {
  CONTENT,
  ETAG,
  IN_WORKSPACE,
  INDEX,
  ITEM,
  PARENT,
  segment,
  text,
  VERSION,
} from './parameters.js';
import { idOf, type SearchPlace } from './titles.js';
import { type Tool, tool } from './tool.js';

/** What an item is called: the title is enough. */
const NAMING = {
  title: text().min(1).max(255).exactOptional().describe('What people see: 1 to 255 characters.'),
  name: text()
    .min(1)
    .max(32)
    .exactOptional()
    .describe(
      'Short label, rarely needed: absent, it is made from the title. Alone, it is the title, too.',
    ),
};
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

/** An item without what it holds. */
const ITEM_FIELDS = {
  key: z.string().min(1).max(512).describe('What you call the item; unique in the workspace.'),
  kind: z.enum(['page', 'collection']),
  ...NAMING,
  content: z
    .preprocess((value) => (typeof value === 'string' ? parseText(value) : value), CONTENT)
    .exactOptional(),
};

/** Items are checked level by level: a schema that refers to itself would be one that some clients drop. */
const CHILDREN = z.array(ANY_OBJECT).transform((children, context): PublishedItem[] => {
  const { success, data, error } = z.array(MANIFEST_ITEM).safeParse(children);
  if (success) return data;
  context.issues.push(...error.issues.map((issue) => ({ ...issue, input: children }) as never));
  return z.NEVER;
});

const MANIFEST_ITEM: z.ZodType<PublishedItem> = elementOf({
  ...ITEM_FIELDS,
  children: CHILDREN.exactOptional().describe(
    'What a collection holds, in order: items of the same form; absent: it is left alone.',
  ),
});

/** The items of a manifest, which are counted on all levels before any of them is checked. */
const MANIFEST = z.preprocess((items, context) => {
  if (countOf(items) <= MAX_ELEMENTS) return items;
  context.addIssue(`must have at most ${MAX_ELEMENTS} items, with all below them`);
  return z.NEVER;
}, z.array(MANIFEST_ITEM).min(1).max(MAX_ELEMENTS));

/** The items in a list and below it, as far as MAX_ELEMENTS is not exceeded. */
function countOf(items: unknown): number {
  const lists = [items];
  let count = 0;
  for (let list = lists.pop(); list !== undefined; list = lists.pop()) {
    if (!Array.isArray(list)) continue;
    count += list.length;
    if (count > MAX_ELEMENTS) break;
    lists.push(...list.map((item) => (item as { children?: unknown } | null)?.children ?? []));
  }
  return count;
}

const REPORT = {
  created: z.number(),
  updated: z.number(),
  moved: z.number(),
  unchanged: z.number(),
  ids: z.record(z.string(), z.string()).describe('The id of each item, by its key.'),
};

/** The tools that change content. */
export const WRITE_TOOLS: readonly Tool[] = [
  tool('create_item', {
    scope: 'write',
    title: 'Create an item',
    description:
      'Creates a page, or a collection that can hold pages and collections. Give it a title. A second call creates a second item: if the outcome of a call is unknown, search before you repeat it.',
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
    run: async ({ team, workspace, kind, parent, ...body }, { client }) => {
      // The service would call it Untitled.
      if ((body.title ?? body.name) === undefined) throw new CallError('title must be given');
      const { pages, collections } = client.workspace(team, workspace);
      const place = await parentOf(client, parent, { team, workspace });
      return headOf(await (kind === 'page' ? pages : collections).create({ ...body, ...place }));
    },
  }),

  tool('update_item', {
    scope: 'write',
    title: 'Rename an item or replace its content',
    description:
      'Changes the title of a page or collection, or replaces the whole content of a page. To change a part of the content, use patch_page. What is overwritten stays as a version.',
    input: { ...ITEM, etag: ETAG, ...NAMING, content: CONTENT.exactOptional() },
    output: HEAD,
    annotations: { destructiveHint: true, idempotentHint: true },
    run: async ({ id: given, team, workspace, etag, ...body }, { client, items }) => {
      const id = await idOf(client, given, { team, workspace });
      return headOf(items.see(await client.items.update(id, body, items.ifMatch(id, etag))));
    },
  }),

  tool('patch_page', {
    scope: 'write',
    title: 'Change a part of a page',
    description:
      'Changes parts of the content of a page by a JSON Patch (RFC 6902): all of up to 100 operations in order, or none.',
    input: { ...ITEM, etag: ETAG, operations: z.array(OPERATION).min(1).max(MAX_ELEMENTS) },
    output: PAGE,
    annotations: { destructiveHint: true, idempotentHint: false },
    run: async ({ id: given, team, workspace, etag, operations }, { client, items }) => {
      const id = await idOf(client, given, { team, workspace });
      const condition = items.ifMatch(id, etag);
      const patched = client.items.patch(id, operations as PatchOperation[], condition);
      return pageOf(items.see(await patched));
    },
  }),

  tool('restore_version', {
    scope: 'write',
    title: 'Restore a version of a page',
    description:
      'Gives a page the content of one of its versions. Nothing is lost: what was there becomes a version.',
    input: { ...ITEM, etag: ETAG, version: VERSION },
    output: PAGE,
    annotations: { destructiveHint: true, idempotentHint: true },
    run: async ({ id: given, team, workspace, etag, version }, { client, items }) => {
      const id = await idOf(client, given, { team, workspace });
      const condition = items.ifMatch(id, etag);
      return pageOf(items.see(await client.items.restoreVersion(id, version, condition)));
    },
  }),

  tool('publish_tree', {
    scope: 'write',
    title: 'Publish a small tree',
    description:
      'Makes what lies below a parent equal to a list of up to 100 collections and pages, which are known by their keys: missing ones are created, others are changed or moved where they differ. Publishing the same again changes nothing. Items without a key are left alone.',
    input: {
      ...IN_WORKSPACE,
      parent: PARENT.exactOptional(),
      items: MANIFEST,
    },
    output: REPORT,
    annotations: { destructiveHint: true, idempotentHint: true },
    run: async ({ team, workspace, parent, items }, { client }) => {
      const place = await parentOf(client, parent, { team, workspace });
      const toItem = ({ kind, children, ...item }: PublishedItem): ManifestItem => ({
        ...item,
        object: kind === 'page' ? 'item' : 'collection',
        ...(children && { children: children.map(toItem) }),
      });
      return client.workspace(team, workspace).apply({ ...place, items: items.map(toItem) });
    },
  }),

  tool('move_item', {
    scope: 'write',
    title: 'Move an item',
    description:
      'Moves a page or collection, with all below it, to a position among its siblings or under another parent of its workspace.',
    input: {
      ...IN_WORKSPACE,
      id: ITEM.id,
      etag: ETAG,
      index: INDEX,
      parent: PARENT.exactOptional().describe(
        'Id or title of the new parent, null for the top level; absent: the parent stays.',
      ),
    },
    output: { message: z.string(), id: HEAD.id, etag: HEAD.etag },
    annotations: { destructiveHint: false, idempotentHint: true },
    run: async ({ id: given, etag, index, parent, ...place }, { client, items }) => {
      const id = await idOf(client, given, place);
      const { parent: newParent } = await parentOf(client, parent, place);
      const to = { index, ...(newParent !== undefined && { newParent }) };
      const { pages } = client.workspace(place.team, place.workspace);
      const moved = await pages.move(id, to, items.ifMatch(id, etag));
      const current = etagOf(moved);
      items.seeEtag(id, current);
      return { ...moved, id, ...(current !== undefined && { etag: unquoted(current) }) };
    },
  }),

  tool('delete_item', {
    scope: 'write',
    title: 'Delete an item',
    description:
      'Moves a page or collection, with all below it, to the trash. restore_item brings it back, for 30 days by default.',
    input: { ...ITEM, etag: ETAG },
    output: { message: z.string(), id: HEAD.id },
    annotations: { destructiveHint: true, idempotentHint: true },
    run: async ({ id: given, team, workspace, etag }, { client, items }) => {
      const id = await idOf(client, given, { team, workspace });
      const { message } = await client.items.delete(id, items.ifMatch(id, etag));
      items.seeEtag(id, undefined);
      return { message, id };
    },
  }),

  tool('restore_item', {
    scope: 'write',
    title: 'Restore an item',
    description:
      'Restores a deleted item, with all that was deleted with it, from the trash: where it was, or under "parent".',
    input: {
      id: segment('Id of the deleted item, from list_trash.'),
      parent: PARENT.exactOptional(),
      index: INDEX.exactOptional(),
    },
    output: HEAD,
    annotations: { destructiveHint: false, idempotentHint: true },
    run: async ({ id, parent, ...to }, { client, items }) => {
      const place = await parentOf(client, parent, {});
      return headOf(items.see(await client.items.restoreFromTrash(id, { ...to, ...place })));
    },
  }),
];

/**
 * The parent that a model means, for a request body.
 * @param given an id, a title, null for the top level, or undefined: the service decides
 */
async function parentOf(
  client: TeamspacesClient,
  given: string | null | undefined,
  place: SearchPlace,
): Promise<{ parent?: string | null }> {
  if (given === undefined) return {};
  return { parent: given === null ? null : await idOf(client, given, place) };
}
