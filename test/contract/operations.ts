import type { Caller, TestService } from '../support/app.js';
import { anItem, aTeam, aWorkspace, freshSlug, type ItemBody, ok } from '../support/builders.js';
import { anInvite, type Known, someone } from '../support/members.js';

/** What the operations are tried on. */
export interface World {
  service: TestService;
  ada: Caller;
  /** A member of the team. */
  bob: Caller;
  team: string;
  workspace: { path: string; query: string };
  /** A collection with a few pages. */
  shelf: ItemBody;
  pages: ItemBody[];
  /** Collections in it, one in the other. */
  deep: ItemBody;
}

/** An operation: what must be there first, which is not counted, and the request that is. */
export type Operation = (world: World) => Promise<() => PromiseLike<{ status: number }>>;

/** @param ada the owner of all */
export async function aWorld(service: TestService, ada: Caller): Promise<World> {
  const team = await aTeam(ada);
  const workspace = await aWorkspace(ada, team);
  const shelf = await anItem(ada, workspace.query, { name: 'Shelf' });
  const pages: ItemBody[] = [];
  for (const name of ['One', 'Two', 'Three']) {
    pages.push(await anItem(ada, workspace.query, { name, object: 'item', parent: shelf.id }));
  }
  const outer = await anItem(ada, workspace.query, { name: 'Outer' });
  const deep = await anItem(ada, workspace.query, {
    ...{ name: 'Deep', parent: outer.id, key: 'deep' },
  });
  const bob = await joined({ service, ada, team }, 'member');
  return { service, ada, bob, team, workspace, shelf, pages, deep };
}

/** A request that needs nothing first. */
const plain =
  (call: (world: World) => PromiseLike<{ status: number }>): Operation =>
  async (world) =>
  () =>
    call(world);

const onTree = ({ workspace: { query } }: World, path = '') => `/collections${path}${query}`;
const page = (world: World, body: object = {}): Promise<ItemBody> =>
  anItem(world.ada, world.workspace.query, { object: 'item', ...body });
/** A page in the trash. */
const trashed = async (world: World): Promise<string> => {
  const { id } = await page(world);
  await ok(world.ada.delete(`/collections/${id}`));
  return id;
};
const first = ({ pages }: World): string => (pages[0] as ItemBody).id;
/** Somebody new in the team, by the endpoints: a statement of our own would be recorded, too. */
async function joined(
  { service, ada, team }: Pick<World, 'service' | 'ada' | 'team'>,
  role: 'guest' | 'member',
): Promise<Known> {
  const somebody = await someone(service, role);
  const { _id } = await anInvite(ada, team, somebody.person.email, role);
  await ok(somebody.post(`/invites/${_id}/accept`));
  return somebody;
}
const known = (world: World): Promise<Known> => joined(world, 'guest');
/** The path of the versions of a page, which has the version 1. */
const versioned = async (world: World): Promise<string> => {
  const { id } = await page(world, { content: { by: 'Ada' } });
  await ok(world.bob.put(`/collections/${id}`, { content: { by: 'Bob' } }));
  return `/collections/${id}/versions`;
};

/** Lists that were not asked for since the tree changed. */
const changed =
  (options: string): Operation =>
  async (world) => {
    await ok(world.ada.put(`/collections/${first(world)}`, { name: 'Changed' }));
    return () => world.ada.get(onTree(world) + options);
  };

/** The feed after a change. */
const increment =
  (options: string): Operation =>
  async (world) => {
    const { body } = await world.ada.get(onTree(world, '/changes'));
    await ok(world.ada.put(`/collections/${first(world)}`, { name: 'Changed' }));
    return () => world.ada.get(`${onTree(world, '/changes')}&cursor=${body.cursor}${options}`);
  };

const TREE: Record<string, Operation> = {
  'getCollections, repeated': plain((w) => w.ada.get(onTree(w))),
  'getCollections, current': async (w) => {
    const { headers } = await w.ada.get(onTree(w));
    return () => w.ada.get(onTree(w)).set('if-none-match', String(headers.etag));
  },
  'getCollections, changed': changed(''),
  'getCollections, include=content': changed('&include=content'),
  'getCollections, limit': changed('&limit=1'),
  'getCollections, limit, include=content': changed('&limit=1&include=content'),
  'getChanges, first load': plain((w) => w.ada.get(onTree(w, '/changes'))),
  'getChanges, changed': increment(''),
  'getChanges, changed, include=content': increment('&include=content'),
  'getChanges, nothing new': async (w) => {
    const { body } = await w.ada.get(onTree(w, '/changes'));
    return () => w.ada.get(`${onTree(w, '/changes')}&cursor=${body.cursor}`);
  },
  'getCollections, parent': async (w) => changed(`&parent=${w.shelf.id}`)(w),
  'getCollections, parent, include=content': async (w) =>
    changed(`&parent=${w.shelf.id}&include=content`)(w),
  createCollection: plain((w) => w.ada.post(onTree(w), {})),
  'createCollection, a page in a collection': plain((w) =>
    w.ada.post(onTree(w), { parent: w.deep.id, object: 'item' }),
  ),
  'createCollection, at an index': plain((w) =>
    w.ada.post(onTree(w), { parent: w.deep.id, index: 0 }),
  ),
  'createCollection, with a new Idempotency-Key': plain((w) =>
    w.ada.post(onTree(w), {}).set('idempotency-key', crypto.randomUUID()),
  ),
  'createCollection, replayed': async (w) => {
    const key = crypto.randomUUID();
    await ok(w.ada.post(onTree(w), {}).set('idempotency-key', key));
    return () => w.ada.post(onTree(w), {}).set('idempotency-key', key);
  },
  'createCollections, 100 pages': plain((w) =>
    w.ada.post(onTree(w, '/batch'), { items: Array(100).fill({ object: 'item' }) }),
  ),
  'createCollections, replayed, more than 64 KiB': async (w) => {
    const key = crypto.randomUUID();
    const { id: parent } = await anItem(w.ada, w.workspace.query);
    const batch = { parent, items: Array(200).fill({}) };
    const call = () => w.ada.post(onTree(w, '/batch'), batch).set('idempotency-key', key);
    await ok(call());
    return call;
  },
  'applyCollections, 100 pages that are there': async (w) => {
    const items = Array.from({ length: 100 }, (_, n) => ({
      ...{ key: `there ${n}`, name: 'Page', object: 'item', content: { n } },
    }));
    const { id } = await anItem(w.ada, w.workspace.query);
    await ok(w.ada.put(onTree(w, '/apply'), { parent: id, items }));
    return () => w.ada.put(onTree(w, '/apply'), { parent: id, items });
  },
  'applyCollections, 100 pages of which some change': async (w) => {
    const itemsOf = (from: number, text: string) =>
      Array.from({ length: 100 }, (_, n) => ({
        ...{ key: `change ${from + n}`, name: 'Page', object: 'item' },
        content: { text: n < 50 ? text : '' },
      }));
    const { id } = await anItem(w.ada, w.workspace.query);
    await ok(w.ada.put(onTree(w, '/apply'), { parent: id, items: itemsOf(0, 'old') }));
    await page(w, { parent: id, key: `new ${id}`, content: {} });
    await anItem(w.ada, w.workspace.query, { key: `moved ${id}` });
    const others = [
      { key: `new ${id}`, name: 'Page', object: 'item', content: { new: true } },
      { key: `moved ${id}`, name: 'Moved', children: [] },
    ];
    const items = [...others, ...itemsOf(10, 'new').reverse().slice(2)];
    const body = { parent: id, items, prune: true };
    return () => w.ada.put(onTree(w, '/apply'), body);
  },
  'reorderItem, in its list': plain((w) =>
    w.ada.post(onTree(w, '/reorder'), { id: first(w), index: 9 }),
  ),
  'reorderItem, at the top level': async (w) => {
    const { id } = await page(w);
    return () => w.ada.post(onTree(w, '/reorder'), { id, index: 0 });
  },
  'reorderItem, to another collection': async (w) => {
    const { id } = await page(w);
    return () => w.ada.post(onTree(w, '/reorder'), { id, index: 0, newParent: w.deep.id });
  },
  'orderCollections, of a collection': async (w) => {
    const { id } = await anItem(w.ada, w.workspace.query);
    const children = [await page(w, { parent: id }), await page(w, { parent: id })];
    const ids = children.map((child) => child.id).reverse();
    return () => w.ada.put(onTree(w, '/order'), { parent: id, children: ids });
  },
  'orderCollections, of the top level': async (w) => {
    const tree = await ok<ItemBody[]>(w.ada.get(onTree(w)));
    const ids = tree.map(({ id }) => id).reverse();
    return () => w.ada.put(onTree(w, '/order'), { parent: null, children: ids });
  },
  getCollection: plain((w) => w.ada.get(`/collections/${w.shelf.id}`)),
  'getCollection, in a workspace': plain((w) => w.ada.get(onTree(w, `/${w.shelf.id}`))),
  'getCollection, include=ancestors': plain((w) =>
    w.ada.get(`${onTree(w, `/${w.deep.id}`)}&include=ancestors`),
  ),
  getCollectionBySlug: plain((w) => w.ada.get(onTree(w, `/by-slug/${w.shelf.meta.slug}`))),
  getCollectionByKey: plain((w) => w.ada.get(`${onTree(w, '/by-key')}&key=deep`)),
  searchCollections: plain((w) => w.ada.get(`${onTree(w, '/search')}&q=deep&in=all`)),
  searchTeam: plain((w) => w.ada.get(`/teams/${w.team}/search?q=deep`)),
  'updateCollection, a rename': plain((w) =>
    w.ada.put(`/collections/${first(w)}`, { name: 'Renamed' }),
  ),
  'updateCollection, content': plain((w) =>
    w.ada.put(`/collections/${first(w)}`, { content: { x: 1 } }),
  ),
  'updateCollection, a collection': plain((w) =>
    w.ada.put(`/collections/${w.deep.id}`, { name: 'Deep' }),
  ),
  'updateCollection, content of somebody else': async (w) => {
    const { id } = await page(w, { content: { by: 'Ada' } });
    return () => w.bob.put(`/collections/${id}`, { content: { x: 1 } });
  },
  getVersions: async (w) => {
    const path = await versioned(w);
    return () => w.ada.get(path);
  },
  getVersion: async (w) => {
    const path = await versioned(w);
    return () => w.ada.get(`${path}/1`);
  },
  restoreVersion: async (w) => {
    const path = await versioned(w);
    return () => w.ada.post(`${path}/1/restore`);
  },
  'restoreVersion, with a new Idempotency-Key': async (w) => {
    const path = await versioned(w);
    return () => w.ada.post(`${path}/1/restore`).set('idempotency-key', crypto.randomUUID());
  },
  purgeVersions: async (w) => {
    const path = await versioned(w);
    return () => w.ada.delete(path);
  },
  patchContent: plain((w) =>
    w.ada.patch(`/collections/${first(w)}/content`, [
      { op: 'add', path: '/n', value: Math.random() },
    ]),
  ),
  'patchContent, with a new Idempotency-Key': plain((w) =>
    w.ada
      .patch(`/collections/${first(w)}/content`, [{ op: 'add', path: '/n', value: Math.random() }])
      .set('idempotency-key', crypto.randomUUID()),
  ),
  'deleteCollection, a page': async (w) => {
    const { id } = await page(w);
    return () => w.ada.delete(`/collections/${id}`);
  },
  'deleteCollection, a collection': async (w) => {
    const { id } = await anItem(w.ada, w.workspace.query);
    return () => w.ada.delete(`/collections/${id}`);
  },
  'deleteCollection, for good': async (w) => {
    const { id } = await page(w);
    return () => w.ada.delete(`/collections/${id}?permanent=true`);
  },
  duplicateCollection: async (w) => {
    const { id } = await page(w);
    return () => w.ada.post(`/collections/${id}/duplicate`, {});
  },
  'duplicateCollection, a collection, to another workspace': async (w) => {
    const { slug } = await aWorkspace(w.ada, w.team);
    const body = { workspace_slug: slug, index: 0, name: 'Copy' };
    return () => w.ada.post(onTree(w, `/${w.shelf.id}/duplicate`), body);
  },
  'duplicateCollection, replayed': async (w) => {
    const { id } = await page(w);
    const key = crypto.randomUUID();
    const call = () => w.ada.post(`/collections/${id}/duplicate`, {}).set('idempotency-key', key);
    await ok(call());
    return call;
  },
  transferCollection: async (w) => {
    const { slug } = await aWorkspace(w.ada, w.team);
    const { id } = await page(w);
    return () => w.ada.post(`/collections/${id}/transfer`, { workspace_slug: slug });
  },
  'transferCollection, with a key, in a workspace, into a collection': async (w) => {
    const { slug, query } = await aWorkspace(w.ada, w.team);
    const parent = await anItem(w.ada, query);
    const { id } = await page(w);
    const body = { workspace_slug: slug, parent: parent.id };
    const key = crypto.randomUUID();
    return () => w.ada.post(onTree(w, `/${id}/transfer`), body).set('idempotency-key', key);
  },
  getTrash: async (w) => {
    await trashed(w);
    return () => w.ada.get(`${onTree(w, '/trash')}&limit=10`);
  },
  restoreFromTrash: async (w) => {
    const id = await trashed(w);
    return () => w.ada.post(`/collections/trash/${id}/restore`, {});
  },
  'restoreFromTrash, in a workspace, at an index': async (w) => {
    const id = await trashed(w);
    const body = { parent: w.deep.id, index: 0 };
    return () => w.ada.post(onTree(w, `/trash/${id}/restore`), body);
  },
  'restoreFromTrash, replayed': async (w) => {
    const id = await trashed(w);
    const key = crypto.randomUUID();
    const call = () =>
      w.ada.post(`/collections/trash/${id}/restore`, {}).set('idempotency-key', key);
    await ok(call());
    return call;
  },
  purgeFromTrash: async (w) => {
    const id = await trashed(w);
    return () => w.ada.delete(`/collections/trash/${id}`);
  },
  emptyTrash: async (w) => {
    await trashed(w);
    return () => w.ada.delete(onTree(w, '/trash'));
  },
};

const members = ({ workspace }: World): string => `${workspace.path}/members`;
const invited = async (w: World) => {
  const caller = await someone(w.service);
  const { _id } = await anInvite(w.ada, w.team, caller.person.email);
  return { caller, path: `/invites/${_id}`, id: _id };
};
/** The path of a workspace in the trash. */
const deletedWorkspace = async (w: World): Promise<string> => {
  const { id, path } = await aWorkspace(w.ada, w.team);
  await ok(w.ada.delete(path));
  return `/teams/${w.team}/trash/${id}`;
};
/** Somebody with a role in the workspace. */
const aReader = async (w: World): Promise<Known> => {
  const reader = await known(w);
  await ok(w.ada.post(members(w), [{ email: reader.person.email, role: 'reader' }]));
  return reader;
};

const webhooks = ({ team }: World): string => `/teams/${team}/webhooks`;
/** The path of a webhook, which is not called in this hour: nobody listens there. */
const aWebhook = async (w: World, workspaces?: string[]): Promise<string> => {
  const url = 'https://example.invalid/hooks';
  const { _id } = await ok<{ _id: string }>(w.ada.post(webhooks(w), { url, workspaces }));
  return `${webhooks(w)}/${_id}`;
};
/** The same, and away again: a team can have 20. */
const withWebhook =
  (call: (world: World, path: string) => PromiseLike<{ status: number }>): Operation =>
  async (w) => {
    for (const { _id } of await ok<{ _id: string }[]>(w.ada.get(webhooks(w)))) {
      await ok(w.ada.delete(`${webhooks(w)}/${_id}`));
    }
    const path = await aWebhook(w);
    return () => call(w, path);
  };

const PEOPLE: Record<string, Operation> = {
  getMe: plain((w) => w.ada.get('/me')),
  getTeams: plain((w) => w.ada.get('/teams')),
  createTeam: plain((w) => w.ada.post('/teams', { name: 'Team', slug: freshSlug() })),
  'createTeam, with a new Idempotency-Key': plain((w) =>
    w.ada
      .post('/teams', { name: 'Team', slug: freshSlug() })
      .set('idempotency-key', crypto.randomUUID()),
  ),
  getTeamInfo: plain((w) => w.ada.get(`/teams/${w.team}`)),
  updateTeam: plain((w) => w.ada.put(`/teams/${w.team}`, { name: 'Renamed' })),
  renewInviteCode: plain((w) => w.ada.post(`/teams/${w.team}/invite-code`)),
  joinTeam: async (w) => {
    const caller = await someone(w.service);
    const { inviteCode } = await ok<{ inviteCode: string }>(w.ada.get(`/teams/${w.team}`));
    return () => caller.post('/teams/join', { inviteCode });
  },
  getAuditLog: plain((w) => w.ada.get(`/teams/${w.team}/audit-log`)),
  'getAuditLog, action': plain((w) =>
    w.ada.get(`/teams/${w.team}/audit-log?action=member.joined&since=2026-01-01T00:00:00Z`),
  ),
  'getAuditLog, actor': async (w) => {
    const { id } = await known(w);
    return () => w.ada.get(`/teams/${w.team}/audit-log?actor=${id}`);
  },
  'getAuditLog, action, actor': async (w) => {
    const { id } = await known(w);
    return () => w.ada.get(`/teams/${w.team}/audit-log?action=member.joined&actor=${id}`);
  },
  getWebhooks: withWebhook((w) => w.ada.get(webhooks(w))),
  createWebhook: withWebhook((w) =>
    w.ada.post(webhooks(w), { url: 'https://example.invalid/hooks' }),
  ),
  'createWebhook, of a workspace, with a new Idempotency-Key': withWebhook((w) =>
    w.ada
      .post(webhooks(w), {
        url: 'https://example.invalid/hooks',
        workspaces: [w.workspace.path.split('/').at(-1)],
      })
      .set('idempotency-key', crypto.randomUUID()),
  ),
  getWebhook: withWebhook((w, path) => w.ada.get(path)),
  updateWebhook: withWebhook((w, path) =>
    w.ada.put(path, { url: 'https://example.invalid/other', events: ['team.changed'] }),
  ),
  'updateWebhook, disabled': withWebhook((w, path) => w.ada.put(path, { enabled: false })),
  'updateWebhook, enabled again': async (w) => {
    const path = await aWebhook(w);
    await ok(w.ada.put(path, { enabled: false }));
    return () => w.ada.put(path, { enabled: true });
  },
  deleteWebhook: withWebhook((w, path) => w.ada.delete(path)),
  renewWebhookSecret: withWebhook((w, path) => w.ada.post(`${path}/secret`)),
  testWebhook: withWebhook((w, path) => w.ada.post(`${path}/test`)),
  getDeliveries: withWebhook((w, path) => w.ada.get(`${path}/deliveries`)),
  getTeamMembers: plain((w) => w.ada.get(`/teams/${w.team}/members?limit=10`)),
  updateTeamMember: async (w) => {
    const { id } = await known(w);
    return () => w.ada.put(`/teams/${w.team}/members`, { userId: id, role: 'member' });
  },
  'updateTeamMember, to owner': async (w) => {
    const { id } = await known(w);
    return () => w.ada.put(`/teams/${w.team}/members`, { userId: id, role: 'owner' });
  },
  removeTeamMember: async (w) => {
    const { id } = await known(w);
    return () => w.ada.delete(`/teams/${w.team}/members`, { userId: id });
  },
  getTeamInvites: plain((w) => w.ada.get(`/teams/${w.team}/invites`)),
  sendTeamInvites: async (w) => {
    const { person } = await someone(w.service);
    const invites = [{ email: person.email, role: 'member' }];
    return () => w.ada.post(`/teams/${w.team}/invites`, { invites });
  },
  'sendTeamInvites, again': async (w) => {
    const { person } = await someone(w.service);
    await anInvite(w.ada, w.team, person.email);
    const invites = [{ email: person.email, role: 'member' }];
    return () => w.ada.post(`/teams/${w.team}/invites`, { invites });
  },
  revokeTeamInvite: async (w) => {
    const { id } = await invited(w);
    return () => w.ada.delete(`/teams/${w.team}/invites/${id}`);
  },
  getMyInvites: async (w) => {
    const { caller } = await invited(w);
    return () => caller.get('/invites');
  },
  acceptInvite: async (w) => {
    const { caller, path } = await invited(w);
    return () => caller.post(`${path}/accept`);
  },
  'acceptInvite, as owner': async (w) => {
    const caller = await someone(w.service);
    const { _id } = await anInvite(w.ada, w.team, caller.person.email, 'owner');
    return () => caller.post(`/invites/${_id}/accept`);
  },
  'acceptInvite, with a new Idempotency-Key': async (w) => {
    const { caller, path } = await invited(w);
    return () => caller.post(`${path}/accept`).set('idempotency-key', crypto.randomUUID());
  },
  declineInvite: async (w) => {
    const { caller, path } = await invited(w);
    return () => caller.post(`${path}/decline`);
  },
  getWorkspaces: plain((w) => w.ada.get(`/teams/${w.team}/workspaces`)),
  createWorkspace: plain((w) => w.ada.post(`/teams/${w.team}/workspaces`, { name: 'Another' })),
  getWorkspaceInfo: plain((w) => w.ada.get(w.workspace.path)),
  updateWorkspace: plain((w) => w.ada.put(w.workspace.path, { description: 'Described' })),
  'updateWorkspace, its slug': plain((w) =>
    w.ada.put(w.workspace.path, { slug: w.workspace.path.split('/').at(-1) }),
  ),
  'updateWorkspace, to private': async (w) => {
    const { path } = await aWorkspace(w.ada, w.team);
    return () => w.ada.put(path, { visibility: 'private' });
  },
  archiveWorkspace: async (w) => {
    const { path } = await aWorkspace(w.ada, w.team);
    return () => w.ada.post(`${path}/archive`);
  },
  unarchiveWorkspace: async (w) => {
    const { path } = await aWorkspace(w.ada, w.team);
    await ok(w.ada.post(`${path}/archive`));
    return () => w.ada.post(`${path}/unarchive`);
  },
  deleteWorkspace: async (w) => {
    const { path } = await aWorkspace(w.ada, w.team);
    return () => w.ada.delete(path);
  },
  getDeletedWorkspaces: async (w) => {
    await deletedWorkspace(w);
    return () => w.ada.get(`/teams/${w.team}/trash?limit=10`);
  },
  restoreWorkspace: async (w) => {
    const path = await deletedWorkspace(w);
    return () => w.ada.post(`${path}/restore`);
  },
  'restoreWorkspace, with a new Idempotency-Key': async (w) => {
    const path = await deletedWorkspace(w);
    return () => w.ada.post(`${path}/restore`).set('idempotency-key', crypto.randomUUID());
  },
  'restoreWorkspace, replayed': async (w) => {
    const path = await deletedWorkspace(w);
    const key = crypto.randomUUID();
    const call = () => w.ada.post(`${path}/restore`).set('idempotency-key', key);
    await ok(call());
    return call;
  },
  purgeWorkspace: async (w) => {
    const path = await deletedWorkspace(w);
    return () => w.ada.delete(path);
  },
  getWorkspaceMembers: plain((w) => w.ada.get(members(w))),
  addWorkspaceMembers: async (w) => {
    const { person } = await known(w);
    return () => w.ada.post(members(w), [{ email: person.email, role: 'reader' }]);
  },
  updateWorkspaceMember: async (w) => {
    const { id } = await aReader(w);
    return () => w.ada.put(members(w), { userId: id, role: 'editor' });
  },
  'updateWorkspaceMember, of a private workspace': async (w) => {
    const { path } = await aWorkspace(w.ada, w.team, { visibility: 'private' });
    const { id, person } = await known(w);
    await ok(w.ada.post(`${path}/members`, [{ email: person.email, role: 'editor' }]));
    return () => w.ada.put(`${path}/members`, { userId: id, role: 'reader' });
  },
  removeWorkspaceMember: async (w) => {
    const { id } = await aReader(w);
    return () => w.ada.delete(members(w), { userId: id });
  },
};

/** What a write about people and settings is called. */
export const isPeopleWrite = (name: string): boolean => name in PEOPLE && !name.startsWith('get');

/** Every operation of the API, and the ways in which one may cost more or less. */
export const OPERATIONS: Record<string, Operation> = { ...PEOPLE, ...TREE };
