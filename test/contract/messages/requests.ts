import type { Request, World } from './world.js';

/** Requests that are refused, by what they run into; each plays on what the ones before have left. */
export function* refusals({ at, ids }: World): Generator<Request> {
  yield* access(at, ids);
  yield* people(ids);
  yield* tree(at, ids);
  yield* requests(at, ids);
}

function* access(at: string, ids: World['ids']): Generator<Request> {
  yield { route: 'GET /teams/nobody-has-this' };
  yield { route: 'GET /teams/acme', as: 'stranger' };
  yield { route: 'GET /teams/acme/workspaces/handbook', as: 'stranger' };
  yield { route: 'GET /teams/acme/members', as: 'gus' };
  yield { route: 'PUT /teams/acme', as: 'max', body: { name: 'Mine' } };
  yield { route: 'PUT /teams/acme', as: 'mia', body: { slug: 'mine' } };
  yield { route: 'GET /teams/acme/workspaces/secret', as: 'mia' };
  yield { route: 'DELETE /teams/acme/workspaces/handbook', as: 'max' };
  yield { route: `POST /collections${at}`, as: 'max', body: {} };
  yield { route: `GET /teams/acme?teamId=${ids.page}` };
  yield { route: `GET /collections/${ids.page}?teamId=${ids.page}&team_slug=acme` };
  yield { route: 'GET /collections' };
  const long = 'GET /teams/acme/workspaces/handbook/collections';
  yield { route: `${long}?team_slug=other` };
  yield { route: `${long}?workspace_slug=other` };
  yield { route: 'POST /teams', body: { name: 'Acme', slug: 'acme' } };
  yield { route: 'POST /teams', body: { name: 'Second', slug: 'second' } };
  yield { route: 'PUT /teams/acme', body: { slug: 'second' } };
  yield { route: 'PUT /teams/acme/workspaces/secret', body: { slug: 'handbook' } };
}

function* people(ids: World['ids']): Generator<Request> {
  const members = '/teams/acme/members';
  const workspace = '/teams/acme/workspaces/secret/members';
  yield { route: `PUT ${members}`, body: { userId: ids.stranger, role: 'guest' } };
  yield { route: `PUT ${members}`, as: 'mia', body: { userId: ids.ada, role: 'guest' } };
  yield { route: `PUT ${members}`, body: { userId: ids.ada, role: 'guest' } };
  yield { route: `DELETE ${members}`, as: 'mia', body: { userId: ids.ada } };
  yield { route: `DELETE ${members}`, body: { userId: ids.ada } };
  yield { route: `PUT ${workspace}`, body: { userId: ids.ada, role: 'reader' } };
  yield { route: `POST ${workspace}`, body: [{ email: 'ada@example.com', role: 'reader' }] };
  yield { route: `DELETE ${workspace}`, body: { userId: ids.ada } };
  yield { route: `POST ${workspace}`, body: [{ email: 'zoe@example.com', role: 'reader' }] };
  const invites = [{ email: 'max@example.com', role: 'guest' }];
  yield { route: 'POST /teams/acme/invites', body: { invites } };
  const owners = [{ email: 'stranger@example.com', role: 'owner' }];
  yield { route: 'POST /teams/acme/invites', as: 'mia', body: { invites: owners } };
  yield { route: `DELETE /teams/acme/invites/${ids.page}` };
  yield { route: `POST /invites/${ids.page}/accept`, as: 'unverified' };
  yield { route: `POST /invites/${ids.page}/decline`, as: 'unverified' };
  yield { route: 'POST /teams/join', body: { inviteCode: 'nonsense' } };
  yield* webhooks();
}

export const WRONG_URLS = [
  'nonsense',
  'http://example.invalid',
  'https://user@example.invalid',
  'https://10.0.0.1',
];

function* webhooks(): Generator<Request> {
  const route = 'POST /teams/acme/webhooks';
  const url = 'https://example.invalid';
  for (const bad of WRONG_URLS) yield { route, body: { url: bad } };
  yield { route, body: { url, events: ['nonsense'], workspaces: 'nonsense' } };
  yield { route, body: { url, workspaces: ['nonsense'] } };
  yield { route: 'GET /teams/acme/webhooks/nonsense' };
  yield { route: 'PUT /teams/acme/webhooks/nonsense', body: { enabled: 'yes' } };
}

function* tree(at: string, { guides, page }: World['ids']): Generator<Request> {
  yield { route: `GET /collections/${guides.replace(/.{4}$/, '0000')}` };
  yield { route: `GET /collections/by-slug/nonsense${at}` };
  yield { route: `GET /collections/search${at}&in=all&q=a+b+c+d+e+f+g+h+i` };
  yield { route: `GET /collections/by-key${at}` };
  yield { route: `GET /collections/by-key${at}&key=nonsense` };
  yield { route: `PUT /collections/${guides}`, body: { key: 'guides' } };
  yield { route: `PUT /collections/${page}`, body: { key: 'guides' } };
  yield { route: `POST /collections${at}`, body: { key: 'guides' } };
  yield { route: `POST /collections/batch${at}`, body: { items: [{ key: 'guides' }] } };
  yield { route: `GET /collections${at}&parent=nonsense` };
  yield { route: `GET /collections${at}&parent=${page}` };
  yield { route: `GET /collections${at}&cursor=nonsense` };
  yield { route: `GET /collections/changes${at}&cursor=nonsense` };
  yield { route: `GET /collections/changes${at}&wait=60` };
  yield { route: `POST /collections${at}`, body: { parent: 'nonsense' } };
  yield { route: `POST /collections${at}`, body: { parent: page } };
  yield { route: `POST /collections${at}`, body: { content: {} } };
  yield { route: `PUT /collections/${guides}`, body: { content: {} } };
  yield { route: `PUT /collections/${guides}`, body: { parent: guides } };
  yield* manifests(`PUT /collections/apply${at}`, guides, page);
  yield* patches(`PATCH /collections/${page}/content`);
  yield { route: `PATCH /collections/${guides}/content`, body: [] };
  yield { route: `PUT /collections/${page}`, as: 'mia', body: { content: { by: 'Mia' } } };
  const old = { 'if-match': '"old"' };
  yield { route: `PUT /collections/${page}`, body: { name: 'x' }, headers: old };
  yield {
    route: `PUT /collections/order${at}`,
    body: { parent: null, children: [] },
    headers: old,
  };
  yield { route: 'PUT /teams/acme', body: { name: 'x' }, headers: old };
  yield { route: 'PUT /teams/acme/workspaces/handbook', body: { name: 'x' }, headers: old };
  yield { route: `GET /collections/${guides}/versions` };
  yield { route: `DELETE /collections/${guides}/versions` };
  yield { route: `GET /collections/${guides}/versions/1` };
  yield { route: `POST /collections/${guides}/versions/1/restore` };
  yield { route: `GET /collections/${page}/versions/7` };
  yield { route: `POST /collections/${page}/versions/7/restore` };
  yield { route: `POST /collections/trash/${page}/restore`, body: {} };
  yield { route: `DELETE /teams/acme/trash/${page}` };
  yield { route: `POST /collections/${page}/duplicate?include=all`, body: {} };
  yield { route: `POST /collections/${page}/duplicate`, body: { parent: 'nonsense' } };
  yield { route: `POST /collections/${page}/transfer`, body: { workspace_slug: 'nonsense' } };
  yield { route: `POST /collections/${page}/transfer`, body: { workspace_slug: 'handbook' } };
  const move = `POST /collections/reorder${at}`;
  yield { route: move, body: { id: page, index: 0 }, headers: old };
  yield { route: move, body: { id: page, index: 0, parent: null } };
  yield { route: move, body: { id: page, index: 0, object: 'collection' } };
  yield { route: move, body: { id: page, index: 0, newParent: 'nonsense' } };
  yield { route: move, body: { id: guides, index: 0, newParent: page } };
  yield { route: move, body: { id: guides, index: 0, newParent: guides } };
  const order = `PUT /collections/order${at}`;
  yield { route: order, body: { parent: guides, children: [] } };
  yield { route: order, body: { parent: guides, children: [page, 'nonsense'] } };
  yield { route: order, body: { parent: guides, children: [page, guides] } };
  const batch = `POST /collections/batch${at}`;
  yield { route: batch, body: { items: [{ object: 'item', children: [{}] }] } };
  yield { route: batch, body: { items: [{}, { content: {} }] } };
  yield { route: batch, body: { items: [{ children: Array(1000).fill({}) }] } };
  let nested: object = {};
  for (let level = 0; level < 128; level++) nested = { children: [nested] };
  yield { route: batch, body: { items: [nested] } };
  yield {
    route: batch,
    body: { items: [{ children: [{ name: '', Object: 'item' }] }, { index: 0 }] },
  };
}

function* manifests(route: string, guides: string, page: string): Generator<Request> {
  const one = { key: 'one', name: 'One' };
  const leaf = { key: 'leaf', name: 'Leaf', object: 'item' };
  yield { route, body: { items: [{ ...one, children: [one] }] } };
  yield { route, body: { items: [{ ...leaf, children: [] }] } };
  yield { route, body: { items: [{ ...one, content: {} }] } };
  yield { route, body: { items: [one], parent: page } };
  yield { route, body: { items: [{ ...one, key: 'guides', object: 'item' }] } };
  yield { route, body: { items: [{ ...one, key: 'guides' }], parent: guides } };
  yield { route, body: { items: [{ ...one, children: [leaf] }] } };
  yield { route, body: { items: [{ ...one, children: [] }, leaf] } };
  yield { route, body: { items: [{ ...one, children: [leaf] }] } };
  yield { route, body: { items: [leaf], prune: true } };
  const many = Array.from({ length: 1000 }, (_, n) => ({ key: `${n}`, name: 'Many' }));
  yield { route, body: { items: [{ ...one, children: many }] } };
}

function* patches(route: string): Generator<Request> {
  yield { route, body: {} };
  yield { route, body: [1] };
  yield { route, body: [{ op: 'append', path: '' }] };
  yield { route, body: [{ op: 'remove' }] };
  yield { route, body: [{ op: 'add', path: '/a' }] };
  yield { route, body: [{ op: 'copy', path: '/a', from: 1 }] };
  yield { route, body: [{ op: 'remove', path: 'a' }] };
  yield { route, body: [{ op: 'move', path: '/a/b', from: '/a' }] };
  yield { route, body: [{ op: 'add', path: '/a', value: '\0' }] };
  yield { route, body: [{ op: 'add', path: '/a\0', value: 1 }] };
  yield { route, body: '[{"op":"remove","path":"/a","path":"/b"}]' };
  yield { route, body: '[]', headers: { 'content-type': 'application/merge-patch+json' } };
  yield { route, body: [{ op: 'test', path: '/absent', value: 1 }] };
  yield { route, body: [{ op: 'remove', path: '/absent' }] };
  yield { route, body: [{ op: 'copy', path: '/a', from: '/absent' }] };
  yield { route, body: [{ op: 'replace', path: '', value: [] }] };
  const long = { op: 'add', path: '/a', value: 'x'.repeat(1024 * 1024) };
  yield { route, body: [long] };
  let nested: object = {};
  for (let level = 0; level < 64; level++) nested = { nested };
  yield { route, body: [{ op: 'add', path: '/a', value: nested }] };
}

/** What is refused before anybody asks what it means. */
function* requests(at: string, { guides }: World['ids']): Generator<Request> {
  const post = `POST /collections${at}`;
  yield { route: 'GET /nonsense' };
  yield { route: 'GET /teams/%zz' };
  yield { route: 'GET /teams?name=%zz' };
  yield { route: post, body: '{"name":' };
  yield { route: post, body: Buffer.from([0x22, 0xff, 0x22]) };
  yield { route: post, body: ' '.repeat(2 * 1024 * 1024 + 1) };
  yield { route: post, body: '['.repeat(201) };
  yield { route: post, body: JSON.stringify(Array(25_001).fill(0)) };
  yield { route: post, body: 'name=Guides', headers: { 'content-type': 'text/plain' } };
  yield { route: post, body: {}, headers: { 'content-encoding': 'gzip' } };
  yield { route: post, body: `{"object":"item","content":{"n":1e400}}` };
  yield { route: post, body: {}, headers: { 'idempotency-key': 'x'.repeat(256) } };
  yield { route: post, body: { parent: guides }, headers: { 'idempotency-key': 'used' } };
  yield { route: post, body: { name: 'Another' }, headers: { 'idempotency-key': 'used' } };
  yield { route: 'POST /teams', body: { Name: 'Acme', slug: 'A', extra: 1, more: 2 } };
}
