import { auditLog, type EntryBody } from '../../support/audit.js';
import { anItem, aTeam, aWorkspace, freshSlug, type ItemBody, ok } from '../../support/builders.js';
import { golden } from '../../support/golden.js';
import { aMember, anInvite, codeOf, giveRole, type Known, someone } from '../../support/members.js';
import { WEBHOOK_ENV, type WebhookBody } from '../../support/receiver.js';
import { scene } from '../../support/scene.js';
import { sql } from '../../support/sql.js';
import { aVersion } from '../../support/versions.js';

const at = scene({ env: { RATE_LIMIT_PER_MINUTE: '0', ...WEBHOOK_ENV }, verify: true });

/** What an operation acts on: new for each. */
interface World {
  ada: Known;
  team: string;
  teamId: string;
  workspace: Awaited<ReturnType<typeof aWorkspace>>;
  /** A member of the team. */
  bob: Known;
  page: ItemBody;
}

/** Action, target and details. */
type Expected = [string, string, object][];

interface Act {
  send(): ReturnType<Known['get']>;
  /** What it is expected to record, in order. */
  entries: Expected | ((body: { _id: string }) => Expected);
  /** The team whose log it is, if it has another slug then. */
  team?: string;
  by?: Known;
}

async function aWorld(): Promise<World> {
  const team = await aTeam(at.ada);
  const workspace = await aWorkspace(at.ada, team);
  const bob = await aMember(at, team, 'member');
  const page = await anItem(at.ada, workspace.query, { object: 'item', name: 'Page' });
  const { _id: teamId } = await ok<{ _id: string }>(at.ada.get(`/teams/${team}`));
  return { ada: at.ada, team, teamId, workspace, bob, page };
}

/** A collection with a page and a collection in it, and what entries say of it. */
async function aShelf({ ada, workspace }: World): Promise<[id: string, ...Entry]> {
  const items = [{ name: 'Shelf', children: [{ object: 'item' }, {}] }];
  const [{ id }] = await ok<[ItemBody]>(
    ada.post(`/collections/batch${workspace.query}`, { items }),
  );
  return [id, `collection ${id} Shelf`, { workspaceId: workspace.id, pages: 1, collections: 2 }];
}
type Entry = [target: string, details: object];

/** The same in the trash. */
async function aTrashedShelf(world: World): Promise<[id: string, ...Entry]> {
  const shelf = await aShelf(world);
  await ok(world.ada.delete(`/collections/${shelf[0]}`));
  return shelf;
}

/** A webhook that nobody is called by, and what entries say of it. */
async function aWebhook({ ada, team }: World): Promise<[path: string, target: string]> {
  const url = 'https://example.invalid/hooks?token=1';
  const { _id } = await ok<WebhookBody>(ada.post(`/teams/${team}/webhooks`, { url }));
  return [`/teams/${team}/webhooks/${_id}`, `webhook ${_id} https://example.invalid/hooks`];
}

/** Each operation that writes, by its id: InWorkspace is the same handler at another path. */
const ACTS: Record<string, (world: World) => Promise<Act>> = {
  createTeam: async ({ ada }) => {
    const slug = freshSlug();
    return {
      team: slug,
      send: () => ada.post('/teams', { name: 'New', slug }),
      entries: ({ _id }) => [['team.created', `team ${_id} New`, { slug }]],
    };
  },
  updateTeam: async ({ ada, team, teamId }) => {
    const slug = freshSlug();
    return {
      team: slug,
      send: () => ada.put(`/teams/${team}`, { name: 'Other', slug, description: 'New' }),
      entries: [
        ['team.updated', `team ${teamId} Other`, { fields: ['name', 'description'] }],
        ['team.slug_changed', `team ${teamId} Other`, { from: team, to: slug }],
      ],
    };
  },
  renewInviteCode: async ({ ada, team, teamId }) => ({
    send: () => ada.post(`/teams/${team}/invite-code`),
    entries: [['team.invite_code_renewed', `team ${teamId} Team`, {}]],
  }),
  joinTeam: async ({ ada, team }) => {
    const eve = await someone(at, 'Eve');
    const inviteCode = await codeOf(ada, team);
    return {
      by: eve,
      send: () => eve.post('/teams/join', { inviteCode }),
      entries: [['member.joined', `user ${eve.id} Eve`, { role: 'member', by: 'code' }]],
    };
  },
  updateTeamMember: async ({ ada, team, bob }) => ({
    send: () => ada.put(`/teams/${team}/members`, { userId: bob.id, role: 'moderator' }),
    entries: [
      [
        'member.role_changed',
        `user ${bob.id} member`,
        { from: 'member', to: 'moderator', inviteCodeRenewed: false },
      ],
    ],
  }),
  removeTeamMember: async ({ ada, team, bob }) => ({
    send: () => ada.delete(`/teams/${team}/members`, { userId: bob.id }),
    entries: [
      ['member.removed', `user ${bob.id} member`, { role: 'member', inviteCodeRenewed: true }],
    ],
  }),
  sendTeamInvites: async ({ ada, team }) => {
    const { _id } = await anInvite(ada, team, 'old@example.com', 'guest');
    const invites = [{ email: 'old@example.com', role: 'member' }];
    return {
      send: () => ada.post(`/teams/${team}/invites`, { invites }),
      entries: [['invite.sent', `invite ${_id} null`, { role: 'member', renewed: true }]],
    };
  },
  revokeTeamInvite: async ({ ada, team }) => {
    const { _id } = await anInvite(ada, team, 'x@example.com');
    return {
      send: () => ada.delete(`/teams/${team}/invites/${_id}`),
      entries: [['invite.revoked', `invite ${_id} null`, {}]],
    };
  },
  acceptInvite: async ({ ada, team }) => {
    const eve = await someone(at, 'Eve');
    const { _id } = await anInvite(ada, team, eve.person.email, 'guest');
    return {
      by: eve,
      send: () => eve.post(`/invites/${_id}/accept`),
      entries: [
        ['invite.accepted', `invite ${_id} null`, { role: 'guest' }],
        ['member.joined', `user ${eve.id} Eve`, { role: 'guest', by: 'invite', inviteId: _id }],
      ],
    };
  },
  declineInvite: async ({ ada, team }) => {
    const eve = await someone(at, 'Eve');
    const { _id } = await anInvite(ada, team, eve.person.email);
    return {
      by: eve,
      send: () => eve.post(`/invites/${_id}/decline`),
      entries: [['invite.declined', `invite ${_id} null`, { role: 'member' }]],
    };
  },
  createWorkspace: async ({ ada, team }) => {
    const slug = freshSlug();
    const details = { slug, visibility: 'public', defaultAccess: 'full' };
    return {
      send: () => ada.post(`/teams/${team}/workspaces`, { name: slug }),
      entries: ({ _id }) => [['workspace.created', `workspace ${_id} ${slug}`, details]],
    };
  },
  updateWorkspace: async ({ ada, workspace: { id, path, slug } }) => ({
    send: () =>
      ada.put(path, {
        name: 'Secret',
        description: '',
        slug: 'secret',
        defaultAccess: 'read-only',
        visibility: 'private',
      }),
    entries: [
      [
        'workspace.updated',
        `workspace ${id} Secret`,
        {
          fields: ['slug', 'name', 'defaultAccess'],
          slug: { from: slug, to: 'secret' },
          defaultAccess: { from: 'full', to: 'read-only' },
        },
      ],
      ['workspace.made_private', `workspace ${id} Secret`, {}],
    ],
  }),
  archiveWorkspace: async ({ ada, workspace: { id, path } }) => ({
    send: () => ada.post(`${path}/archive`),
    entries: [['workspace.archived', `workspace ${id} Workspace`, {}]],
  }),
  unarchiveWorkspace: async ({ ada, workspace: { id, path } }) => {
    await ok(ada.post(`${path}/archive`));
    return {
      send: () => ada.post(`${path}/unarchive`),
      entries: [['workspace.unarchived', `workspace ${id} Workspace`, {}]],
    };
  },
  deleteWorkspace: async ({ ada, workspace: { id, path } }) => ({
    send: () => ada.delete(path),
    entries: [['workspace.deleted', `workspace ${id} Workspace`, { pages: 1, collections: 0 }]],
  }),
  restoreWorkspace: async ({ ada, team, workspace: { id, path, slug } }) => {
    await ok(ada.delete(path));
    const details = { pages: 1, collections: 0, slug };
    return {
      send: () => ada.post(`/teams/${team}/trash/${id}/restore`),
      entries: [['workspace.restored', `workspace ${id} Workspace`, details]],
    };
  },
  purgeWorkspace: async ({ ada, team, workspace: { id, path } }) => {
    await ok(ada.delete(path));
    const details = { pages: 1, collections: 0, visibility: 'public' };
    return {
      send: () => ada.delete(`/teams/${team}/trash/${id}`),
      entries: [['workspace.purged', `workspace ${id} Workspace`, details]],
    };
  },
  addWorkspaceMembers: async ({ ada, team, bob, workspace: { id, path } }) => {
    const [reader, same] = [await aMember(at, team, 'guest'), await aMember(at, team, 'guest')];
    await giveRole(at, id, reader, 'reader');
    await giveRole(at, id, same, 'editor');
    const people = [bob, reader, same].map(({ person: { email } }) => ({ email, role: 'editor' }));
    return {
      send: () => ada.post(`${path}/members`, people),
      entries: [
        ['workspace_member.added', `user ${bob.id} member`, { workspaceId: id, role: 'editor' }],
        [
          'workspace_member.role_changed',
          `user ${reader.id} guest`,
          { workspaceId: id, from: 'reader', to: 'editor' },
        ],
      ],
    };
  },
  updateWorkspaceMember: async ({ ada, bob, workspace: { id, path } }) => {
    await giveRole(at, id, bob, 'reader');
    return {
      send: () => ada.put(`${path}/members`, { userId: bob.id, role: 'editor' }),
      entries: [
        [
          'workspace_member.role_changed',
          `user ${bob.id} member`,
          { workspaceId: id, from: 'reader', to: 'editor' },
        ],
      ],
    };
  },
  removeWorkspaceMember: async ({ ada, bob, workspace: { id, path } }) => {
    await giveRole(at, id, bob, 'reader');
    return {
      send: () => ada.delete(`${path}/members`, { userId: bob.id }),
      entries: [
        ['workspace_member.removed', `user ${bob.id} member`, { workspaceId: id, role: 'reader' }],
      ],
    };
  },
  createCollection: async ({ ada, workspace: { query } }) => ({
    send: () => ada.post(`/collections${query}`, {}),
    entries: [],
  }),
  createCollections: async ({ ada, workspace: { query } }) => ({
    send: () => ada.post(`/collections/batch${query}`, { items: [{}, {}] }),
    entries: [],
  }),
  applyCollections: async ({ ada, page, workspace: { id, query } }) => {
    const kept = { key: 'kept', name: 'Kept', object: 'item' };
    await ok(ada.put(`/collections/${page.id}`, { key: 'page' }));
    return {
      send: () => ada.put(`/collections/apply${query}`, { items: [kept], prune: true }),
      entries: [
        [
          'item.deleted',
          `item ${page.id} Page`,
          { workspaceId: id, pages: 1, collections: 0, permanent: false },
        ],
      ],
    };
  },
  orderCollections: async ({ ada, page, workspace: { query } }) => {
    const other = await anItem(ada, query);
    const body = { parent: null, children: [other.id, page.id] };
    return { send: () => ada.put(`/collections/order${query}`, body), entries: [] };
  },
  reorderItem: async ({ ada, page, workspace: { query } }) => {
    const { id } = await anItem(ada, query);
    const body = { id: page.id, index: 0, newParent: id };
    return { send: () => ada.post(`/collections/reorder${query}`, body), entries: [] };
  },
  updateCollection: async ({ ada, page }) => ({
    send: () => ada.put(`/collections/${page.id}`, { name: 'Renamed', content: { a: 1 } }),
    entries: [],
  }),
  patchContent: async ({ ada, page }) => ({
    send: () => ada.patch(`/collections/${page.id}/content`, [{ op: 'add', path: '/x', value: 1 }]),
    entries: [],
  }),
  restoreVersion: async ({ ada, page }) => {
    const version = await aVersion(at, ada, page.id);
    return {
      send: () => ada.post(`/collections/${page.id}/versions/${version}/restore`),
      entries: [],
    };
  },
  purgeVersions: async ({ ada, workspace, page }) => {
    await aVersion(at, ada, page.id);
    const details = { workspaceId: workspace.id, versions: 1 };
    return {
      send: () => ada.delete(`/collections/${page.id}/versions`),
      entries: [['item.versionsPurged', `item ${page.id} Page`, details]],
    };
  },
  duplicateCollection: async ({ ada, page }) => ({
    send: () => ada.post(`/collections/${page.id}/duplicate`, {}),
    entries: [],
  }),
  transferCollection: async ({ ada, team, workspace, page }) => {
    const archive = await aWorkspace(ada, team);
    const counts = { pages: 1, collections: 0 };
    const entry = (workspaceId: string, direction: string): Expected[number] => [
      ...(['item.transferred', `item ${page.id} Page`] as const),
      { workspaceId, ...counts, direction },
    ];
    return {
      send: () => ada.post(`/collections/${page.id}/transfer`, { workspace_slug: archive.slug }),
      entries: [entry(workspace.id, 'out'), entry(archive.id, 'in')],
    };
  },
  deleteCollection: async (world) => {
    const { ada, page, workspace } = world;
    const items = [{ name: 'Shelf', children: [{ object: 'item' }, { children: [{}] }] }];
    const path = `/collections/batch${workspace.query}`;
    const [shelf] = await ok<[ItemBody]>(ada.post(path, { items }));
    await ok(
      ada.post(`/collections/reorder${workspace.query}`, {
        id: page.id,
        index: 0,
        newParent: shelf.id,
      }),
    );
    const counts = { pages: 2, collections: 3, permanent: false };
    return {
      send: () => ada.delete(`/collections/${shelf.id}`),
      entries: [
        ['item.deleted', `collection ${shelf.id} Shelf`, { workspaceId: workspace.id, ...counts }],
      ],
    };
  },
  restoreFromTrash: async (world) => {
    const [id, ...entry] = await aTrashedShelf(world);
    return {
      send: () => world.ada.post(`/collections/trash/${id}/restore`, {}),
      entries: [['item.restored', ...entry]],
    };
  },
  purgeFromTrash: async (world) => {
    const [id, ...entry] = await aTrashedShelf(world);
    return {
      send: () => world.ada.delete(`/collections/trash/${id}`),
      entries: [['item.purged', ...entry]],
    };
  },
  createWebhook: async ({ ada, team }) => ({
    send: () => ada.post(`/teams/${team}/webhooks`, { url: 'https://example.invalid/?a=1' }),
    entries: ({ _id }) => [['webhook.created', `webhook ${_id} https://example.invalid/`, {}]],
  }),
  updateWebhook: async (world) => {
    const [path, target] = await aWebhook(world);
    const fields = ['events', 'enabled'];
    return {
      send: () => world.ada.put(path, { events: ['team.changed'], enabled: false }),
      entries: [['webhook.updated', target, { fields }]],
    };
  },
  renewWebhookSecret: async (world) => {
    const [path, target] = await aWebhook(world);
    return {
      send: () => world.ada.post(`${path}/secret`),
      entries: [['webhook.secret_renewed', target, {}]],
    };
  },
  testWebhook: async (world) => {
    const [path] = await aWebhook(world);
    return { send: () => world.ada.post(`${path}/test`), entries: [] };
  },
  deleteWebhook: async (world) => {
    const [path, target] = await aWebhook(world);
    return { send: () => world.ada.delete(path), entries: [['webhook.deleted', target, {}]] };
  },
  emptyTrash: async (world) => {
    await aTrashedShelf(world);
    const { ada, workspace } = world;
    const details = { deletions: 1, pages: 1, collections: 2 };
    return {
      send: () => ada.delete(`/collections/trash${workspace.query}`),
      entries: [['trash.emptied', `workspace ${workspace.id} Workspace`, details]],
    };
  },
};

const { paths } = golden<{ paths: Record<string, Record<string, { operationId: string }>> }>(
  'openapi.json',
);
const WRITES = Object.values(paths).flatMap((methods) =>
  Object.entries(methods)
    .filter(([method]) => method !== 'get')
    .map(([, { operationId }]) => operationId),
);

test('every operation that writes is tried', () => {
  expect(Object.keys(ACTS).sort()).toEqual(WRITES.sort());
});

test.each(Object.keys(ACTS))('%s records what it does, and nothing else', async (operation) => {
  const world = await aWorld();
  const {
    send,
    entries,
    team = world.team,
    by = at.ada,
  } = await (ACTS[operation] as (typeof ACTS)[string])(world);
  const requestId = crypto.randomUUID();
  const before = await counted();
  const body = await ok<{ _id: string }>(send().set('x-request-id', requestId));
  const expected = typeof entries === 'function' ? entries(body) : entries;
  expect(await counted()).toBe(before + expected.length);
  const log = await auditLog(at.ada, team);
  const written = log.filter((entry) => entry.requestId === requestId).reverse();
  expect(written.map(summary)).toEqual(expected);
  for (const { actor, at: time } of written) {
    expect(actor).toEqual({ _id: by.id, name: by.person.name });
    expect(Math.abs(Date.now() - Date.parse(time))).toBeLessThan(60_000);
  }
});

test('a deletion for good is recorded as one, and nothing where the trash is empty', async () => {
  const world = await aWorld();
  const [id, target, details] = await aShelf(world);
  await ok(at.ada.delete(`/collections/${id}?permanent=true`));
  await ok(at.ada.delete(`/collections/trash${world.workspace.query}`));
  const [entry] = await auditLog(at.ada, world.team);
  expect(entry && summary(entry)).toEqual([
    'item.deleted',
    target,
    { ...details, permanent: true },
  ]);
});

/** Entries of all teams. */
const counted = async (): Promise<number> =>
  (await sql<{ entries: number }>(at.databaseUrl, COUNT))[0]?.entries ?? 0;
const COUNT = 'SELECT count(*)::int AS entries FROM audit_entries';

const summary = ({ action, target: { type, id, name }, details }: EntryBody) => [
  action,
  `${type} ${id} ${name}`,
  details,
];
