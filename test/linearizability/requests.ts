import type { Command, NewItem, Shown } from './history.js';
import type { Body, Knowledge } from './knowledge.js';

/** How a command goes over the wire, and what its response says. */
interface Wire<Given> {
  request(command: Given, know: Knowledge): Request;
  /** What a 200 shows, in the words of the model; nothing where it has only a message. */
  shown?(body: unknown, know: Knowledge, command: Given): Shown[];
}

export interface Request {
  method: string;
  /** Behind `/collections`, or behind the team. */
  path: string;
  isOfTeam?: boolean;
  /** Behind the workspace. */
  query?: string;
  body?: object;
  /** For If-Match, or If-None-Match. */
  headers?: Record<string, string>;
}

/** Children in the response to an update are recorded beside it, and not asked for. */
export type Sent = Exclude<Command, { kind: 'children' }>;

type Wires = { [Kind in Sent['kind']]: Wire<Sent & { kind: Kind }> };

/** How a kind of command goes over the wire. */
export const wireOf = <Given extends Sent>(command: Given): Wire<Given> =>
  WIRES[command.kind] as unknown as Wire<Given>;

const WIRES: Wires = {
  create: {
    request({ parent, index, items, idempotencyKey: key }, know) {
      const [first] = items;
      const isOne = items.length === 1 && first?.children === undefined;
      const bodies = items.map(toBody);
      const place = { parent: parent && know.idOf(parent), index };
      return {
        method: 'POST',
        path: isOne ? '' : '/batch',
        body: isOne ? { ...place, ...bodies[0] } : { ...place, items: bodies },
        headers: { ...(key && { 'idempotency-key': key }) },
      };
    },
    shown: (body, know) =>
      (Array.isArray(body) ? body : [body]).map(({ content: _, ...item }: Body) =>
        know.shown(item, { below: item.parent }),
      ),
  },
  move: {
    request: ({ id, index, newParent, parent, ifMatch, idempotencyKey: key }, know) => ({
      method: 'POST',
      path: '/reorder',
      body: {
        id: know.idOf(id),
        index,
        ...(newParent !== undefined && { newParent: newParent && know.idOf(newParent) }),
        ...(parent !== undefined && { parent: parent && know.idOf(parent) }),
      },
      headers: { ...ifMatching(ifMatch), ...(key && { 'idempotency-key': key }) },
    }),
  },
  update: {
    request: ({ id, name, content, parent, ifMatch }, know) => ({
      method: 'PUT',
      path: `/${know.idOf(id)}`,
      body: {
        ...(name && { name }),
        ...(content && { content: JSON.parse(content) }),
        ...(parent !== undefined && { parent: parent && know.idOf(parent) }),
      },
      headers: ifMatching(ifMatch),
    }),
    shown: (body, know) => {
      const { children: _, ...item } = body as Body;
      return [know.shown(item, { single: true })];
    },
  },
  patch: {
    request: ({ id, member, ifMatch }, know) => ({
      method: 'PATCH',
      path: `/${know.idOf(id)}/content`,
      body: [{ op: 'add', path: `/${member}`, value: true }],
      headers: ifMatching(ifMatch),
    }),
    shown: (body, know) => [know.shown(body as Body, { single: true })],
  },
  order: {
    request: ({ parent, children, ifMatch }, know) => ({
      method: 'PUT',
      path: '/order',
      body: {
        parent: parent && know.idOf(parent),
        children: children.map((id) => know.idOf(id)),
      },
      headers: ifMatching(ifMatch),
    }),
  },
  delete: {
    request: ({ id, ifMatch }, know) => ({
      method: 'DELETE',
      path: `/${know.idOf(id)}`,
      headers: ifMatching(ifMatch),
    }),
  },
  restore: {
    request: ({ id, parent, index, idempotencyKey: key }, know) => ({
      method: 'POST',
      path: `/trash/${know.idOf(id)}/restore`,
      body: { parent: parent && know.idOf(parent), index },
      headers: { ...(key && { 'idempotency-key': key }) },
    }),
  },
  deleteWorkspace: {
    request: (_, { workspace }) => ({
      method: 'DELETE',
      path: `/workspaces/${workspace.slug}`,
      isOfTeam: true,
    }),
  },
  restoreWorkspace: {
    request: (_, { workspace }) => ({
      method: 'POST',
      path: `/trash/${workspace.id}/restore`,
      isOfTeam: true,
    }),
  },
  list: {
    request: ({ parent, withContent, ifNoneMatch }, know) => ({
      method: 'GET',
      path: '',
      query: `${withContent ? '&include=content' : ''}${parent ? `&parent=${know.idOf(parent)}` : ''}`,
      headers: { ...(ifNoneMatch && { 'if-none-match': ifNoneMatch }) },
    }),
    shown: (body, know, { parent }) => {
      const below = parent && know.idOf(parent);
      return (body as Body[]).map((item) => know.shown(item, { below }));
    },
  },
  read: {
    request: ({ id, withAncestors, ifNoneMatch }, know) => ({
      method: 'GET',
      path: `/${know.idOf(id)}`,
      query: withAncestors ? '&include=ancestors' : '',
      headers: { ...(ifNoneMatch && { 'if-none-match': ifNoneMatch }) },
    }),
    shown: (body, know) => [know.shown(body as Body, { single: true })],
  },
};

/** A single new item, or one of a batch. */
const toBody = ({ name, object, content, children }: NewItem): object => ({
  name,
  object,
  ...(content && { content: JSON.parse(content) }),
  ...(children && { children: children.map(toBody) }),
});

const ifMatching = (etag: string | undefined) => ({ ...(etag && { 'if-match': etag }) });
