import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { type InsideService, startService, startStillService } from '../../support/app.js';
import { startDatabaseProxy } from '../../support/database-proxy.js';
import { startKeySet } from '../../support/key-set.js';
import { holdLock } from '../../support/locks.js';
import { parseResponse, sendRaw } from '../../support/raw-socket.js';
import { putRows } from '../../support/tree.js';
import { onWebhooks } from './everywhere.js';
import { WRONG_URLS } from './requests.js';
import { change, type Heard, Listener, tokenOf, type World } from './world.js';

// What takes more than a request: tokens, the state of the database, a connection that breaks, another
// service. Each leaves what it has heard in the listener.

/** Tokens that are refused, and tokens that are not enough. */
export async function tokens({ send }: World): Promise<void> {
  const withHeader = (authorization: string, route = 'GET /me') =>
    send({ route, as: null, headers: { authorization } });
  await send({ route: 'GET /me', as: null });
  const sent = [
    'Basic YTpi',
    'Bearer Bearer x',
    'Bearer x',
    `Bearer ${'x'.repeat(16_000)}`,
    `Bearer ${tokenOf('ada', { exp: 1 })}`,
    ...[
      { email: undefined },
      { email: 'nobody' },
      { sub: undefined },
      { name: 1 },
      { iss: 1 },
      { scope: 1 },
      { scp: 1 },
    ].map((claims) => `Bearer ${tokenOf('ada', claims)}`),
    `Bearer ${tokenOf('ada', { email_verified: 1 })}`,
    `Bearer ${tokenOf('ada', { picture: 1 })}`,
  ];
  for (const header of sent) await withHeader(header);
  for (const scope of ['none', 'read', 'write']) {
    const header = `Bearer ${tokenOf('ada', { scope: `teamspaces:${scope}` })}`;
    for (const route of ['GET /me', 'POST /collections', 'POST /teams'])
      await withHeader(header, route);
  }
}

/** More items than may be copied, or deleted, transferred or restored. */
async function tooManyToMove(world: World): Promise<void> {
  const { databaseUrl, send } = world;
  const { _id } = await send<{ _id: string }>({
    route: 'POST /teams/acme/workspaces',
    body: { name: 'Large' },
  });
  const rows = Array.from({ length: 20_001 }, (_, n) => ({
    object: 'collection' as const,
    ...(n > 0 && { parent: 0 }),
  }));
  const ids = await putRows(databaseUrl, _id, rows);
  const [id] = ids;
  await send({ route: `POST /collections/${id}/duplicate`, body: {} });
  await send({ route: `DELETE /collections/${id}` });
  const to = { workspace_slug: 'handbook' };
  await send({ route: `POST /collections/${id}/transfer`, body: to });
  const manifest = { items: [{ key: 'new', name: 'New' }], prune: true };
  const apply = 'PUT /teams/acme/workspaces/large/collections/apply';
  await change(world, 'UPDATE collections SET key = id WHERE workspace_id = $1', [_id]);
  await send({ route: apply, body: manifest });
  await change(world, 'UPDATE collections SET key = NULL WHERE workspace_id = $1', [_id]);
  const leaf = ids.at(-1);
  await send({ route: `DELETE /collections/${leaf}` });
  await change(world, 'UPDATE trash_deletions SET collections = 20001 WHERE id = $1', [leaf]);
  await change(world, "UPDATE teams SET plan = 'enterprise'");
  await send({ route: `POST /collections/trash/${leaf}/restore`, body: {} });
  await change(world, "UPDATE teams SET plan = 'free'");
  await send({ route: 'DELETE /teams/acme/workspaces/large' });
}

/** More items than a manifest is compared with. */
async function tooManyToCompare({ databaseUrl, send }: World): Promise<void> {
  const { _id } = await send<{ _id: string }>({
    route: 'POST /teams/acme/workspaces',
    body: { name: 'Larger' },
  });
  await putRows(databaseUrl, _id, Array(50_001).fill({ object: 'collection' }));
  const body = { items: [{ key: 'new', name: 'New' }], prune: true };
  await send({ route: 'PUT /teams/acme/workspaces/larger/collections/apply', body });
  await send({ route: 'DELETE /teams/acme/workspaces/larger' });
}

/** Items that are deleted, overwritten or in another workspace. */
export async function otherPlaces(world: World): Promise<void> {
  const {
    send,
    at,
    ids: { page },
  } = world;
  const secret = '?team_slug=acme&workspace_slug=secret';
  const made = (where: string) =>
    send<{ id: string }>({ route: `POST /collections${where}`, body: { object: 'item' } });
  const elsewhere = await made(secret);
  const to = { workspace_slug: 'secret' };
  for (const parent of [elsewhere.id, 'nonsense']) {
    await send({ route: `POST /collections/${page}/transfer`, body: { ...to, parent } });
    await send({ route: `POST /collections/${page}/duplicate`, body: { ...to, parent } });
  }
  await send({ route: 'POST /teams/acme/workspaces', body: { name: 'Shared' } });
  const shared = await made('?team_slug=acme&workspace_slug=shared');
  await send({ route: `DELETE /collections/${shared.id}?permanent=true`, as: 'max' });
  const { id } = await made(at);
  await send({ route: `DELETE /collections/${id}` });
  const restore = `POST /collections/trash/${id}/restore`;
  for (const parent of [page, 'nonsense']) await send({ route: restore, body: { parent } });
  await send({ route: restore, as: 'max', body: {} });
  await send({ route: `DELETE /collections/trash/${id}`, as: 'max' });
  await tooDeep(world);
}

/** Items at the deepest level, and what would go below them. */
async function tooDeep({ databaseUrl, send, ids }: World): Promise<void> {
  const { _id } = await send<{ _id: string }>({
    route: 'POST /teams/acme/workspaces',
    body: { name: 'Deep' },
  });
  const chain = Array.from({ length: 128 }, (_, n) => ({
    object: 'collection' as const,
    ...(n > 0 && { parent: n - 1 }),
  }));
  const parent = (await putRows(databaseUrl, _id, chain)).at(-1);
  const page = ids.page;
  const inDeep = '?team_slug=acme&workspace_slug=deep';
  const { id } = await send<{ id: string }>({ route: `POST /collections${inDeep}`, body: {} });
  await send({ route: `POST /collections${inDeep}`, body: { parent } });
  await send({ route: `POST /collections/batch${inDeep}`, body: { parent, items: [{}] } });
  const items = [{ key: 'new', name: 'New' }];
  await send({ route: `PUT /collections/apply${inDeep}`, body: { parent, items } });
  await send({ route: `PUT /collections/${id}`, body: { parent } });
  const move = { id, index: 0, newParent: parent };
  await send({ route: `POST /collections/reorder${inDeep}`, body: move });
  await send({ route: `PUT /collections/order${inDeep}`, body: { parent, children: [id] } });
  const to = { workspace_slug: 'deep', parent };
  await send({ route: `POST /collections/${page}/duplicate`, body: to });
  await send({ route: `POST /collections/${page}/transfer`, body: to });
  await send({ route: `DELETE /collections/${id}` });
  await send({ route: `POST /collections/trash/${id}/restore`, body: { parent } });
}

/** What only time, billing or the operator bring about: an invite that ends, a limit, an erasure. */
export async function states(world: World): Promise<void> {
  const { send, at, ids } = world;
  const invite = async (email: string, role = 'member', team = 'acme') => {
    const body = { invites: [{ email, role }] };
    const { users } = await send<{ users: { _id: string }[] }>({
      route: `POST /teams/${team}/invites`,
      body,
    });
    return users[0]?._id;
  };
  await tooManyToMove(world);
  await tooManyToCompare(world);
  const expired = await invite('stranger@example.com');
  await change(world, "UPDATE team_invites SET expires_at = now() - interval '1 day'");
  await send({ route: `POST /invites/${expired}/accept`, as: 'stranger' });
  await send({ route: `POST /invites/${expired}/decline`, as: 'stranger' });
  const accepted = await invite('stranger@example.com');
  const { inviteCode } = await send<{ inviteCode: string }>({ route: 'GET /teams/acme' });
  await send({ route: `POST /invites/${accepted}/accept`, as: 'stranger' });
  await send({ route: `POST /invites/${accepted}/accept`, as: 'stranger' });
  await send({ route: `POST /invites/${accepted}/decline`, as: 'stranger' });
  await send({ route: `DELETE /teams/acme/invites/${accepted}` });
  await send({ route: 'POST /teams/join', as: 'stranger', body: { inviteCode } });
  const ofOwner = await invite('owner@example.com', 'owner');
  await send({ route: `DELETE /teams/acme/invites/${ofOwner}`, as: 'mia' });
  await send({ route: `DELETE /teams/acme/invites/${ofOwner}` });
  const ofMember = await invite('late@example.com');
  const late = { as: null, headers: { authorization: `Bearer ${tokenOf('late')}` } };
  await send({ route: 'POST /teams/join', ...late, body: { inviteCode } });
  await send({ route: `POST /invites/${ofMember}/accept`, ...late });

  await growthPastLimits(world, await invite('newcomer@example.com'), inviteCode);
  // More teams than a person may own, more invites than may be pending, a role that nobody gives up.
  await change(
    world,
    `WITH made AS (
       INSERT INTO teams (id, slug, name, invite_code)
       SELECT gen_random_uuid(), 'many-' || n, 'Many', 'many-' || n FROM generate_series(1, 100) AS n
       RETURNING id
     )
     INSERT INTO team_members (team_id, user_id, role) SELECT id, $1, 'owner' FROM made`,
    [ids.gus],
  );
  await send({ route: 'POST /teams', as: 'gus', body: { name: 'One more', slug: 'one-more' } });
  const owned = { userId: ids.gus, role: 'owner' };
  await send({ route: 'PUT /teams/acme/members', body: owned });
  const toOwn = await invite('gus@example.com', 'owner', 'second');
  await send({ route: `POST /invites/${toOwn}/accept`, as: 'gus' });
  const invites = Array.from({ length: 20 }, (_, n) => ({
    email: `p${n}@example.com`,
    role: 'guest',
  }));
  await send({ route: 'POST /teams/acme/invites', body: { invites } });
  const oneMore = [{ email: 'one-more@example.com', role: 'guest' }];
  await send({ route: 'POST /teams/acme/invites', body: { invites: oneMore } });
  const { _id } = await send<{ _id: string }>({
    route: 'POST /teams/acme/workspaces',
    body: { name: 'Open' },
  });
  await change(
    world,
    `INSERT INTO workspace_members (team_id, workspace_id, user_id, role) VALUES ($1, $2, $3, 'reader')`,
    [ids.team, _id, ids.max],
  );
  const userId = ids.max;
  await send({
    route: 'DELETE /teams/acme/workspaces/open/members',
    as: 'max',
    body: { userId },
  });

  const hooks = '/teams/acme/webhooks';
  const url = 'https://example.invalid';
  const webhook = await send<{ _id: string }>({ route: `POST ${hooks}`, body: { url } });
  const changes = WRONG_URLS.map((wrong) => ({ url: wrong }));
  for (const body of [...changes, { workspaces: ['nonsense'] }, { enabled: false }]) {
    await send({ route: `PUT ${hooks}/${webhook._id}`, body });
  }
  await send({ route: `POST ${hooks}/${webhook._id}/test` });
  for (let n = 0; n < 20; n++) await send({ route: `POST ${hooks}`, body: { url } });

  const page = await fetchPage(world);
  const cursor = /cursor=([^>&]+)/.exec(String(page.headers.get('link')))?.[1];
  await send({ route: `GET /collections${at}&parent=${ids.guides}&cursor=${cursor}` });
  await change(world, 'UPDATE workspaces SET rebalances = rebalances + 1');
  await send({ route: `GET /collections${at}&limit=1&cursor=${cursor}` });

  const feed = `GET /collections/changes${at}`;
  const { cursor: place } = await send<{ cursor: string }>({ route: feed });
  await Promise.all(
    Array.from({ length: 11 }, () => send({ route: `${feed}&cursor=${place}&wait=1` })),
  );
  const elsewhere = 'GET /collections/changes?team_slug=acme&workspace_slug=secret';
  await send({ route: `${elsewhere}&cursor=${place}` });
  await change(world, 'UPDATE workspaces SET tree_stamp = gen_random_uuid()');
  await send({ route: `${feed}&cursor=${place}` });

  // A new name is recorded at once, and remembered for a minute from then on.
  const headers = { authorization: `Bearer ${tokenOf('unverified', { name: 'Late' })}` };
  const erased = { as: null, headers };
  await send({ route: 'GET /me', ...erased });
  await change(world, 'DELETE FROM users WHERE id = $1', [ids.unverified]);
  await send({ route: 'POST /teams', ...erased, body: { name: 'Late', slug: 'late' } });
}

/** What makes a full plan grow. */
async function growthPastLimits(
  world: World,
  invite: string | undefined,
  inviteCode: string,
): Promise<void> {
  const { send, at, ids } = world;
  const { id } = await send<{ id: string }>({
    route: `POST /collections${at}`,
    body: { object: 'item' },
  });
  await send({ route: `DELETE /collections/${id}` });
  const [workspace] = await send<{ _id: string }[]>({ route: 'GET /teams/acme/trash' });
  await change(world, 'UPDATE team_usage SET pages = 1000, users = 20, workspaces = 10');
  const item = { key: 'new', name: 'New', object: 'item' };
  await send({ route: `POST /collections${at}`, body: { object: 'item' } });
  await send({ route: `POST /collections/batch${at}`, body: { items: [item] } });
  await send({ route: `PUT /collections/apply${at}`, body: { items: [item] } });
  await send({ route: `POST /collections/${ids.page}/duplicate`, body: {} });
  await send({ route: `POST /collections/trash/${id}/restore`, body: {} });
  await send({ route: 'POST /teams/acme/workspaces', body: { name: 'Eleventh' } });
  await send({ route: `POST /teams/acme/trash/${workspace?._id}/restore` });
  await send({ route: 'POST /teams/join', as: 'unverified', body: { inviteCode } });
  const headers = { authorization: `Bearer ${tokenOf('newcomer')}` };
  await send({ route: `POST /invites/${invite}/accept`, as: null, headers });
  const invites = [{ email: 'another@example.com', role: 'member' }];
  await send({ route: 'POST /teams/acme/invites', body: { invites } });
  await change(world, 'UPDATE team_usage SET pages = 1, users = 5, workspaces = 2');
  await send({ route: `DELETE /teams/acme/invites/${invite}` });
}

/** The first of two pages of the top level. */
async function fetchPage({ send, at, url }: World): Promise<Response> {
  await send({ route: `POST /collections${at}`, body: { name: 'Second' } });
  const authorization = `Bearer ${tokenOf('ada')}`;
  return fetch(`${url}/collections${at}&limit=1`, { headers: { authorization } });
}

/** Keys, and a team, that another request holds, or keys that are in use and gone the moment they are looked up. */
export async function keys(world: World): Promise<void> {
  const { send, databaseUrl, ids } = world;
  const keyed = (slug: string) =>
    send({
      route: 'POST /teams',
      body: { name: 'Key', slug },
      headers: { 'idempotency-key': slug },
    });
  const holder = new pg.Client({ connectionString: databaseUrl });
  await holder.connect();
  await holder.query('BEGIN');
  const text =
    "INSERT INTO idempotency_keys (user_id, key, operation, fingerprint, answer) VALUES ($1, 'held', '', '', '')";
  await holder.query(text, [ids.ada]);
  await holder.query('SELECT FROM teams WHERE id = $1 FOR NO KEY UPDATE', [ids.team]);
  const body = { description: 'Not had in time' };
  await Promise.all([keyed('held'), send({ route: 'PUT /teams/acme', body })]);
  await holder.end();
  await change(
    world,
    `CREATE FUNCTION gone() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN NEW.answer = NULL; RETURN NEW; END'`,
  );
  await change(
    world,
    'CREATE TRIGGER gone BEFORE INSERT ON idempotency_keys FOR EACH ROW EXECUTE FUNCTION gone()',
  );
  await keyed('gone');
  await change(world, 'DROP TRIGGER gone ON idempotency_keys');
}

/** What is not HTTP, or not as it must be. */
export async function broken(service: InsideService, listener: Listener): Promise<void> {
  const host = 'host: x\r\n';
  const chunked = `POST /teams HTTP/1.1\r\n${host}transfer-encoding: chunked\r\n\r\n`;
  const texts = [
    'nonsense\r\n\r\n',
    'GET /teams HTTP/1.1\r\nconnection: close\r\n\r\n',
    `GET /teams HTTP/1.1\r\n${host}expect: 200-maybe\r\nconnection: close\r\n\r\n`,
    `GET / HTTP/1.1\r\n${host}a: ${'x'.repeat(70_000)}\r\n\r\n`,
    `CONNECT x:443 HTTP/1.1\r\n${host}\r\n`,
    `${chunked}1;${'x'.repeat(20_000)}\r\n`,
  ];
  for (const text of texts) {
    const { status, body } = parseResponse(await sendRaw(service.url, text));
    listener.keep(status, body);
  }
  // Node looks for late requests twice a minute; the test does not wait for it.
  const server = service.app.getHttpServer();
  server.once('connection', (socket: Socket) => {
    const late = Object.assign(new Error(), { code: 'ERR_HTTP_REQUEST_TIMEOUT' });
    void sleep(50).then(() => server.emit('clientError', late, socket));
  });
  const { status, body } = parseResponse(await sendRaw(service.url, 'GET '));
  listener.keep(status, body);
  // A body that breaks off; nobody would receive the response.
  server.prependOnceListener('request', (request: IncomingMessage) => {
    request.on('newListener', (event) => {
      if (event === 'error') process.nextTick(() => request.emit('error', new Error('broken off')));
    });
  });
  await listener.send({ route: 'POST /teams', body: '{}' });
}

/** The service's own failures: the commit without a response, whatever nobody thought of. */
export async function failures(world: World): Promise<Heard[]> {
  const { databaseUrl, at } = world;
  const proxy = await startDatabaseProxy(databaseUrl);
  const service = await startService({}, proxy.url);
  const listener = new Listener(service);
  await listener.send({ route: 'GET /me' });
  for (const request of onWebhooks(world)) await listener.send(request);
  proxy.decide = ({ name }) => (name.endsWith('Guarded') ? 'cut after' : 'pass');
  await listener.send({ route: `POST /collections${at}`, body: { name: 'Lost' } });
  proxy.decide = () => 'cut before';
  await listener.send({ route: 'GET /teams' });
  proxy.decide = () => 'pass';
  await service.stop();
  await proxy.stop();
  return listener.heard;
}

/** A limit of two requests a minute. */
export async function limits(databaseUrl: string): Promise<Heard[]> {
  const service = await startStillService({ RATE_LIMIT_PER_MINUTE: '2' }, databaseUrl);
  const listener = new Listener(service);
  for (let times = 0; times < 3; times++) await listener.send({ route: 'GET /me' });
  await service.stop();
  return listener.heard;
}

/** A search in pages where there is none, and one that takes too long. */
export async function searches({ databaseUrl, at }: World): Promise<Heard[]> {
  const route = `GET /collections/search${at}&in=all&q=deep`;
  const off = await startStillService({ SEARCH_CONTENT: 'off' }, databaseUrl);
  const listener = new Listener(off);
  await listener.send({ route });
  await off.stop();
  const service = await startStillService({}, databaseUrl);
  const slow = new Listener(service);
  const lock = await holdLock(databaseUrl, 'LOCK TABLE page_words', []);
  await slow.send({ route });
  await lock.release();
  await service.stop();
  return [...listener.heard, ...slow.heard];
}

/** A provider that does not respond. */
export async function outage(databaseUrl: string): Promise<Heard[]> {
  const keySet = await startKeySet([]);
  keySet.mood = 'fails';
  const env = {
    AUTH_JWT_SECRET: '',
    AUTH_JWKS_URL: keySet.url,
    AUTH_ISSUER: 'x',
    AUTH_AUDIENCE: 'x',
  };
  const service = await startService(env, databaseUrl);
  const listener = new Listener(service);
  const header = Buffer.from('{"alg":"RS256","kid":"x"}').toString('base64url');
  const authorization = `Bearer ${header}.e30.AAAA`;
  await listener.send({ route: 'GET /me', as: null, headers: { authorization } });
  await service.stop();
  await keySet.stop();
  return listener.heard;
}
