import { ERROR_STATUS } from '../../../src/errors/error-status.js';
import type { Retention } from '../../../src/jobs/retention.js';
import { type Caller, somebody, startServiceInside } from '../../support/app.js';
import { anItem, aTeam, aWorkspace, freshSlug, ok, type TeamBody } from '../../support/builders.js';
import { error } from '../../support/errors.js';
import { testInside } from '../../support/inside.js';
import { aMember, claiming, codeOf, giveRole, someone } from '../../support/members.js';
import { offenders } from '../../support/offenders.js';
import { scene } from '../../support/scene.js';
import { sql } from '../../support/sql.js';

const at = scene({ env: { CORS_ORIGINS: 'https://app.example.com' }, once: 'workspace' });

const KEY = 'idempotency-key';
let drawn = 0;
const freshKey = (): string => `key-${++drawn}`;

/** A POST under a key. */
const post = (caller: Caller, path: string, key: string, body?: object) =>
  caller.post(path, body).set(KEY, key);

const create = (caller: Caller, key: string, body: object = {}) =>
  post(caller, `/collections${at.query}`, key, body);

/** An error of the envelope; `says` is a part of its message. */
function expectError(
  { status, body }: { status: number; body: unknown },
  code: keyof typeof ERROR_STATUS,
  says: string,
): void {
  expect({ status, body }).toEqual({ status: ERROR_STATUS[code], body: error(code, says) });
}

const idOf = ({ body }: { body: { id?: string; _id?: string } }): string | undefined =>
  body.id ?? body._id;

describe('200, replayed', () => {
  test('the same answer, byte for byte, with Idempotent-Replayed', async () => {
    const key = freshKey();
    const body = { object: 'item', name: 'Ü "x"', content: { pi: 3.14, deep: [{ a: null }] } };
    const first = await create(at.ada, key, body);
    const second = await create(at.ada, key, body);
    expect([first.status, second.status]).toEqual([200, 200]);
    expect(second.text).toBe(first.text);
    expect(second.headers['content-type']).toBe(first.headers['content-type']);
    expect(first.headers).not.toHaveProperty('idempotent-replayed');
    expect(second.headers['idempotent-replayed']).toBe('true');
  });

  test('of an object as of a text: both are what was sent', async () => {
    const key = freshKey();
    const body = { name: 'Team', slug: freshSlug() };
    const first = await post(at.ada, '/teams', key, body);
    const second = await post(at.ada, '/teams', key, body);
    expect(second.text).toBe(first.text);
    expect(second.headers['content-type']).toBe(first.headers['content-type']);
  });

  test('of many items', async () => {
    const key = freshKey();
    const items = Array.from({ length: 500 }, (_, n) => ({ name: `Page ${n}`, object: 'item' }));
    const path = `/collections/batch${at.query}`;
    const first = await post(at.ada, path, key, { items });
    const second = await post(at.ada, path, key, { items });
    expect(first.body).toHaveLength(500);
    expect(second.text).toBe(first.text);
  });

  test('what was created may be gone since', async () => {
    const key = freshKey();
    const first = await create(at.ada, key);
    await ok(at.ada.delete(`/collections/${idOf(first)}`));
    expect((await create(at.ada, key)).text).toBe(first.text);
  });

  test('a move that changed nothing is a success, too: it is not made later', async () => {
    const [one, two] = [await anItem(at.ada, at.query), await anItem(at.ada, at.query)];
    const key = freshKey();
    const path = `/collections/reorder${at.query}`;
    const move = { id: two.id, index: 1_000_000 };
    await ok(post(at.ada, path, key, move));
    await ok(at.ada.post(path, { id: one.id, index: 1_000_000 }));
    const before = (await at.ada.get(`/collections${at.query}`)).text;
    expect((await post(at.ada, path, key, move)).headers['idempotent-replayed']).toBe('true');
    expect((await at.ada.get(`/collections${at.query}`)).text).toBe(before);
  });

  test('one pair of quotes is taken off the key', async () => {
    const first = await create(at.ada, '"quoted"');
    expect(idOf(await create(at.ada, 'quoted'))).toBe(idOf(first));
    expect(idOf(await create(at.ada, '""quoted""'))).not.toBe(idOf(first));
  });

  test('the longest key, of the strangest characters', async () => {
    const key = '!~,;:\\/?=&%#@'.padEnd(255, 'x');
    const first = await create(at.ada, key);
    expect(first.status).toBe(200);
    expect(idOf(await create(at.ada, key))).toBe(idOf(first));
  });
});

describe('another request', () => {
  test('of another person: keys are the caller’s own', async () => {
    const key = freshKey();
    const other = await aMember(at, at.team, 'member');
    const [first, second] = [await create(at.ada, key), await create(other, key)];
    expect([first.status, second.status]).toEqual([200, 200]);
    expect(idOf(second)).not.toBe(idOf(first));
  });

  test('422 with another body', async () => {
    const key = freshKey();
    await ok(create(at.ada, key, { name: 'One' }));
    expectError(
      await create(at.ada, key, { name: 'Two' }),
      'unprocessable_entity',
      'Idempotency-Key',
    );
  });

  test('422 with other bytes of the same value, and with no body at all', async () => {
    const key = freshKey();
    const path = `/teams/${at.team}/invite-code`;
    await ok(post(at.ada, path, key));
    expectError(await post(at.ada, path, key, {}), 'unprocessable_entity', 'Idempotency-Key');
  });

  test('422 at another path, and with another query', async () => {
    const key = freshKey();
    await ok(create(at.ada, key));
    const paths = [
      `${at.workspace.path}/collections`,
      `/collections${at.query}&x=1`,
      `/collections/reorder${at.query}`,
      '/teams',
    ];
    for (const path of paths) {
      expectError(await post(at.ada, path, key, {}), 'unprocessable_entity', 'Idempotency-Key');
    }
  });
});

describe('errors are not kept', () => {
  test('a refused write: the same request succeeds once it can', async () => {
    const key = freshKey();
    const other = await aTeam(at.ada);
    const body = { name: 'Team', slug: other };
    expectError(await post(at.ada, '/teams', key, body), 'conflict', 'slug');
    await ok(at.ada.put(`/teams/${other}`, { slug: freshSlug() }));
    const { status, headers } = await post(at.ada, '/teams', key, body);
    expect(status).toBe(200);
    expect(headers).not.toHaveProperty('idempotent-replayed');
  });

  test('a refused command of the tree, and a malformed request', async () => {
    const key = freshKey();
    const page = await anItem(at.ada, at.query, { object: 'item' });
    expectError(await create(at.ada, key, { parent: page.id }), 'unprocessable_entity', 'parent');
    expectError(await create(at.ada, key, { nam: 'x' }), 'bad_request', 'nam');
    expect((await create(at.ada, key)).status).toBe(200);
  });
});

describe('400', () => {
  test('a key that is malformed', async () => {
    const wrong = await offenders(
      [
        ['empty', ''],
        ['empty in quotes', '""'],
        ['256 characters', 'x'.repeat(256)],
        ['a space', 'a b'],
        ['not ASCII', 'caf\u00e9'],
        ['a tab', 'a\tb'],
      ],
      async ([, key]) => {
        expectError(
          await create(at.ada, key),
          'bad_request',
          'Idempotency-Key must be 1 to 255 visible',
        );
      },
    );
    expect(wrong).toEqual([]);
  });

  test('other methods ignore the header', async () => {
    const { status } = await at.ada.get('/teams').set(KEY, 'a b');
    expect(status).toBe(200);
    const item = await anItem(at.ada, at.query);
    const key = freshKey();
    for (const name of ['One', 'Two']) {
      const { body } = await at.ada.put(`/collections/${item.id}`, { name }).set(KEY, key);
      expect(body).toHaveProperty('name', name);
    }
  });
});

describe('a slug that names another one since is another request', () => {
  /** A team with a workspace and an item of its own. */
  async function aPlace() {
    const slug = freshSlug();
    const { _id } = await ok<TeamBody>(at.ada.post('/teams', { name: 'Team', slug }));
    const { slug: within } = await aWorkspace(at.ada, slug, { name: 'Docs' });
    const query = `team_slug=${slug}&workspace_slug=${within}`;
    const { id } = await anItem(at.ada, `?${query}`);
    return { slug, _id, id, long: `/teams/${slug}/workspaces/${within}`, query };
  }
  type Place = Awaited<ReturnType<typeof aPlace>>;
  const count = async (table: string): Promise<number> => {
    const [row] = await sql<{ n: number }>(
      at.databaseUrl,
      `SELECT count(*)::int AS n FROM ${table}`,
    );
    return row?.n ?? 0;
  };
  const counts = () =>
    Promise.all(['workspaces', 'workspace_members', 'team_invites', 'collections'].map(count));

  const ofWorkspace: [string, (place: Place) => [string, object]][] = [
    ['createCollection', ({ query }) => [`/collections?${query}`, {}]],
    ['createCollection, long form', ({ long }) => [`${long}/collections`, {}]],
    ['createCollections', ({ query }) => [`/collections/batch?${query}`, { items: [{}] }]],
    ['reorderItem', ({ query, id }) => [`/collections/reorder?${query}`, { id, index: 0 }]],
    [
      'createCollection by teamId',
      ({ _id }) => [`/collections?teamId=${_id}&workspace_slug=docs`, {}],
    ],
    ['addWorkspaceMembers', ({ long }) => [`${long}/members`, []]],
  ];
  const ofTeam: [string, (place: Place) => [string, object]][] = [
    ...ofWorkspace.filter(([name]) => !name.endsWith('teamId')),
    ['createWorkspace', ({ slug }) => [`/teams/${slug}/workspaces`, { name: 'More' }]],
    ['renewInviteCode', ({ slug }) => [`/teams/${slug}/invite-code`, {}]],
    [
      'sendTeamInvites',
      ({ slug }) => [
        `/teams/${slug}/invites`,
        { invites: [{ email: 'grace@example.com', role: 'member' }] },
      ],
    ],
  ];

  /** What the request of a scene sends; addWorkspaceMembers names a member. */
  async function sendsOf(scene: (place: Place) => [string, object]) {
    const place = await aPlace();
    const [path, body] = scene(place);
    const member = path.endsWith('/members') ? await aMember(at, place.slug, 'member') : null;
    const given = member ? [{ email: member.person.email, role: 'reader' }] : body;
    const key = freshKey();
    return { place, send: () => post(at.ada, path, key, given) };
  }

  async function expectRefused(send: () => ReturnType<typeof post>): Promise<void> {
    const before = await counts();
    const answer = await send();
    expectError(answer, 'unprocessable_entity', 'the Idempotency-Key was used for another request');
    expect(await counts()).toEqual(before);
  }

  test('422 where the workspace’s does', async () => {
    const wrong = await offenders(ofWorkspace, async ([, scene]) => {
      const { place, send } = await sendsOf(scene);
      const first = await ok(send());
      await ok(at.ada.put(place.long, { slug: freshSlug() }));
      const other = await aWorkspace(at.ada, place.slug, { name: 'Docs' });
      expect(other.path).toBe(place.long);
      await expectRefused(send);
      // The first one is found again under its own slug.
      await ok(at.ada.put(other.path, { slug: freshSlug() }));
      const all = await ok<{ _id: string; meta: { slug: string } }[]>(
        at.ada.get(`/teams/${place.slug}/workspaces`),
      );
      const own = all.find(({ _id }) => _id !== other.id)?.meta.slug;
      await ok(at.ada.put(`/teams/${place.slug}/workspaces/${own}`, { slug: 'docs' }));
      expect(await ok(send())).toEqual(first);
    });
    expect(wrong).toEqual([]);
  });

  test('422 where the team’s does', async () => {
    const wrong = await offenders(ofTeam, async ([, scene]) => {
      const { place, send } = await sendsOf(scene);
      await ok(send());
      await ok(at.ada.put(`/teams/${place.slug}`, { slug: freshSlug() }));
      await ok(at.ada.post('/teams', { name: 'Other', slug: place.slug }));
      await aWorkspace(at.ada, place.slug, { name: 'Docs' });
      await expectRefused(send);
    });
    expect(wrong).toEqual([]);
  });

  test('404 where the other workspace is hidden from the caller', async () => {
    const place = await aPlace();
    const member = await aMember(at, place.slug, 'member');
    const key = freshKey();
    const send = () => post(member, `/collections?${place.query}`, key, {});
    await ok(send());
    await ok(at.ada.put(place.long, { slug: freshSlug() }));
    await aWorkspace(at.ada, place.slug, { name: 'Docs', visibility: 'private' });
    expectError(await send(), 'not_found', 'workspace not found');
  });

  testInside('a key that an older version has kept is replayed as before', async () => {
    const key = freshKey();
    const first = await create(at.ada, key);
    await sql(
      at.databaseUrl,
      'UPDATE idempotency_keys SET team_id = NULL, workspace_id = NULL WHERE key = $1',
      [key],
    );
    expect((await create(at.ada, key)).text).toBe(first.text);
  });
});

describe('an answer of more than 64 KiB', () => {
  // Its bytes count, not its characters.
  const LONG = { text: 'é'.repeat(32 * 1024) };
  const bytesOf = async (key: string): Promise<number> => {
    const [row] = await sql<{ n: number }>(
      at.databaseUrl,
      'SELECT octet_length(answer) AS n FROM idempotency_keys WHERE key = $1',
      [key],
    );
    return row?.n ?? 0;
  };
  const aLongPage = (key: string) =>
    create(at.ada, key, { object: 'item', name: '"content":', content: LONG });

  test('is kept without its content, and replayed with it', async () => {
    const key = freshKey();
    const first = await aLongPage(key);
    expect(await bytesOf(key)).toBeLessThan(1024);
    const second = await aLongPage(key);
    expect(second.headers['idempotent-replayed']).toBe('true');
    expect(second.text).toBe(first.text);
  });

  test('one of 64 KiB is kept whole', async () => {
    const key = freshKey();
    const page = (text: string, name: string) => ({ object: 'item', name, content: { text } });
    const shortest = await create(at.ada, freshKey(), page('', 'Long 1'));
    const text = 'x'.repeat(64 * 1024 - Buffer.byteLength(shortest.text));
    const send = () => create(at.ada, key, page(text, 'Long 2'));
    const first = await send();
    expect(await bytesOf(key)).toBe(64 * 1024);
    expect((await send()).text).toBe(first.text);
  });

  test('is replayed with the content as it is now, and without it where the page is gone', async () => {
    const key = freshKey();
    const { content, ...record } = await ok<{ id: string; content: object }>(aLongPage(key));
    expect(content).toEqual(LONG);
    await ok(at.ada.put(`/collections/${record.id}`, { content: { text: 'new' } }));
    expect(await ok(aLongPage(key))).toEqual({ ...record, content: { text: 'new' } });
    await ok(at.ada.delete(`/collections/${record.id}`));
    expect(await ok(aLongPage(key))).toEqual(record);
  });

  test('is not that of a batch, which has no content: 1 KiB an item is kept', async () => {
    const key = freshKey();
    // The longest name that there is: each character takes six bytes in JSON.
    const name = `${'\u0001'.repeat(31)}x`;
    const items = Array.from({ length: 20 }, () => ({ name, object: 'item', content: LONG }));
    await ok(post(at.ada, `/collections/batch${at.query}`, key, { items }));
    expect((await bytesOf(key)) / items.length).toBeLessThan(1024);
  });
});

describe('a right that was revoked wins', () => {
  test('403: no member of the team any more', async () => {
    const member = await aMember(at, at.team, 'member');
    const path = `/teams/${at.team}/workspaces`;
    const key = freshKey();
    await ok(post(member, path, key, { name: 'Mine' }));
    await ok(at.ada.delete(`/teams/${at.team}/members`, { userId: member.id }));
    expectError(await post(member, path, key, { name: 'Mine' }), 'forbidden', '');
    const short = freshKey();
    expectError(await create(member, short), 'forbidden', '');
  });

  test('404: the workspace is private now, and the caller is not in it', async () => {
    const { query, path, id } = await aWorkspace(at.ada, at.team);
    const member = await aMember(at, at.team, 'member');
    const key = freshKey();
    const send = () => post(member, `/collections${query}`, key, {});
    const first = await ok<{ id: string }>(send());
    await ok(at.ada.put(path, { visibility: 'private' }));
    expectError(await send(), 'not_found', 'workspace not found');
    // To read is enough.
    await giveRole(at, id, member, 'reader');
    expect(idOf(await send())).toBe(first.id);
  });

  test('an invite code that the caller may see no longer is empty', async () => {
    const member = await aMember(at, at.team, 'moderator');
    const key = freshKey();
    const renew = () => post(member, `/teams/${at.team}/invite-code`, key);
    const first = await ok<TeamBody>(renew());
    expect(first.inviteCode).toBe(await codeOf(at.ada, at.team));
    await ok(at.ada.put(`/teams/${at.team}/members`, { userId: member.id, role: 'member' }));
    expect(await ok(renew())).toEqual({ ...first, inviteCode: '' });
  });

  test('403: invites are for those who may read them', async () => {
    const member = await aMember(at, at.team, 'moderator');
    const key = freshKey();
    const invites = [{ email: `${freshSlug()}@example.com`, role: 'member' }];
    const send = () => post(member, `/teams/${at.team}/invites`, key, { invites });
    const first = await ok(send());
    const setRole = (role: string) =>
      ok(at.ada.put(`/teams/${at.team}/members`, { userId: member.id, role }));
    await setRole('member');
    expectError(await send(), 'forbidden', 'moderator');
    await setRole('moderator');
    expect(await ok(send())).toEqual(first);
  });

  test('an invite code of a team that the caller has left is empty', async () => {
    const member = await someone(at);
    const key = freshKey();
    const body = { name: 'Team', slug: freshSlug() };
    const first = await ok<TeamBody>(post(member, '/teams', key, body));
    const heir = await aMember(at, body.slug, 'owner');
    await ok(heir.delete(`/teams/${body.slug}/members`, { userId: member.id }));
    expect(first.inviteCode).toHaveLength(24);
    expect(await ok(post(member, '/teams', key, body))).toEqual({ ...first, inviteCode: '' });
  });

  test('403: the token is narrowed', async () => {
    const person = somebody();
    const key = freshKey();
    const body = { name: 'Team', slug: freshSlug() };
    await ok(post(at.as(person), '/teams', key, body));
    const narrowed = claiming(at, person, { scope: 'teamspaces:write' });
    expectError(await post(narrowed, '/teams', key, body), 'forbidden', 'teamspaces:manage');
  });
});

describe('24 hours', () => {
  const grow = (key: string, hours: number) =>
    sql(
      at.databaseUrl,
      `UPDATE idempotency_keys SET created_at = created_at - $2 * interval '1 hour' WHERE key = $1`,
      [key, hours],
    );
  const kept = async (key: string): Promise<number> =>
    (await sql(at.databaseUrl, 'SELECT 1 FROM idempotency_keys WHERE key = $1', [key])).length;

  test('an older key counts as absent, in the tree and elsewhere', async () => {
    const [ofTree, ofTeam] = [freshKey(), freshKey()];
    const path = `/teams/${at.team}/workspaces`;
    const sends = [
      () => create(at.ada, ofTree, { name: 'Again' }),
      () => post(at.ada, path, ofTeam, { name: 'Again' }),
    ];
    for (const [n, key] of [ofTree, ofTeam].entries()) {
      const send = sends[n] as () => ReturnType<typeof create>;
      const first = await send();
      await grow(key, 23.9);
      expect(idOf(await send())).toBe(idOf(first));
      await grow(key, 0.2);
      const second = await send();
      expect(second.status).toBe(200);
      expect(idOf(second)).not.toBe(idOf(first));
      expect((await send()).text).toBe(second.text);
    }
  });

  test('an older key is taken by another request, which is replayed from then on', async () => {
    const key = freshKey();
    const aCopy = async (team: string, operation: string) => {
      const [from, to] = [await aWorkspace(at.ada, team), await aWorkspace(at.ada, team)];
      const { id } = await anItem(at.ada, from.query);
      return () =>
        post(at.ada, `/collections/${id}/${operation}`, key, { workspace_slug: to.slug });
    };
    const sendOld = await aCopy(at.team, 'duplicate');
    const send = await aCopy(await aTeam(at.ada), 'transfer');
    await ok(sendOld());
    expectError(await send(), 'unprocessable_entity', 'Idempotency-Key');
    await grow(key, 24.1);
    const first = await send();
    const second = await send();
    expect([first.status, second.status, second.text]).toEqual([200, 200, first.text]);
    expect(second.headers['idempotent-replayed']).toBe('true');
    expectError(await sendOld(), 'unprocessable_entity', 'Idempotency-Key');
  });

  testInside('the recurring job clears expired keys, and no others', async () => {
    const [old, young] = [freshKey(), freshKey()];
    await ok(create(at.ada, old));
    await ok(create(at.ada, young));
    await grow(old, 25);
    await grow(young, 23.9);
    // More than the job deletes at once.
    await sql(
      at.databaseUrl,
      `INSERT INTO idempotency_keys (user_id, key, operation, fingerprint, answer, created_at)
       SELECT user_id, key || n, operation, fingerprint, answer, created_at
       FROM idempotency_keys, generate_series(1, 2500) AS n WHERE key = $1`,
      [old],
    );
    const inside = await startServiceInside({}, at.databaseUrl);
    await inside.provider<Retention>('Retention').runRound();
    await inside.stop();
    expect([await kept(old), await kept(`${old}2500`), await kept(young)]).toEqual([0, 0, 1]);
    const expired = "SELECT FROM idempotency_keys WHERE created_at < now() - interval '24 hours'";
    expect(await sql(at.databaseUrl, expired)).toEqual([]);
  });
});

test('browsers may send the key and read whether an answer was replayed', async () => {
  const origin = 'https://app.example.com';
  const key = freshKey();
  await ok(create(at.ada, key));
  const { headers } = await create(at.ada, key).set('origin', origin);
  expect(headers['access-control-expose-headers']).toMatch(/Idempotent-Replayed/);
});
