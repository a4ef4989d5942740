import request from 'supertest';
import { type Person, somebody, tokenOf } from '../../support/app.js';
import { anItem, aTeam, aWorkspace, freshSlug, ok } from '../../support/builders.js';
import { type FlakyProxy, startFlakyProxy } from '../../support/flaky-proxy.js';
import { goldenDocument } from '../../support/golden.js';
import { aMember, anInvite, codeOf, someone } from '../../support/members.js';
import { offenders } from '../../support/offenders.js';
import { WEBHOOK_ENV, type WebhookBody } from '../../support/receiver.js';
import { scene } from '../../support/scene.js';
import { sql } from '../../support/sql.js';
import { aVersion } from '../../support/versions.js';

const at = scene({ env: WEBHOOK_ENV });
/** Between the caller and the service: it passes requests on and drops every answer. */
let proxy: FlakyProxy;
beforeAll(async () => {
  proxy = await startFlakyProxy(at.url, () => 'response lost');
});
afterAll(() => proxy.stop());

/** A request that can succeed once, and by whom. */
interface Scene {
  as: Person;
  method?: 'patch';
  path: string;
  body?: object;
}

/** Someone with an invite to a new team, on their way to answer it. */
async function invited(answer: 'accept' | 'decline'): Promise<Scene> {
  const { person } = await someone(at);
  const { _id } = await anInvite(at.ada, await aTeam(at.ada), person.email);
  return { as: person, path: `/invites/${_id}/${answer}` };
}

/** A new workspace; the collections of it, in both forms. */
async function inWorkspace(end: string, body: object, form: 'short' | 'long'): Promise<Scene> {
  const { path, query } = await aWorkspace(at.ada, await aTeam(at.ada));
  const first = await anItem(at.ada, query);
  await anItem(at.ada, query);
  const given = end === '/reorder' ? { ...body, id: first.id } : body;
  const place = form === 'short' ? `/collections${end}${query}` : `${path}/collections${end}`;
  return { as: at.ada.person, path: place, body: given };
}

/** A page in the trash. */
async function fromTrash(form: 'short' | 'long'): Promise<Scene> {
  const { path, query } = await aWorkspace(at.ada, await aTeam(at.ada));
  const { id } = await anItem(at.ada, query, { object: 'item' });
  await ok(at.ada.delete(`/collections/${id}`));
  const end = `/collections/trash/${id}/restore`;
  return { as: at.ada.person, path: form === 'short' ? end : path + end, body: {} };
}

/** A collection with a page, to be copied or transferred to another workspace. */
async function toArchive(end: string, form: 'short' | 'long'): Promise<Scene> {
  const team = await aTeam(at.ada);
  const { path, query } = await aWorkspace(at.ada, team);
  const { slug } = await aWorkspace(at.ada, team);
  const { id } = await anItem(at.ada, query);
  await anItem(at.ada, query, { object: 'item', parent: id });
  const place = form === 'short' ? `/collections/${id}${end}` : `${path}/collections/${id}${end}`;
  return { as: at.ada.person, path: place, body: { workspace_slug: slug } };
}

/** A page with an array that grows with each write. */
async function onPage(form: 'short' | 'long'): Promise<Scene> {
  const { path, query } = await aWorkspace(at.ada, await aTeam(at.ada));
  const { id } = await anItem(at.ada, query, { object: 'item', content: { list: [] } });
  const place = form === 'short' ? `/collections/${id}` : `${path}/collections/${id}`;
  const body = [{ op: 'add', path: '/list/-', value: 1 }];
  return { as: at.ada.person, method: 'patch', path: `${place}/content`, body };
}

/** A page with a version. */
async function onVersion(form: 'short' | 'long'): Promise<Scene> {
  const { path, query } = await aWorkspace(at.ada, await aTeam(at.ada));
  const { id } = await anItem(at.ada, query, { object: 'item' });
  const end = `/collections/${id}/versions/${await aVersion(at, at.ada, id)}/restore`;
  return { as: at.ada.person, path: form === 'short' ? end : path + end };
}

/** A webhook that nobody is called by. */
async function onWebhook(end: string): Promise<Scene> {
  const team = await aTeam(at.ada);
  const path = `/teams/${team}/webhooks`;
  const body = { url: 'https://example.invalid' };
  const { _id } = await ok<WebhookBody>(at.ada.post(path, body));
  return { as: at.ada.person, path: `${path}/${_id}${end}` };
}

const PAGE = { object: 'item', content: { n: 1 } };
const MANY = { items: [{ name: 'A', children: [{ name: 'B' }] }, { name: 'C' }] };
const MOVE = { index: 1 };

const SCENES: Record<string, () => Promise<Scene>> = {
  createTeam: async () => ({
    as: at.ada.person,
    path: '/teams',
    body: { name: 'T', slug: freshSlug() },
  }),
  joinTeam: async () => {
    const inviteCode = await codeOf(at.ada, await aTeam(at.ada));
    return { as: somebody(), path: '/teams/join', body: { inviteCode } };
  },
  renewInviteCode: async () => ({
    as: at.ada.person,
    path: `/teams/${await aTeam(at.ada)}/invite-code`,
  }),
  sendTeamInvites: async () => ({
    as: at.ada.person,
    path: `/teams/${await aTeam(at.ada)}/invites`,
    body: { invites: [{ email: 'grace@example.com', role: 'member' }] },
  }),
  createWebhook: async () => ({
    as: at.ada.person,
    path: `/teams/${await aTeam(at.ada)}/webhooks`,
    body: { url: 'https://example.invalid' },
  }),
  renewWebhookSecret: () => onWebhook('/secret'),
  testWebhook: () => onWebhook('/test'),
  acceptInvite: () => invited('accept'),
  declineInvite: () => invited('decline'),
  createWorkspace: async () => ({
    as: at.ada.person,
    path: `/teams/${await aTeam(at.ada)}/workspaces`,
    body: { name: 'Handbook' },
  }),
  addWorkspaceMembers: async () => {
    const team = await aTeam(at.ada);
    const { email } = (await aMember(at, team, 'member')).person;
    const { path } = await aWorkspace(at.ada, team);
    return { as: at.ada.person, path: `${path}/members`, body: [{ email, role: 'reader' }] };
  },
  createCollection: () => inWorkspace('', PAGE, 'short'),
  createCollectionInWorkspace: () => inWorkspace('', PAGE, 'long'),
  createCollections: () => inWorkspace('/batch', MANY, 'short'),
  createCollectionsInWorkspace: () => inWorkspace('/batch', MANY, 'long'),
  reorderItem: () => inWorkspace('/reorder', MOVE, 'short'),
  reorderItemInWorkspace: () => inWorkspace('/reorder', MOVE, 'long'),
  restoreFromTrash: () => fromTrash('short'),
  restoreFromTrashInWorkspace: () => fromTrash('long'),
  archiveWorkspace: async () => {
    const { path } = await aWorkspace(at.ada, await aTeam(at.ada));
    return { as: at.ada.person, path: `${path}/archive` };
  },
  unarchiveWorkspace: async () => {
    const { path } = await aWorkspace(at.ada, await aTeam(at.ada));
    await ok(at.ada.post(`${path}/archive`));
    return { as: at.ada.person, path: `${path}/unarchive` };
  },
  restoreWorkspace: async () => {
    const team = await aTeam(at.ada);
    const { id, path } = await aWorkspace(at.ada, team);
    await ok(at.ada.delete(path));
    return { as: at.ada.person, path: `/teams/${team}/trash/${id}/restore` };
  },
  duplicateCollection: () => toArchive('/duplicate', 'short'),
  duplicateCollectionInWorkspace: () => toArchive('/duplicate', 'long'),
  transferCollection: () => toArchive('/transfer', 'short'),
  transferCollectionInWorkspace: () => toArchive('/transfer', 'long'),
  restoreVersion: () => onVersion('short'),
  restoreVersionInWorkspace: () => onVersion('long'),
  patchContent: () => onPage('short'),
  patchContentInWorkspace: () => onPage('long'),
};

const TABLES = [
  'users',
  'teams',
  'team_members',
  'team_invites',
  'team_usage',
  'workspaces',
].concat(
  'workspace_members',
  'collections',
  'idempotency_keys',
  'trash_deletions',
  'trash_items',
  'page_versions',
  'webhooks',
);

/** Everything that the database holds. */
async function everything(): Promise<unknown> {
  const rows = TABLES.map(
    (table) => `SELECT '${table}' AS "table", t::text AS row FROM ${table} t`,
  );
  return sql(at.databaseUrl, `${rows.join(' UNION ALL ')} ORDER BY 1, 2`);
}

test('every POST and PATCH of the document is here', () => {
  type Operations = Partial<Record<'post' | 'patch', { operationId: string }>>;
  const { paths } = goldenDocument<{ paths: Record<string, Operations> }>();
  const posts = Object.values(paths).flatMap(({ post, patch }) =>
    [post, patch].flatMap((operation) => operation?.operationId ?? []),
  );
  expect(Object.keys(SCENES).sort()).toEqual(posts.sort());
});

test('the answer is lost after the commit: a retry gets it, and nothing is done twice', async () => {
  const wrong = await offenders(Object.entries(SCENES), async ([name, scene]) => {
    const { as, method = 'post', path, body } = await scene();
    const send = (url: string) =>
      request(url)
        [method](path)
        .set('authorization', `Bearer ${tokenOf(as)}`)
        .set('idempotency-key', name)
        .send(body);
    proxy.lost.length = 0;
    await expect(send(proxy.url)).rejects.toThrow('socket hang up');
    const after = await everything();
    const retry = await send(at.url);
    // Who lost the secret of a webhook renews it.
    const again = proxy.lost[0]?.replace(/"secret":"[^"]*"/, '"secret":""');
    expect([retry.status, retry.text]).toEqual([200, again]);
    expect(retry.headers['idempotent-replayed']).toBe('true');
    expect(retry.headers['content-type']).toBe('application/json; charset=utf-8');
    expect(await everything()).toEqual(after);
  });
  expect(wrong).toEqual([]);
});

test('without a key a retry is a new request', async () => {
  const { query } = await aWorkspace(at.ada, await aTeam(at.ada));
  const [first, second] = [await anItem(at.ada, query), await anItem(at.ada, query)];
  expect(second.id).not.toBe(first.id);
  expect(await ok(at.ada.get(`/collections${query}`))).toHaveLength(2);
});
