import { readdirSync, readFileSync } from 'node:fs';
import { DISCARD_PLANS } from '@teamspaces/pg-lanes/service-client';
import type { Pools } from '../../packages/pg-lanes/src/divided-pools.js';
import * as applies from '../../src/collections/apply/apply-statements.js';
import type { ChangeLogRepository } from '../../src/collections/changes/change-log.repository.js';
import type { ChangesPurge } from '../../src/collections/changes/changes-purge.js';
import type { PageIndexer } from '../../src/collections/search/page-indexer.js';
import { FIND_DELETION, FORMER_PLACE } from '../../src/collections/subtrees/subtree-statements.js';
import type { TrashPurge } from '../../src/collections/trash/trash-purge.js';
import * as slices from '../../src/collections/writer/slice-statements.js';
import type { Retention } from '../../src/jobs/retention.js';
import type { InviteOutbox } from '../../src/teams/invites/invite-outbox.js';
import type { DeliveryScheduler } from '../../src/webhooks/delivery/delivery-scheduler.js';
import type { WebhookSender } from '../../src/webhooks/delivery/webhook-sender.js';
import { until } from '../operate/process.js';
import { type InsideService, somebody, startStillService } from '../support/app.js';
import { anItem, aTeam, aWorkspace, ok } from '../support/builders.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import {
  type DatabaseProxy,
  type Executed,
  startDatabaseProxy,
} from '../support/database-proxy.js';
import { expectGolden, expectGoldenText, goldenStatements } from '../support/golden.js';
import { holdWorkspace } from '../support/locks.js';
import { anInvite, someone } from '../support/members.js';
import { WEBHOOK_ENV } from '../support/receiver.js';
import { sql } from '../support/sql.js';
import { putRows } from '../support/tree.js';
import { aWorld, isPeopleWrite, OPERATIONS, type World } from './operations.js';

/** The bounds of all reads that were sent on the connections that all callers share, by label. */
const points: Record<string, number> = {};

let database: TestDatabase;
let proxy: DatabaseProxy;
let service: InsideService;
let world: World;
let costs: Costs;
/** What one operation reads together; for many at once it differs with their number. */
let together: string[];
beforeAll(async () => {
  database = await createTestDatabase();
  proxy = await startDatabaseProxy(database.url);
  const limits = '{"free":{"pages":0,"users":0,"workspaces":0},"pro":{"pages":1,"users":2}}';
  const env = { PLAN_LIMITS: limits, TEAMS_PER_OWNER: '10000', ...WEBHOOK_ENV };
  // What is heard depends on requests alone: not on time, and not on jobs, whose rounds rareStatements() calls.
  service = await startStillService(env, proxy.url);
  listenToPointReads(service);
  world = await aWorld(service, service.as(somebody()));
  costs = await measureOperations();
  await readAlone();
  together = [
    ...new Set(
      [...proxy.seen.values()].filter((sent) => isCombined(sent) || placeOf(sent)).map(labelOf),
    ),
  ].sort();
  await rareStatements();
}, 600_000);
afterAll(async () => {
  await service.stop();
  await proxy.stop();
  await database.drop();
});

/** Notes what is sent on the connections that all callers share. */
function listenToPointReads(inside: InsideService): void {
  const { reads } = (inside.provider('Database') as unknown as { pools: Pools }).pools;
  const { read } = reads;
  reads.read = function (statement, values) {
    points[labelOf(statement)] = statement.rows;
    return read.call(this, statement, values) as never;
  };
}

const isCombined = ({ name }: Executed): boolean => name.startsWith('reads.');

/** The statement that finds a place, if reads are part of it. */
const placeOf = ({ name }: Executed): string | undefined =>
  /^(\w+\.\w+)\.[\w-]{27}$/.exec(name)?.[1];

const plain = (text: string): string => text.replace(/\$\d+/g, '$').replace(/\s+/g, ' ').trim();

/** What can be read together. */
const PARTS = [
  ...Object.values(slices),
  ...Object.values(applies),
  FIND_DELETION,
  FORMER_PLACE,
].filter((part) => typeof part === 'object');

/** The names of the tree's statements that one of several together consists of, in their order. */
const partsOf = (text: string): string =>
  PARTS.map((part) => ({ name: part.name, at: plain(text).indexOf(plain(part.text)) }))
    .filter(({ at }) => at >= 0)
    .sort((a, b) => a.at - b.at)
    .map(({ name }) => name)
    .join(' + ');

/** Its name, or what it does to which table where Prisma wrote it. */
function labelOf(statement: Executed): string {
  const { name, text } = statement;
  if (isCombined(statement)) return partsOf(text);
  const place = placeOf(statement);
  if (place) return `${place} + ${partsOf(text.replace(/\bplace\.(team_)?id\b/g, '$$1'))}`;
  if (name.includes('.')) return name;
  const [verb = ''] = text.trim().split(/\s/, 1);
  const table = /\b(?:FROM|INTO|UPDATE)\s+(?:"?public"?\.)?"?(\w+)/.exec(text)?.[1];
  return table ? `${verb} ${table}` : text;
}

type Costs = Record<string, { roundTrips: number; statements: string[] }>;

async function measureOperations(): Promise<Costs> {
  const costs: Costs = {};
  for (const [name, prepare] of Object.entries(OPERATIONS)) {
    // Twice before it counts: with everything prepared, connected and remembered that can be.
    for (let time = 1; time <= 3; time++) {
      const call = await prepare(world);
      const { statements, roundTrips } = await proxy.duringOne(async () => {
        const { status } = await call();
        expect([name, [200, 304].includes(status)]).toEqual([name, true]);
      });
      const labels = statements.map(labelOf).filter((label) => label !== DISCARD_PLANS);
      costs[name] = { roundTrips, statements: labels };
    }
  }
  return costs;
}

/** Of two commands of one caller at once, the second reads its slice by itself: the first one is held while it reads. */
async function readAlone(): Promise<void> {
  const { ada, team } = world;
  const { query } = await aWorkspace(ada, team);
  const [page = ''] = world.pages.map(({ id }) => id);
  // Changes nothing, so that the other one writes alone.
  const command = () => ok(ada.put(`/collections/${page}`, {}));
  const { statements } = await proxy.during(command);
  const held = proxy.holdResponse(statements[0]?.name ?? '');
  const first = command();
  await held.arrived;
  const isFound = proxy.responded('workspaces.find');
  const second = anItem(ada, query);
  await isFound;
  held.release();
  await Promise.all([first, second]);
}

/** What only large or crowded trees ask for, many at once, and the limit of a plan. */
async function rareStatements(): Promise<void> {
  const { ada, team } = world;
  await ok(ada.get('/health/ready'));
  await longLists();
  await trashStatements();
  await versionsStatements();
  await pageStatements();
  await changesStatements();
  await auditStatements();
  await service.provider<Retention>('Retention').runRound();
  await webhookStatements();
  const { id, query, path } = await aWorkspace(ada, team);
  const count = 2_100;
  const rows = Array.from({ length: count }, () => ({ object: 'item' as const, parent: 0 }));
  const [shelf = '', page = ''] = await putRows(database.url, id, [
    { object: 'collection' },
    ...rows,
  ]);
  const top = await aWorkspace(ada, team);
  const [other = ''] = await putRows(
    database.url,
    top.id,
    rows.map(() => ({ object: 'item' as const })),
  );
  // tree.runs: neighbours in lists that are too long to be read whole.
  await ok(ada.post(`/collections${query}`, { parent: shelf, index: 1000 }));
  await ok(ada.post(`/collections${top.query}`, { index: 1000 }));
  // items.withChildren: an item that is too large to be read with its access.
  await ok(ada.get(`/collections/${shelf}${query}`));
  // tree.objectOf: the caller asks whether there is such a list.
  await ada.get(`/collections${query}&parent=${shelf}`).set('if-none-match', '*').expect(304);
  // tree.ids, tree.countRebalance: no short position is left at the end.
  const crowd = `UPDATE collections SET position = 'z' || repeat('z', 60) || 'V' WHERE id = $1`;
  for (const item of [page, other]) await sql(database.url, crowd, [item]);
  await ok(ada.post(`/collections${query}`, { parent: shelf }));
  await ok(ada.post(`/collections${top.query}`, {}));
  // workspaces.find with the reads of an update, which commands that come together send only by chance.
  await ok(ada.put(`/collections/${shelf}${query}`, {}));
  // tree.lock, and all that is read behind it: commands that come together.
  await commandsTogether(id, [
    () => ada.post(`/collections${query}`, { parent: shelf, object: 'item' }),
    () => ada.put(`/collections/${shelf}${query}`, { name: 'One' }),
    () => ada.post(`/collections${query}`, { parent: shelf, object: 'item' }),
    () => ada.put(`/collections/${shelf}${query}`, { name: 'Two' }),
  ]);
  await anItem(ada, query);
  await ok(ada.put(path, { visibility: 'private' }));
  // search.prefixes: a team of more than a million pages.
  const huge = await aTeam(ada);
  await sql(
    database.url,
    'UPDATE team_usage SET pages = 1000001 WHERE team_id = (SELECT id FROM teams WHERE slug = $1)',
    [huge],
  );
  await ok(ada.get(`/collections/search${(await aWorkspace(ada, huge)).query}&q=page`));
  // tree.plan: the limit is reached.
  await sql(database.url, `UPDATE teams SET plan = 'pro' WHERE slug = $1`, [team]);
  expect((await ada.post(`/collections${query}`, { object: 'item' })).status).toBe(403);
  // invites.findExpired: no invite can be pending any more, but some have expired.
  const small = await aTeam(ada);
  await sql(database.url, `UPDATE teams SET plan = 'pro' WHERE slug = $1`, [small]);
  for (const email of ['one@example.com', 'two@example.com', 'three@example.com']) {
    await anInvite(ada, small, email);
    await sql(database.url, 'UPDATE team_invites SET expires_at = now()');
  }
  await mailStatements();
}

/** Sends commands of one caller, of which all but the first wait in the queue of the workspace and go in one batch. */
async function commandsTogether(
  workspaceId: string,
  [first, ...others]: (() => PromiseLike<{ status: number; text: string; body: unknown }>)[],
): Promise<void> {
  const held = await holdWorkspace(database.url, workspaceId);
  const sent = [ok(first?.() as ReturnType<NonNullable<typeof first>>)];
  await held.waiting(1);
  sent.push(...others.map((send) => ok(send())));
  await service.queued(workspaceId, others.length);
  await held.release();
  await Promise.all(sent);
}

/** The second statement of each list, which is read if the list is long. */
async function longLists(): Promise<void> {
  const eve = service.as(somebody('Eve'));
  const { _id: id, email } = await ok<{ _id: string; email: string }>(eve.get('/me'));
  const team = await aTeam(eve);
  const { path } = await aWorkspace(eve, team);
  const insert = (text: string, values: unknown[]) =>
    sql(database.url, text.replaceAll('numbers', 'generate_series(1, 101)'), values);
  const teamId = '(SELECT id FROM teams WHERE slug = $1)';
  await insert(
    `WITH added AS (
       INSERT INTO teams (id, slug, name, invite_code)
       SELECT gen_random_uuid(), 'long-' || n, 'T', 'long-' || n FROM numbers n RETURNING id
     ), counted AS (INSERT INTO team_usage (team_id) SELECT id FROM added), invited AS (
       INSERT INTO team_invites (id, team_id, email, role, invited_by, expires_at)
       SELECT gen_random_uuid(), id, $2, 'member', $1, now() + interval '1 day' FROM added
     )
     INSERT INTO team_members (team_id, user_id, role) SELECT id, $1, 'member' FROM added`,
    [id, email],
  );
  await insert(
    `WITH added AS (
       INSERT INTO users (id, issuer, subject, email, name)
       SELECT gen_random_uuid(), 'long', n::text, 'long' || n || '@example.com', 'L' FROM numbers n
       RETURNING id
     ), members AS (
       INSERT INTO team_members (team_id, user_id, role) SELECT ${teamId}, id, 'member' FROM added
       RETURNING team_id, user_id
     )
     INSERT INTO workspace_members (team_id, workspace_id, user_id, role)
     SELECT w.team_id, w.id, m.user_id, 'reader' FROM members m JOIN workspaces w USING (team_id)`,
    [team],
  );
  await insert(
    `INSERT INTO team_invites (id, team_id, email, role, invited_by, expires_at)
     SELECT gen_random_uuid(), ${teamId}, 'i' || n || '@example.com', 'member', $2, now() FROM numbers n`,
    [team, id],
  );
  for (const deletedAt of ['NULL', 'now()']) {
    await insert(
      `INSERT INTO workspaces (team_id, id, slug, name, deleted_at, deleted_pages, deleted_collections)
       SELECT ${teamId}, gen_random_uuid(), 'long-' || n, 'W', ${deletedAt}::timestamptz,
         CASE WHEN ${deletedAt} IS NOT NULL THEN 0 END, CASE WHEN ${deletedAt} IS NOT NULL THEN 0 END
       FROM numbers n`,
      [team],
    );
  }
  const lists = [
    '',
    `/${team}/members`,
    `/${team}/invites`,
    `/${team}/workspaces`,
    `/${team}/trash`,
  ];
  for (const list of [...lists.map((end) => `/teams${end}`), `${path}/members`, '/invites']) {
    await ok(eve.get(list));
  }
  await ok(eve.get(`/teams/${team}/search?q=page`));
}

/** What the purge of the trash sends: for what has expired, and for what was purged. */
async function trashStatements(): Promise<void> {
  const purge = service.provider<TrashPurge>('TrashPurge');
  const { id } = await anItem(world.ada, world.workspace.query);
  await ok(world.ada.delete(`/collections/${id}`));
  const { path } = await aWorkspace(world.ada, world.team);
  await ok(world.ada.delete(path));
  await sql(database.url, "UPDATE trash_deletions SET deleted_at = '2000-01-01'");
  await sql(
    database.url,
    "UPDATE workspaces SET deleted_at = '2000-01-01' WHERE deleted_at IS NOT NULL",
  );
  await purge.runRound();
}

/** A version that is old. */
async function versionsStatements(): Promise<void> {
  const page = await anItem(world.ada, world.workspace.query, {
    object: 'item',
    content: { n: 1 },
  });
  await sql(
    database.url,
    `INSERT INTO page_versions (team_id, id, version, since, until, bytes, content, ordinal, total_bytes)
     SELECT team_id, id, 1, now(), '2000-01-01', 2, '{}', 1, 2 FROM collections WHERE id = $1`,
    [page.id],
  );
}

/** What keeps the index of words, and what a search in pages sends before and after. */
async function pageStatements(): Promise<void> {
  const { ada } = world;
  const { id, query } = await aWorkspace(ada, await aTeam(ada));
  const content = { text: 'Carry over' };
  const page = await anItem(ada, query, { object: 'item', content });
  const search = () => ok(ada.get(`/collections/search${query}&in=all&q=carry`));
  await search();
  const round = () => service.provider<PageIndexer>('PageIndexer').runRound();
  await round();
  await search();
  await ok(ada.put(`/collections/${page.id}${query}`, { content: { text: 'Carry under' } }));
  await sql(database.url, "UPDATE page_words SET indexed_at = '2000-01-01'");
  await round();
  await ok(ada.delete(`/collections/${page.id}/versions${query}`));
  // The log does not have it any more: it is loaded again.
  await ok(ada.put(`/collections/${page.id}${query}`, { content }));
  await sql(database.url, 'DELETE FROM tree_changes WHERE workspace_id = $1', [id]);
  // Another instance has the lease for a while: afterwards all is compared.
  const lease = (until: string) =>
    sql(
      database.url,
      `UPDATE search_rounds SET holder = gen_random_uuid(), leased_until = ${until}`,
    );
  await lease("now() + interval '1 hour'");
  await round();
  await lease('now()');
  await round();
  const off = await startStillService({ SEARCH_CONTENT: 'off' }, proxy.url);
  await off.provider<PageIndexer>('PageIndexer').runRound();
  await off.stop();
}

/** Changes that are old, what the purge of changes sends, and the look of those who wait. */
async function changesStatements(): Promise<void> {
  await sql(database.url, "UPDATE tree_changes SET created_at = '2000-01-01' WHERE version < 3");
  // The size of a log is looked at only where the plan has a limit.
  await sql(database.url, "UPDATE teams SET plan = 'pro' WHERE plan = 'free'");
  await service.provider<ChangesPurge>('ChangesPurge').runRound();
  await sql(database.url, "UPDATE teams SET plan = 'free' WHERE plan = 'pro'");
  await service.provider<ChangeLogRepository>('ChangeLogRepository').treeStamps([]);
}

/** Entries that are old, and what is sent by a removal of somebody who has sent an invite. */
async function auditStatements(): Promise<void> {
  const { ada } = world;
  const team = await aTeam(ada);
  const bob = await someone(service);
  const { _id } = await anInvite(ada, team, bob.person.email, 'moderator');
  await ok(bob.post(`/invites/${_id}/accept`));
  await anInvite(bob, team, 'invited@example.com');
  await ok(ada.delete(`/teams/${team}/members`, { userId: bob.id }));
  await sql(database.url, "UPDATE audit_entries SET at = '2000-01-01'");
}

/** Is sent where the workspace of a webhook is gone. */
const FORGET = 'webhookDeliveries.forget';

/** What finds changes, tells webhooks of them, and what ends a webhook. Nobody listens there. */
async function webhookStatements(): Promise<void> {
  const { ada } = world;
  await sql(database.url, 'DELETE FROM webhooks');
  const sender = service.provider<WebhookSender>('WebhookSender');
  const scheduler = service.provider<DeliveryScheduler>('DeliveryScheduler');
  const running = (sender as unknown as { running: Map<unknown, unknown> }).running;
  const round = async () => {
    await service.advance(1_000);
    await sql(database.url, "UPDATE webhook_rounds SET leased_until = '2000-01-01'");
    await scheduler.runRound();
    await sender.runRound();
    await until(() => running.size === 0);
  };
  const team = await aTeam(ada);
  const first = await aWorkspace(ada, team);
  await anItem(ada, first.query);
  await ok(ada.post(`/teams/${team}/webhooks`, { url: 'https://example.invalid' }));
  const second = await aWorkspace(ada, team);
  for (const { query } of [first, second]) await anItem(ada, query);
  await round();
  await round();
  // A workspace that is gone, and one that has nothing new.
  const due = "UPDATE webhook_states SET due_at = '2000-01-01', message_id = NULL, body = NULL";
  await sql(database.url, `${due} WHERE scope_id = $1`, [first.id]);
  await sql(database.url, `${due}, scope_id = gen_random_uuid() WHERE scope_id = $1`, [second.id]);
  // Which of the two comes first, and in which round, is not said.
  const isSent = () => [...proxy.seen.values()].some(({ name }) => name === FORGET);
  do await round();
  while (!isSent());
  await sql(
    database.url,
    "UPDATE team_members SET role = 'guest' WHERE team_id = (SELECT id FROM teams WHERE slug = $1)",
    [team],
  );
  await round();
  await round();
  // What a round has written about a webhook that is disabled now.
  await sql(
    database.url,
    `INSERT INTO webhook_states (team_id, webhook_id, scope_id, due_at)
     SELECT team_id, id, gen_random_uuid(), '2000-01-01' FROM webhooks WHERE NOT enabled`,
  );
  await round();
  // More than one look reads, of webhooks that are gone.
  await sql(
    database.url,
    `INSERT INTO webhook_states (team_id, webhook_id, scope_id, due_at)
     SELECT id, gen_random_uuid(), gen_random_uuid(), '2000-01-01' FROM teams, generate_series(1, 1000)
     WHERE slug = $1`,
    [team],
  );
  await service.advance(1_000);
  await sender.runRound();
  await sql(database.url, 'DELETE FROM webhook_states');
}

/** What an instance with a mail server sends: here one that is away, and invites that come and go. */
async function mailStatements(): Promise<void> {
  const mailing = await startStillService({ SMTP_URL: 'smtp://127.0.0.1:9' }, proxy.url);
  try {
    listenToPointReads(mailing);
    const outbox = mailing.provider<InviteOutbox>('InviteOutbox');
    const eve = mailing.as(somebody('Eve'));
    const team = await aTeam(eve);
    await anInvite(eve, team, 'one@example.com');
    await outbox.runRound();
    // Accepted for sending a moment ago: the next mail to the address is held for an hour.
    await sql(
      database.url,
      'INSERT INTO mail_sends (id, team_id, address, sender_id) SELECT id, team_id, email, invited_by FROM team_invites',
    );
    await sql(database.url, "UPDATE mail_outbox SET due_at = now() - interval '1 second'");
    await outbox.runRound();
    await sql(database.url, "UPDATE team_invites SET state = 'revoked'");
    await sql(database.url, "UPDATE mail_outbox SET due_at = now() - interval '1 second'");
    await outbox.runRound();
  } finally {
    await mailing.stop();
  }
}

/** Prisma writes a list of values in as many lengths as it comes in: the first stands for all. */
function ofOneLength(statements: readonly Executed[]): Executed[] {
  const known = new Map<string, Executed>();
  for (const statement of statements) {
    const shape = statement.text.replace(/\(\$\d+(,\$\d+)*\)/g, '($)').replace(/\$\d+/g, '$');
    if (!known.has(shape)) known.set(shape, statement);
  }
  return [...known.values()];
}

/** The room of src/ that sends it: by its name, or by the table where Prisma wrote it. */
const ROOMS: [room: string, labels: RegExp][] = [
  ['webhooks', /^webhook|Webhook/],
  ['audit', /^audit/],
  ['trash', /^trash/],
  ['changes', /^changes/],
  ['search', /^(search|pageIndex|pageSearch)/],
  ['versions', /^versions/],
  ['collections', /^(tree|items|apply)\.| collections$| \+ tree\./],
  ['workspaces', /^workspace(s|Members|Trash)\.| workspaces$| workspace_members$/],
  ['auth', /^users\.| users$/],
  ['idempotency', /idempotency|^keysPurge/],
  ['teams', /team|invite|outbox|mail/i],
  ['database', /./],
];
const roomOf = (label: string): string => ROOMS.find(([, labels]) => labels.test(label))?.[0] ?? '';

/** A statement as the golden files have it, without the indentation that all of its lines share. */
function entry(label: string, text: string): string {
  const lines = text
    .replace(/^\s*\n/, '')
    .trimEnd()
    .split('\n');
  const indent = Math.min(...lines.map((line) => line.search(/\S|$/)));
  return `-- ${label}\n${lines.map((line) => line.slice(indent)).join('\n')};\n`;
}

test('each operation costs the golden statements and round trips', () => {
  expectGolden('costs.json', costs);
});

test('a write about people and settings takes at most 5 round trips, with a key, too', () => {
  const expensive = Object.entries(costs).filter(
    ([name, { roundTrips }]) => isPeopleWrite(name) && roundTrips > 5,
  );
  expect(expensive.map(([name]) => name)).toEqual([]);
});

test('the statements that the service sends are the golden ones', () => {
  const single = ofOneLength(
    [...proxy.seen.values()].filter((sent) => !isCombined(sent) && sent.text !== DISCARD_PLANS),
  );
  const parts = together.flatMap((label) => label.split(' + '));
  const entries = new Set([
    ...single.map((sent) => entry(labelOf(sent), sent.text)),
    ...PARTS.filter(({ name }) => parts.includes(name)).map(({ name, text }) => entry(name, text)),
  ]);
  const rooms = new Map(ROOMS.map(([room]) => [room, [] as string[]]));
  for (const text of [...entries].sort()) {
    rooms.get(roomOf(text.slice(3, text.indexOf('\n'))))?.push(text);
  }
  for (const [room, texts] of rooms) expectGoldenText(`statements/${room}.sql`, texts.join('\n'));
  expectGoldenText('statements/together.txt', `${together.join('\n')}\n`);
});

test('the point reads, and how many rows each returns at most, are the golden ones', () => {
  const sorted = Object.entries(points).sort(([a], [b]) => (a < b ? -1 : 1));
  expectGolden('point-reads.json', Object.fromEntries(sorted));
});

test('reads that are sent together are their parts, joined, with parameters of their own', () => {
  const offenders = [...proxy.seen.values()].filter(isCombined).filter((statement) => {
    const parts = labelOf(statement).split(' + ');
    let joiner = plain(statement.text);
    for (const { name, text } of PARTS) {
      if (parts.includes(name)) joiner = joiner.replace(plain(text), '');
    }
    const joined = parts.map(
      (_, n) => `SELECT ${n} AS part, to_json(found) AS row FROM () AS found`,
    );
    const numbers = new Set([...statement.text.matchAll(/\$(\d+)/g)].map(([, n]) => Number(n)));
    return (
      joiner.replaceAll('( ', '(') !== joined.join(' UNION ALL ') ||
      Math.max(...numbers) !== numbers.size
    );
  });
  expect(offenders.map(({ text }) => text)).toEqual([]);
});

test('every statement that has a name in the sources is among them', () => {
  const src = new URL('../../src/', import.meta.url);
  const files = readdirSync(src, { recursive: true, encoding: 'utf8' });
  const named = files
    .filter((file) => /(repository|statements|purge)\.ts$/.test(file))
    .flatMap((file) => [
      ...readFileSync(new URL(file, src), 'utf8').matchAll(/name: '(\w+\.\w+)'/g),
    ])
    .map(([, name]) => name as string);
  expect(named.length).toBeGreaterThan(30);
  const sent = new Set(goldenStatements().map(({ label }) => label));
  expect(named.filter((name) => !sent.has(name))).toEqual([]);
});
