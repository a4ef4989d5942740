import { auditLog } from '../../support/audit.js';
import { aTeam, aWorkspace, ok } from '../../support/builders.js';
import { changedBehindLock } from '../../support/locks.js';
import { aMember, type Known } from '../../support/members.js';
import { WEBHOOK_ENV, type WebhookBody } from '../../support/receiver.js';
import { scene } from '../../support/scene.js';
import { dumpOf, sql } from '../../support/sql.js';

const at = scene({ env: WEBHOOK_ENV, each: 'team' });

const URL = 'https://user-hooks.example/path?token=s3cret';
const path = (id = '') => `/teams/${at.team}/webhooks${id && `/${id}`}`;
const create = (body: object = {}) => at.ada.post(path(), { url: URL, ...body });
const made = (body: object = {}) => ok<WebhookBody>(create(body));
const NOWHERE = '019a3f0e-6c1f-7cc3-9d0b-000000000000';

describe('POST /teams/{team_slug}/webhooks', () => {
  test('200 with the secret, which nothing shows again', async () => {
    const webhook = await made();
    expect(webhook).toMatchObject({
      url: URL,
      events: ['workspace.changed', 'team.changed'],
      workspaces: null,
      enabled: true,
      disabledBecause: null,
      secret: expect.stringMatching(/^whsec_[\w+/]{43}=$/),
    });
    const shown = { ...webhook, secret: '' };
    expect(await ok(at.ada.get(path(webhook._id)))).toEqual(shown);
    expect(await ok(at.ada.get(path()))).toEqual([shown]);
    expect(await ok(at.ada.put(path(webhook._id), { events: ['team.changed'] }))).toMatchObject({
      secret: '',
      events: ['team.changed'],
    });
  });

  test('a replay has no secret', async () => {
    const key = `key-${Math.random()}`;
    const first = await ok<WebhookBody>(create().set('idempotency-key', key));
    const second = await create().set('idempotency-key', key);
    expect(second.headers['idempotent-replayed']).toBe('true');
    expect(second.body).toEqual({ ...first, secret: '' });
    expect(await ok<unknown[]>(at.ada.get(path()))).toHaveLength(1);
  });

  test('403 for a replay by somebody who owns the team no more', async () => {
    const eve = await aMember(at, at.team, 'owner');
    const webhook = await made();
    const calls = [
      [path(), { url: URL }],
      [`${path(webhook._id)}/secret`, undefined],
      [`${path(webhook._id)}/test`, undefined],
    ] as const;
    const statuses = async () => {
      const found: number[] = [];
      for (const [n, [to, body]] of calls.entries()) {
        found.push((await eve.post(to, body).set('idempotency-key', `owner-${n}`)).status);
      }
      return found;
    };
    expect(await statuses()).toEqual([200, 200, 200]);
    expect(await statuses()).toEqual([200, 200, 200]);
    await ok(at.ada.put(`/teams/${at.team}/members`, { userId: eve.id, role: 'moderator' }));
    expect(await statuses()).toEqual([403, 403, 403]);
  });

  test('names workspaces by their slugs, as far as the caller can see them', async () => {
    const [one, two] = [await aWorkspace(at.ada, at.team), await aWorkspace(at.ada, at.team)];
    const webhook = await made({ workspaces: [two.slug, one.slug] });
    expect(webhook.workspaces).toEqual([one.slug, two.slug]);
    await ok(at.ada.put(two.path, { slug: `${two.slug}-renamed` }));
    await ok(at.ada.delete(one.path));
    const { workspaces } = await ok<WebhookBody>(at.ada.get(path(webhook._id)));
    expect(workspaces).toEqual([`${two.slug}-renamed`]);
    const all = await ok<WebhookBody>(at.ada.put(path(webhook._id), { workspaces: null }));
    expect(all.workspaces).toBeNull();
  });

  test.each([
    { url: undefined },
    { url: 'example.com' },
    { url: 'http://example.com' },
    { url: 'https://user:password@example.com' },
    { url: 'https://10.0.0.1' },
    { url: 'https://[64:ff9b::a00:1]' },
    { url: `https://example.com/${'x'.repeat(2048)}` },
    // Longer than that in its normal form.
    { url: `https://example.com/${'é'.repeat(400)}` },
    { events: [] },
    { events: ['page.changed'] },
    { events: ['team.changed', 'team.changed'] },
    { workspaces: [] },
    { workspaces: 'docs' },
    { secret: 'mine' },
    { enabled: false },
  ])('400: %j', async (body) => {
    expect((await create(body)).status).toBe(400);
  });

  test.each([
    [
      'http://receiver.internal:8080/hooks',
      'url must begin with https://, or with http:// if the operator lists its host in WEBHOOK_ALLOWED_HOSTS',
    ],
    [
      'https://192.168.1.1:8443/hooks',
      'url must not contain an address that is not public, unless the operator lists it in WEBHOOK_ALLOWED_HOSTS',
    ],
  ])('400 for %s says who can allow it', async (url, message) => {
    const { status, body } = await create({ url });
    expect([status, body.error.message]).toEqual([400, message]);
  });

  test('403 for those who do not own the team, in reads, too', async () => {
    const mia = await aMember(at, at.team, 'moderator');
    const { _id } = await made();
    for (const call of [
      mia.post(path(), { url: URL }),
      mia.get(path()),
      mia.get(path(_id)),
      mia.put(path(_id), { enabled: false }),
      mia.delete(path(_id)),
      mia.post(`${path(_id)}/secret`),
      mia.post(`${path(_id)}/test`),
      mia.get(`${path(_id)}/deliveries`),
    ]) {
      expect((await call).status).toBe(403);
    }
  });

  test('403 for an owner who is demoted while the request waits for its turn', async () => {
    const { _id } = await made();
    const calls: ((owner: Known) => PromiseLike<{ status: number }>)[] = [
      (owner) => owner.post(path(), { url: URL }),
      (owner) => owner.put(path(_id), { enabled: false }),
      (owner) => owner.delete(path(_id)),
    ];
    const demote = "UPDATE team_members SET role = 'moderator' WHERE user_id = $1";
    for (const call of calls) {
      const owner = await aMember(at, at.team, 'owner');
      const { status } = await changedBehindLock(at, at.team, () => call(owner), demote, [
        owner.id,
      ]);
      expect(status).toBe(403);
    }
    expect(await ok(at.ada.get(path()))).toMatchObject([{ _id, enabled: true }]);
  });

  test('403 at 20 webhooks, also for many at once', async () => {
    const statuses = await Promise.all(Array.from({ length: 25 }, () => create()));
    expect(statuses.filter(({ status }) => status === 200)).toHaveLength(20);
    expect(statuses.filter(({ status }) => status === 403)).toHaveLength(5);
    // One that is disabled counts, too; one that is deleted does not.
    const [first] = await ok<WebhookBody[]>(at.ada.get(path()));
    await ok(at.ada.put(path(first?._id), { enabled: false }));
    expect((await create()).status).toBe(403);
    await ok(at.ada.delete(path(first?._id)));
    expect((await create()).status).toBe(200);
  });

  test('404 for a workspace that the caller cannot see, as for one that does not exist', async () => {
    const eve = await aMember(at, at.team, 'owner');
    const hidden = await aWorkspace(eve, at.team, { visibility: 'private' });
    const [one, other] = [
      await create({ workspaces: [hidden.slug] }),
      await create({ workspaces: ['no-such-thing'] }),
    ];
    expect([one.status, one.text]).toEqual([404, other.text]);
  });
});

describe.each([
  ['GET', ''],
  ['PUT', ''],
  ['DELETE', ''],
  ['POST', '/secret'],
  ['POST', '/test'],
  ['GET', '/deliveries'],
])('%s /teams/{team_slug}/webhooks/{webhook_id}%s', (method, end) => {
  const send = (id: string) => {
    const url = `${path(id)}${end}`;
    if (method === 'GET') return at.ada.get(url);
    if (method === 'PUT') return at.ada.put(url, {});
    return method === 'POST' ? at.ada.post(url) : at.ada.delete(url);
  };

  test('404 for one of another team, and for none', async () => {
    const other = await aTeam(at.ada);
    const { _id } = await ok<WebhookBody>(at.ada.post(`/teams/${other}/webhooks`, { url: URL }));
    for (const id of [_id, NOWHERE, 'nonsense']) expect((await send(id)).status).toBe(404);
  });
});

describe('PUT /teams/{team_slug}/webhooks/{webhook_id}', () => {
  test('200 for no change, which records nothing', async () => {
    const webhook = await made();
    await ok(at.ada.put(path(webhook._id), {}));
    await ok(at.ada.put(path(webhook._id), { url: URL, events: [...webhook.events].reverse() }));
    expect(await auditLog(at.ada, at.team, '&action=webhook.updated')).toEqual([]);
  });

  test('the URL is kept in its normal form; what is the same URL changes nothing, also if it was stored as it was written', async () => {
    const typed = 'HTTPS://Example.COM:443/a/../hooks?x=é';
    const { _id, url } = await ok<WebhookBody>(create({ url: typed }));
    expect(url).toBe('https://example.com/hooks?x=%C3%A9');
    const updates = () => auditLog(at.ada, at.team, '&action=webhook.updated');
    const change = (to: string) => ok<WebhookBody>(at.ada.put(path(_id), { url: to }));
    await change(typed);
    expect(await updates()).toEqual([]);
    // As 0.2.0 has stored it.
    await sql(at.databaseUrl, 'UPDATE webhooks SET url = $2 WHERE id = $1', [_id, typed]);
    expect((await change(url)).url).toBe(typed);
    expect(await updates()).toEqual([]);
    expect((await change('https://example.com')).url).toBe('https://example.com/');
    expect(await updates()).toHaveLength(1);
  });

  test('400 for an address that is not public', async () => {
    const { _id } = await made();
    expect((await at.ada.put(path(_id), { url: 'https://192.168.1.1' })).status).toBe(400);
  });
});

describe('POST /teams/{team_slug}/webhooks/{webhook_id}/test', () => {
  test('409 for a disabled webhook', async () => {
    const { _id } = await made();
    await ok(at.ada.put(path(_id), { enabled: false }));
    expect((await at.ada.post(`${path(_id)}/test`)).status).toBe(409);
  });
});

test('GET /teams/{team_slug}/webhooks/{webhook_id}/deliveries shows the last 100; they go with the webhook', async () => {
  const [{ _id }, other] = [await made(), await made()];
  await sql(
    at.databaseUrl,
    `INSERT INTO webhook_deliveries (team_id, webhook_id, id, at, message_id, event, status)
     SELECT team_id, id, ('00000000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, now(), n || ' ' || id,
       'webhook.test', '200'
     FROM webhooks, generate_series(1, 101) AS n WHERE id = ANY ($1::uuid[])`,
    [[_id, other._id]],
  );
  const deliveries = await ok<{ id: string }[]>(at.ada.get(`${path(_id)}/deliveries`));
  const ids = Array.from({ length: 100 }, (_, n) => `${101 - n} ${_id}`);
  expect(deliveries.map(({ id }) => id)).toEqual(ids);
  await ok(at.ada.delete(path(_id)));
  const left =
    'SELECT DISTINCT webhook_id AS id FROM webhook_deliveries WHERE webhook_id = ANY ($1)';
  expect(await sql(at.databaseUrl, left, [[_id, other._id]])).toEqual([{ id: other._id }]);
});

test('the secret is in no table, and the audit log has the URL without its query', async () => {
  const webhook = await ok<WebhookBody>(create().set('idempotency-key', `k-${Math.random()}`));
  await ok(at.ada.post(`${path(webhook._id)}/secret`).set('idempotency-key', `k-${Math.random()}`));
  await ok(at.ada.delete(path(webhook._id)));
  const dump = await dumpOf(at.databaseUrl);
  expect(dump).toContain(webhook._id);
  for (const secret of [webhook.secret.slice(6), 'whsec_']) expect(dump).not.toContain(secret);
  const entries = await auditLog(at.ada, at.team);
  expect(entries.slice(0, 3).map(({ action, target }) => [action, target.name])).toEqual(
    ['deleted', 'secret_renewed', 'created'].map((what) => [
      `webhook.${what}`,
      'https://user-hooks.example/path',
    ]),
  );
});

describe('without WEBHOOK_KEY', () => {
  const without = scene({ each: 'team' });

  test('403 says what is missing', async () => {
    const { status, body } = await without.ada.post(`/teams/${without.team}/webhooks`, {
      url: 'https://example.com',
    });
    expect([status, body.error.message]).toEqual([
      403,
      'this service has no webhooks: its operator sets WEBHOOK_KEY',
    ]);
    expect((await without.ada.get(`/teams/${without.team}/webhooks`)).status).toBe(403);
  });
});
