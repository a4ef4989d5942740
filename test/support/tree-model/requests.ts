import type { ItemBody } from '../builders.js';
import type { NewItem, Sent, Shown } from './command.js';

/** The team that the trees are in. */
export interface TeamOfTrees {
  slug: string;
  /** Ids by slugs, which nobody else takes. */
  workspaces: ReadonlyMap<string, string>;
}

/** An item of a response, single or in a list. */
export type Body = Omit<ItemBody, 'children'> & {
  /** Id. */
  workspace: string;
  content?: object;
  children?: Body[];
  ancestors?: { id: string; name: string; slug: string }[];
  /** Of a copy. */
  ids?: Record<string, string>;
};

/** What the model calls what a response shows. */
export interface Naming {
  keyOf(id: string, slug: string): string;
  /** undefined: nobody has seen that parent. */
  parentKeyOf(id: string): string | undefined;
  /** The slug of a workspace. */
  slugOf(workspace: string): string;
}

/** A request without what identifies the caller. */
export interface Request {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  path: string;
  body?: object | undefined;
  /** For If-Match, If-None-Match or Idempotency-Key. */
  headers?: Record<string, string> | undefined;
}

/** A command as a request. */
export function requestOf(command: Sent, { slug, workspaces }: TeamOfTrees): Request {
  const { workspace } = command as { workspace?: string };
  const { isOfTeam, path, query, ...request } = wireOf(command).request(command, workspaces);
  if (isOfTeam) return { ...request, path: `/teams/${slug}${path}` };
  const named = workspace && `team_slug=${slug}&workspace_slug=${workspace}`;
  const search = [named, query].filter(Boolean).join('&');
  return { ...request, path: `/collections${path}?${search}` };
}

/** What a 200 shows, in the words of the model; undefined where it has only a message. */
export const shownIn = (body: unknown, command: Sent, naming: Naming): Shown[] | undefined =>
  wireOf(command).shown?.(body, naming, command);

/** @param below the parent of which this is shown as a child; absent: the top level */
export function shownItem(
  item: Body,
  naming: Naming,
  { single = false, below }: { single?: boolean; below?: string | undefined } = {},
): Shown {
  const { id, name, object, parent, content, children, ancestors, meta, workspace } = item;
  const isHere = single || parent === below;
  const key = naming.keyOf(id, meta.slug);
  return {
    id: isHere ? key : `${key} (in ${parent})`,
    name,
    object,
    workspace: naming.slugOf(workspace),
    ...(single && { parent: parent === undefined ? null : naming.parentKeyOf(parent) }),
    ...(content && { content: JSON.stringify(content) }),
    ...(ancestors && {
      ancestors: ancestors.map(({ id, name, slug }) => ({
        ...{ id: naming.keyOf(id, slug), name, object: 'collection' },
      })),
    }),
    ...(children && { children: children.map((child) => shownItem(child, naming, { below: id })) }),
  };
}

/** How a command goes over the wire, and what its response says. */
interface Wire<Given> {
  request(
    command: Given,
    workspaces: TeamOfTrees['workspaces'],
  ): Request & {
    /** `path` continues that of the team, not `/collections`. */
    isOfTeam?: boolean;
    /** Besides the workspace. */
    query?: string;
  };
  shown?(body: unknown, naming: Naming, command: Given): Shown[];
}

type Wires = { [Kind in Sent['kind']]: Wire<Sent & { kind: Kind }> };

const wireOf = <Given extends Sent>(command: Given): Wire<Given> =>
  WIRES[command.kind] as unknown as Wire<Given>;

/** What shows one item, with its parent. */
const single = (body: unknown, naming: Naming): Shown[] => [
  shownItem(body as Body, naming, { single: true }),
];

const WIRES: Wires = {
  create: {
    request({ parent, index, items, idempotencyKey }) {
      const [first] = items;
      const isOne = items.length === 1 && first?.children === undefined;
      const bodies = items.map(toBody);
      const place = { parent, index };
      return {
        method: 'POST',
        path: isOne ? '' : '/batch',
        body: isOne ? { ...place, ...bodies[0] } : { ...place, items: bodies },
        headers: headersOf({ idempotencyKey }),
      };
    },
    shown: (body, naming) =>
      (Array.isArray(body) ? body : [body]).map(({ content: _, ...item }: Body) =>
        shownItem(item, naming, { below: item.parent }),
      ),
  },
  move: {
    request: ({ id, index, newParent, parent, ...conditions }) => ({
      method: 'POST',
      path: '/reorder',
      body: { id, index, newParent, parent },
      headers: headersOf(conditions),
    }),
  },
  update: {
    request: ({ id, name, content, parent, ifMatch }) => ({
      method: 'PUT',
      path: `/${id}`,
      body: { name, ...(content && { content: JSON.parse(content) }), parent },
      headers: headersOf({ ifMatch }),
    }),
    shown: (body, naming) => {
      const { children: _, ...item } = body as Body;
      return single(item, naming);
    },
  },
  patch: {
    request: ({ id, member, ifMatch }) => ({
      method: 'PATCH',
      path: `/${id}/content`,
      body: [{ op: 'add', path: `/${member}`, value: true }],
      headers: headersOf({ ifMatch }),
    }),
    shown: single,
  },
  order: {
    request: ({ parent, children, ifMatch }) => ({
      method: 'PUT',
      path: '/order',
      body: { parent, children },
      headers: headersOf({ ifMatch }),
    }),
  },
  delete: {
    request: ({ id, isPermanent, ifMatch }) => ({
      method: 'DELETE',
      path: `/${id}`,
      ...(isPermanent && { query: 'permanent=true' }),
      headers: headersOf({ ifMatch }),
    }),
  },
  restore: {
    request: ({ id, parent, index, idempotencyKey }) => ({
      method: 'POST',
      path: `/trash/${id}/restore`,
      body: { parent, index },
      headers: headersOf({ idempotencyKey }),
    }),
    shown: single,
  },
  purge: { request: ({ id }) => ({ method: 'DELETE', path: `/trash/${id}` }) },
  duplicate: {
    request: ({ id, name, target, parent, index, ...conditions }) => ({
      method: 'POST',
      path: `/${id}/duplicate`,
      query: 'include=ids',
      body: { name, workspace_slug: target, parent, index },
      headers: headersOf(conditions),
    }),
    shown: single,
  },
  transfer: {
    request: ({ id, target, parent, index, ...conditions }) => ({
      method: 'POST',
      path: `/${id}/transfer`,
      body: { workspace_slug: target, parent, index },
      headers: headersOf(conditions),
    }),
    shown: single,
  },
  deleteWorkspace: {
    request: ({ workspace }) => ({
      method: 'DELETE',
      path: `/workspaces/${workspace}`,
      isOfTeam: true,
    }),
  },
  restoreWorkspace: {
    request: ({ workspace }, workspaces) => ({
      method: 'POST',
      path: `/trash/${workspaces.get(workspace)}/restore`,
      isOfTeam: true,
    }),
  },
  list: {
    request: ({ parent, depth, withContent, ifNoneMatch }) => ({
      method: 'GET',
      path: '',
      query: [
        withContent ? 'include=content' : '',
        parent ? `parent=${parent}` : '',
        depth ? `depth=${depth}` : '',
      ]
        .filter(Boolean)
        .join('&'),
      headers: headersOf({ ifNoneMatch }),
    }),
    shown: (body, naming, { parent }) =>
      (body as Body[]).map((item) => shownItem(item, naming, { below: parent })),
  },
  read: {
    request: ({ id, withAncestors, ifNoneMatch }) => ({
      method: 'GET',
      path: `/${id}`,
      query: withAncestors ? 'include=ancestors' : '',
      headers: headersOf({ ifNoneMatch }),
    }),
    shown: single,
  },
};

/** A single new item, or one of a batch. */
const toBody = ({ name, object, content, children }: NewItem): object => ({
  name,
  object,
  ...(content && { content: JSON.parse(content) }),
  ...(children && { children: children.map(toBody) }),
});

const headersOf = ({
  ifMatch,
  ifNoneMatch,
  idempotencyKey,
}: {
  ifMatch?: string | undefined;
  ifNoneMatch?: string | undefined;
  idempotencyKey?: string | undefined;
}): Record<string, string> => ({
  ...(ifMatch && { 'if-match': ifMatch }),
  ...(ifNoneMatch && { 'if-none-match': ifNoneMatch }),
  ...(idempotencyKey && { 'idempotency-key': idempotencyKey }),
});
