import type { NewItem, Sent } from './history.js';
import type { Body, TeamOfHistory } from './knowledge.js';
import type { Names } from './names.js';
import type { Shown } from './shown.js';

/** How a command goes over the wire, and what its response says. */
interface Wire<Given> {
  request(command: Given, team: TeamOfHistory): Request;
  /** What a 200 shows, in the words of the model; nothing where it has only a message. */
  shown?(body: unknown, names: Names, command: Given): Shown[];
}

export interface Request {
  method: string;
  /** Behind `/collections`, or behind the team. */
  path: string;
  isOfTeam?: boolean;
  /** Besides the workspace. */
  query?: string;
  body?: object;
  /** For If-Match, If-None-Match or Idempotency-Key. */
  headers?: Record<string, string>;
}

type Wires = { [Kind in Sent['kind']]: Wire<Sent & { kind: Kind }> };

/** How a kind of command goes over the wire. */
export const wireOf = <Given extends Sent>(command: Given): Wire<Given> =>
  WIRES[command.kind] as unknown as Wire<Given>;

/** What shows one item, with its parent. */
const single = (body: unknown, names: Names): Shown[] => [
  names.shown(body as Body, { single: true }),
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
    shown: (body, names) =>
      (Array.isArray(body) ? body : [body]).map(({ content: _, ...item }: Body) =>
        names.shown(item, { below: item.parent }),
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
    shown: (body, names) => {
      const { children: _, ...item } = body as Body;
      return single(item, names);
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
    request: ({ id, ifMatch }) => ({
      method: 'DELETE',
      path: `/${id}`,
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
    request: ({ workspace }, { workspaces }) => ({
      method: 'POST',
      path: `/trash/${workspaces.get(workspace)}/restore`,
      isOfTeam: true,
    }),
  },
  list: {
    request: ({ parent, withContent, ifNoneMatch }) => ({
      method: 'GET',
      path: '',
      query: `${withContent ? '&include=content' : ''}${parent ? `&parent=${parent}` : ''}`,
      headers: headersOf({ ifNoneMatch }),
    }),
    shown: (body, names, { parent }) =>
      (body as Body[]).map((item) => names.shown(item, { below: parent })),
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
