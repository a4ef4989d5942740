import { type Caller, somebody } from '../../support/app.js';
import { anItem, aTeam, aWorkspace, freshSlug, ok, type TeamBody } from '../../support/builders.js';
import { error } from '../../support/errors.js';
import { aMember, giveRole } from '../../support/members.js';
import { offenders } from '../../support/offenders.js';
import { scene } from '../../support/scene.js';
import { sql } from '../../support/sql.js';

interface WorkspaceBody {
  _id: string;
  name: string;
  meta: { slug: string };
  Visibility: string;
  access: string;
}

const at = scene({ env: { PLAN_LIMITS: '{"free":{"workspaces":12}}' }, each: 'team' });

const usage = async () => (await ok<TeamBody>(at.ada.get(`/teams/${at.team}`))).usage;

describe('POST /teams/{team_slug}/workspaces', () => {
  test('200 with the whole record and its defaults', async () => {
    const answer = await at.ada.post(`/teams/${at.team}/workspaces`, { name: 'Über Uns!' });
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      _id: expect.any(String),
      name: 'Über Uns!',
      description: '',
      archivedAt: null,
      defaultAccess: 'full',
      meta: { title: 'Über Uns!', description: '', slug: 'uber-uns' },
      Visibility: 'public',
      access: 'full',
      version: expect.any(String),
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
    });
    expect(await usage()).toMatchObject({ workspaces: 1 });
  });

  test('200: a member who makes it has full access, also where others may only read', async () => {
    const member = await aMember(at, at.team, 'member');
    const body = { name: 'Mine', defaultAccess: 'read-only' };
    const made = await ok<WorkspaceBody>(member.post(`/teams/${at.team}/workspaces`, body));
    expect(made.access).toBe('full');
    expect(await ok(member.get(`/teams/${at.team}/workspaces/${made.meta.slug}`))).toEqual(made);
  });

  test('200: every name gets a slug of 3 to 48 characters, a second one another', async () => {
    const wrong = await offenders(
      [['x'], ['🚀'], ['名前'], ['Handbook'], ['---'], ['щ'.repeat(32)]],
      async ([name]) => {
        const slugs = new Set<string>();
        for (let i = 0; i < 2; i++) {
          const made = await ok<WorkspaceBody>(
            at.ada.post(`/teams/${at.team}/workspaces`, { name }),
          );
          expect(made.meta.slug).toMatch(/^(?=.{3,48}$)[a-z0-9]+(?:-[a-z0-9]+)*$/);
          slugs.add(made.meta.slug);
        }
        expect(slugs.size).toBe(2);
      },
    );
    expect(wrong).toEqual([]);
  });

  test('400 for a body that is wrong', async () => {
    const wrong = await offenders(
      [
        [{}, 'name is required'],
        [{ name: 'x'.repeat(33) }, 'name must be 1 to 32 characters'],
        [{ name: 'A', description: null }, 'description must be a string'],
        [{ name: 'A', visibility: 'secret' }, 'visibility must be one of public, private'],
        [{ name: 'A', Visibility: 'private' }, 'did you mean visibility?'],
        [{ name: 'A', defaultAccess: 'readonly' }, 'defaultAccess must be one of full, read-only'],
        [{ name: 'A', visibility: null }, 'visibility must be one of'],
      ],
      async ([body, says]) => {
        const answer = await at.ada.post(`/teams/${at.team}/workspaces`, body);
        expect([answer.status, answer.body]).toEqual([400, error('bad_request', says)]);
      },
    );
    expect(wrong).toEqual([]);
  });

  test('403 for guests and for others', async () => {
    const guest = await aMember(at, at.team, 'guest');
    for (const caller of [guest, at.as(somebody())]) {
      expect((await caller.post(`/teams/${at.team}/workspaces`, { name: 'A' })).status).toBe(403);
    }
  });

  test('403 past the limit: 40 at once at a limit of 12 end in exactly 12', async () => {
    const answers = await Promise.all(
      Array.from({ length: 40 }, () =>
        at.ada.post(`/teams/${at.team}/workspaces`, { name: 'Same' }),
      ),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(12);
    const refused = answers.find(({ status }) => status !== 200);
    expect([refused?.status, refused?.body]).toEqual([403, error('forbidden', 'workspaces')]);
    expect(await usage()).toMatchObject({ workspaces: 12 });
  });
});

describe('GET /teams/{team_slug}/workspaces', () => {
  test('200 with what the caller can see, oldest first', async () => {
    const open = await aWorkspace(at.ada, at.team);
    const secret = await aWorkspace(at.ada, at.team, { visibility: 'private' });
    const last = await aWorkspace(at.ada, at.team, { defaultAccess: 'read-only' });
    const seenBy = async (caller: Caller) =>
      (await ok<WorkspaceBody[]>(caller.get(`/teams/${at.team}/workspaces`))).map(
        ({ _id, access }) => [_id, access],
      );
    expect(await seenBy(at.ada)).toEqual([
      [open.id, 'full'],
      [secret.id, 'full'],
      [last.id, 'full'],
    ]);
    const member = await aMember(at, at.team, 'member');
    expect(await seenBy(member)).toEqual([
      [open.id, 'full'],
      [last.id, 'read-only'],
    ]);
    await giveRole(at, secret.id, member, 'reader');
    await giveRole(at, last.id, member, 'editor');
    expect(await seenBy(member)).toEqual([
      [open.id, 'full'],
      [secret.id, 'read-only'],
      [last.id, 'full'],
    ]);
    const guest = await aMember(at, at.team, 'guest');
    expect(await seenBy(guest)).toEqual([]);
    const owner = await aMember(at, at.team, 'owner');
    expect((await seenBy(owner)).map(([id]) => id)).toEqual([open.id, last.id]);
  });

  test('200 with all that a guest can see, also after thousands that are hidden', async () => {
    await sql(
      at.databaseUrl,
      `INSERT INTO workspaces (team_id, id, slug, name, visibility)
       SELECT id, gen_random_uuid(), 'hidden-' || n, 'Hidden', 'public'
       FROM teams, generate_series(1, 5001) AS n WHERE slug = $1`,
      [at.team],
    );
    const workspace = await aWorkspace(at.ada, at.team);
    const guest = await aMember(at, at.team, 'guest');
    await giveRole(at, workspace.id, guest, 'reader');
    const seen = await ok<WorkspaceBody[]>(guest.get(`/teams/${at.team}/workspaces`));
    expect(seen.map(({ _id }) => _id)).toEqual([workspace.id]);
  });

  test('200 and [] where there are none, 403 for others, 404 for no team', async () => {
    expect(await ok(at.ada.get(`/teams/${at.team}/workspaces`))).toEqual([]);
    expect((await at.as(somebody()).get(`/teams/${at.team}/workspaces`)).status).toBe(403);
    expect((await at.ada.get('/teams/nobody/workspaces')).status).toBe(404);
  });
});

describe('a private workspace, and all inside it', () => {
  test('is to those who are not its members what an absent one is, byte for byte', async () => {
    const { slug, query, path } = await aWorkspace(at.ada, at.team, { visibility: 'private' });
    const { id } = await anItem(at.ada, query, { object: 'item' });
    const absentId = '01890000-0000-7000-8000-000000000000';
    const open = await aWorkspace(at.ada, at.team);
    const { id: mine } = await anItem(at.ada, open.query);
    for (const role of ['guest', 'member', 'moderator', 'owner'] as const) {
      const caller = await aMember(at, at.team, role);
      const both = (call: (slug: string, id: string) => PromiseLike<{ text: string }>) =>
        Promise.all([call(slug, id), call('absent', absentId)]);
      const calls: ((slug: string, id: string) => PromiseLike<{ text: string }>)[] = [
        (s) => caller.get(`/teams/${at.team}/workspaces/${s}`),
        (s) => caller.put(`/teams/${at.team}/workspaces/${s}`, { name: 'X' }),
        (s) => caller.delete(`/teams/${at.team}/workspaces/${s}`),
        (s) => caller.get(`/collections?team_slug=${at.team}&workspace_slug=${s}`),
        (s) => caller.post(`/collections?team_slug=${at.team}&workspace_slug=${s}`, {}),
        (s, i) =>
          caller.post(`/collections/reorder?team_slug=${at.team}&workspace_slug=${s}`, {
            id: i,
            index: 0,
          }),
        (_, i) => caller.get(`/collections/${i}`),
        (_, i) => caller.put(`/collections/${i}`, { name: 'X' }),
        (_, i) => caller.delete(`/collections/${i}`),
        ...(role === 'guest'
          ? []
          : [
              (_: string, i: string) => caller.post(`/collections${open.query}`, { parent: i }),
              (_: string, i: string) => caller.get(`/collections${open.query}&parent=${i}`),
              (_: string, i: string) =>
                caller.post(`/collections/reorder${open.query}`, {
                  id: mine,
                  index: 0,
                  newParent: i,
                }),
              (_: string, i: string) =>
                caller.post(`/collections/reorder${open.query}`, { id: i, index: 0 }),
            ]),
      ];
      for (const call of calls) {
        const [secret, absent] = await both(call);
        expect(secret.text).toBe(absent.text);
        expect(JSON.parse(secret.text)).toMatchObject({ error: { code: 'not_found' } });
      }
    }
    await ok(at.ada.get(path));
  });
});

describe('PUT /teams/{team_slug}/workspaces/{workspace_slug}', () => {
  test('200 changes what is named', async () => {
    const { path } = await aWorkspace(at.ada, at.team, { description: 'Old' });
    const slug = freshSlug();
    const changed = await ok<WorkspaceBody>(
      at.ada.put(path, { name: 'New', slug, visibility: 'private', defaultAccess: 'read-only' }),
    );
    expect(changed).toMatchObject({
      name: 'New',
      description: 'Old',
      Visibility: 'private',
      defaultAccess: 'read-only',
      access: 'full',
      meta: { title: 'New', description: 'Old', slug },
    });
    expect((await at.ada.get(path)).status).toBe(404);
    expect(await ok(at.ada.get(`/teams/${at.team}/workspaces/${slug}`))).toEqual(changed);
  });

  test('200 changes nothing for {}', async () => {
    const { path } = await aWorkspace(at.ada, at.team);
    const before = await ok(at.ada.get(path));
    expect(await ok(at.ada.put(path, {}))).toEqual(before);
    expect(await ok(at.ada.get(path))).toEqual(before);
  });

  test('200: a moderator who makes it private becomes an editor', async () => {
    const { path, id } = await aWorkspace(at.ada, at.team);
    const moderator = await aMember(at, at.team, 'moderator');
    await giveRole(at, id, moderator, 'reader');
    const changed = await ok(moderator.put(path, { visibility: 'private' }));
    expect(changed).toMatchObject({ access: 'full' });
    await ok(moderator.put(path, { name: 'Mine' }));
  });

  test('200: made private, it is for those who have a role in it, and made public for all', async () => {
    const { path, id } = await aWorkspace(at.ada, at.team);
    const [reader, member] = [
      await aMember(at, at.team, 'guest'),
      await aMember(at, at.team, 'member'),
    ];
    await giveRole(at, id, reader, 'reader');
    const access = async (caller: Caller) => {
      const { status, body } = await caller.get(path);
      return status === 200 ? body.access : status;
    };
    const accesses = async () => [await access(at.ada), await access(reader), await access(member)];
    await ok(at.ada.put(path, { visibility: 'private' }));
    expect(await accesses()).toEqual(['full', 'read-only', 404]);
    await ok(at.ada.put(path, { visibility: 'public', defaultAccess: 'read-only' }));
    expect(await accesses()).toEqual(['full', 'read-only', 'read-only']);
  });

  test('403 for a member without the role of editor, also with full access', async () => {
    const { path, id } = await aWorkspace(at.ada, at.team);
    const member = await aMember(at, at.team, 'member');
    const answer = await member.put(path, { name: 'X' });
    expect([answer.status, answer.body]).toEqual([403, error('forbidden', 'editor')]);
    await giveRole(at, id, member, 'editor');
    await ok(member.put(path, { name: 'X' }));
  });

  test('409 when the slug is taken in the team, 200 when it is in another', async () => {
    const { path } = await aWorkspace(at.ada, at.team);
    const other = await aWorkspace(at.ada, at.team);
    const answer = await at.ada.put(path, { slug: other.slug });
    expect([answer.status, answer.body]).toEqual([409, error('conflict', other.slug)]);
    const elsewhere = await aWorkspace(at.ada, await aTeam(at.ada), { name: 'Elsewhere' });
    await ok(at.ada.put(path, { slug: elsewhere.slug }));
  });

  test('400 for a body that is wrong', async () => {
    const wrong = await offenders(
      [[{ slug: 'x' }], [{ name: '' }], [{ description: 'x'.repeat(121) }]],
      async ([body]) => {
        const { path } = await aWorkspace(at.ada, at.team);
        expect((await at.ada.put(path, body)).status).toBe(400);
      },
    );
    expect(wrong).toEqual([]);
  });
});

describe('DELETE /teams/{team_slug}/workspaces/{workspace_slug}', () => {
  test('200 with a message; its pages and itself are off the usage', async () => {
    const { path, query } = await aWorkspace(at.ada, at.team);
    const parent = await anItem(at.ada, query);
    await anItem(at.ada, query, { parent: parent.id, object: 'item' });
    expect(await usage()).toEqual({ pages: 1, users: 1, workspaces: 1 });
    expect(await ok(at.ada.delete(path))).toEqual({ message: expect.any(String) });
    expect(await usage()).toEqual({ pages: 0, users: 1, workspaces: 0 });
    expect((await at.ada.delete(path)).status).toBe(404);
    expect((await at.ada.get(`/collections/${parent.id}`)).status).toBe(404);
  });

  test('403 for a member without the role of editor', async () => {
    const { path } = await aWorkspace(at.ada, at.team);
    const member = await aMember(at, at.team, 'member');
    expect((await member.delete(path)).status).toBe(403);
  });
});
