import type { Response } from 'supertest';
import { auditLog, type EntryBody } from '../../support/audit.js';
import { anItem, aTeam, aWorkspace, ok } from '../../support/builders.js';
import {
  aMember,
  anInvite,
  claiming,
  giveRole,
  type Known,
  rolesIn,
  someone,
} from '../../support/members.js';
import { offenders } from '../../support/offenders.js';
import { scene } from '../../support/scene.js';
import { sql } from '../../support/sql.js';

const env = { RATE_LIMIT_PER_MINUTE: '0', PLAN_LIMITS: '{"free":{"users":0,"workspaces":0}}' };
const at = scene({ env, verify: true, each: 'team' });

const path = (query = '') => `/teams/${at.team}/audit-log${query}`;
const actions = (entries: EntryBody[]) => entries.map(({ action }) => action);
const setRole = (userId: string, role: string) =>
  at.ada.put(`/teams/${at.team}/members`, { userId, role });

describe('GET /teams/{team_slug}/audit-log', () => {
  describe('200', () => {
    test('newest first, in pages that a Link header leads through', async () => {
      for (let n = 0; n < 4; n++) await ok(at.ada.put(`/teams/${at.team}`, { name: `Name ${n}` }));
      const all = await auditLog(at.ada, at.team);
      expect(actions(all)).toEqual([...Array(4).fill('team.updated'), 'team.created']);
      const read: EntryBody[] = [];
      let next: string | undefined = path('?limit=2');
      const lengths: number[] = [];
      while (next) {
        const { body, headers }: Response = await at.ada.get(next).expect(200);
        read.push(...body);
        lengths.push(body.length);
        next = /<http:\/\/localhost:3000([^>]+)>; rel="next"/.exec(headers.link ?? '')?.[1];
      }
      expect(lengths).toEqual([2, 2, 1]);
      expect(read).toEqual(all);
    });

    test('100 entries without limit', async () => {
      await sql(
        at.databaseUrl,
        `INSERT INTO audit_entries (team_id, id, action, target_type, target_id, details)
         SELECT id, gen_random_uuid(), 'team.updated', 'team', id, '{}'
         FROM teams, generate_series(1, 150) WHERE slug = $1`,
        [at.team],
      );
      const { body, headers } = await at.ada.get(path()).expect(200);
      expect(body).toHaveLength(100);
      expect(headers.link).toContain('rel="next"');
    });

    test('filters by action, by actor, and by time', async () => {
      const eve = await aMember(at, at.team, 'owner');
      await ok(at.ada.put(`/teams/${at.team}`, { name: 'One' }));
      await ok(eve.put(`/teams/${at.team}`, { name: 'Two' }));
      await ok(eve.post(`/teams/${at.team}/invite-code`));
      // As exact as the times that responses show.
      await sql(at.databaseUrl, 'UPDATE audit_entries SET at = at::timestamptz(3)');
      const [newest, second] = (await auditLog(at.ada, at.team)) as [EntryBody, EntryBody];
      const rows: Record<string, string[]> = {
        '&action=team.updated': ['team.updated', 'team.updated'],
        [`&actor=${eve.id}`]: ['team.invite_code_renewed', 'team.updated'],
        [`&action=team.updated&actor=${eve.id}`]: ['team.updated'],
        [`&since=${newest.at}`]: ['team.invite_code_renewed'],
        [`&until=${newest.at}`]: ['team.updated', 'team.updated', 'team.created'],
        [`&since=${second.at}&until=${newest.at}`]: ['team.updated'],
        '&since=2100-01-01T00:00:00%2B01:00': [],
        '&until=0001-01-01T00:00:00Z': [],
        '&actor=nobody': [],
        '&action=member.left': [],
      };
      for (const [query, expected] of Object.entries(rows)) {
        // Two entries of one millisecond would be found together.
        expect([query, actions(await auditLog(at.ada, at.team, query))]).toEqual([query, expected]);
      }
    });

    test('an act that fails is not recorded, and one that is repeated by its key once', async () => {
      await at.ada.put(`/teams/${at.team}`, { slug: at.team, name: '' }).expect(400);
      await at.ada.delete(`/teams/${at.team}/members`, { userId: at.ada.id }).expect(409);
      const taken = await aTeam(at.ada);
      await at.ada.put(`/teams/${at.team}`, { slug: taken, name: 'Else' }).expect(409);
      await setRole(at.ada.id, 'member').expect(409);
      const key = crypto.randomUUID();
      for (let n = 0; n < 2; n++) {
        await ok(at.ada.post(`/teams/${at.team}/invite-code`).set('idempotency-key', key));
      }
      expect(actions(await auditLog(at.ada, at.team))).toEqual([
        'team.invite_code_renewed',
        'team.created',
      ]);
    });

    test('what changes nothing is not recorded', async () => {
      const { path: workspace } = await aWorkspace(at.ada, at.team);
      const before = await auditLog(at.ada, at.team);
      await ok(at.ada.put(`/teams/${at.team}`, { name: 'Team', slug: at.team, description: null }));
      await ok(at.ada.put(workspace, { name: 'Workspace', visibility: 'public' }));
      await ok(setRole(at.ada.id, 'owner'));
      expect(await auditLog(at.ada, at.team)).toEqual(before);
    });

    test('a name is the one that the person has now', async () => {
      const bob = await aMember(at, at.team, 'member');
      await ok(setRole(bob.id, 'owner'));
      await ok(bob.post(`/teams/${at.team}/invite-code`));
      await ok(claiming(at, bob.person, { name: 'Robert' }).get('/me'));
      const [renewed, promoted] = (await auditLog(at.ada, at.team)) as [EntryBody, EntryBody];
      expect(renewed.actor).toEqual({ _id: bob.id, name: 'Robert' });
      expect(promoted.target).toEqual({ type: 'user', id: bob.id, name: 'Robert' });
    });
  });

  test('400', async () => {
    const rows = ['limit=0', 'limit=1001', 'cursor=x', 'action=x', 'actor=', 'since=2026-01-01'];
    const more = [
      'until=now',
      'since=2026-02-31T00:00:00Z',
      'since=2026-13-01T00:00:00Z',
      'since=',
      'action=',
    ];
    expect(
      await offenders([...rows, ...more], async (query) => {
        const { status } = await at.ada.get(path(`?${query}`));
        expect(status).toBe(400);
      }),
    ).toEqual([]);
  });

  test('403 for everybody but owners, and for tokens without teamspaces:manage', async () => {
    for (const role of ['guest', 'member', 'moderator'] as const) {
      const { status } = await (await aMember(at, at.team, role)).get(path());
      expect([role, status]).toEqual([role, 403]);
    }
    await (await someone(at)).get(path()).expect(403);
    const narrowed = claiming(at, at.ada.person, { scope: 'teamspaces:write' });
    const { headers } = await narrowed.get(path()).expect(403);
    expect(headers['www-authenticate']).toContain('scope="teamspaces:manage"');
    await claiming(at, at.ada.person, { scope: 'teamspaces:manage' }).get(path()).expect(200);
  });

  test('404 for a team that does not exist', async () => {
    await at.ada.get('/teams/no-such-team/audit-log').expect(404);
  });
});

describe('what the service does with an act', () => {
  test('leaving is the act of whoever leaves', async () => {
    const bob = await aMember(at, at.team, 'moderator');
    await ok(bob.delete(`/teams/${at.team}/members`, { userId: bob.id }));
    const [left] = (await auditLog(at.ada, at.team)) as [EntryBody];
    expect(left).toMatchObject({
      action: 'member.left',
      actor: { _id: bob.id },
      target: { id: bob.id },
      details: { role: 'moderator' },
    });
  });

  test('the invites that are revoked with a removal or a demotion', async () => {
    for (const act of ['member.removed', 'member.role_changed'] as const) {
      const bob = await aMember(at, at.team, 'moderator');
      const { _id } = await anInvite(bob, at.team, `${bob.person.sub}@example.org`);
      if (act === 'member.role_changed') await ok(setRole(bob.id, 'member'));
      else await ok(at.ada.delete(`/teams/${at.team}/members`, { userId: bob.id }));
      const [revoked, main] = (await auditLog(at.ada, at.team)) as [EntryBody, EntryBody];
      expect(revoked).toMatchObject({
        action: 'invite.revoked',
        actor: { _id: at.ada.id },
        target: { type: 'invite', id: _id, name: null },
        details: { because: act },
      });
      expect(main).toMatchObject({ action: act, details: { inviteCodeRenewed: true } });
      const { users } = await ok<{ users: [] }>(at.ada.get(`/teams/${at.team}/invites`));
      expect(users).toEqual([]);
    }
  });

  test('of invites that are sent together, which ones were renewed', async () => {
    const [old, fresh] = ['old@example.org', 'new@example.org'];
    await anInvite(at.ada, at.team, old);
    const invites = [fresh, old].map((email) => ({ email, role: 'guest' }));
    await ok(at.ada.post(`/teams/${at.team}/invites`, { invites }));
    const [second, first] = (await auditLog(at.ada, at.team)) as [EntryBody, EntryBody];
    expect([first.details, second.details]).toEqual([
      { role: 'guest', renewed: false },
      { role: 'guest', renewed: true },
    ]);
  });

  test('a promotion because the last editor left is the act of nobody, and as private as the workspace', async () => {
    const bob = await aMember(at, at.team, 'member');
    const carol = await aMember(at, at.team, 'member');
    const { id, path: workspace } = await aWorkspace(bob, at.team, { visibility: 'private' });
    await giveRole(at, id, carol, 'reader');
    await ok(bob.delete(`/teams/${at.team}/members`, { userId: bob.id }));
    expect(await rolesIn(carol, workspace)).toEqual({ [carol.id]: 'editor' });
    expect(actions(await auditLog(at.ada, at.team))).toEqual(['member.left', 'team.created']);
    await ok(setRole(carol.id, 'owner'));
    const entries = await auditLog(carol, at.team);
    expect(actions(entries)).toEqual([
      'member.role_changed',
      'workspace_member.promoted',
      'member.left',
      'workspace.created',
      'team.created',
    ]);
    expect(entries[1]).toMatchObject({
      actor: null,
      target: { type: 'user', id: carol.id },
      details: { workspaceId: id, role: 'editor' },
    });
    expect(entries[1]?.requestId).toBe(entries[2]?.requestId);
  });

  test('whoever makes a workspace private becomes its editor', async () => {
    const { id, path: workspace } = await aWorkspace(at.ada, at.team);
    const eve = await aMember(at, at.team, 'owner');
    await ok(eve.put(workspace, { visibility: 'private' }));
    await ok(eve.put(workspace, { visibility: 'public' }));
    const [made, before] = (await auditLog(eve, at.team)) as [EntryBody, EntryBody];
    expect(made).toMatchObject({ action: 'workspace.made_public', target: { id }, details: {} });
    expect(before).toMatchObject({ action: 'workspace.made_private', details: { editor: 'none' } });
  });

  test('a deletion for good', async () => {
    const { query } = await aWorkspace(at.ada, at.team);
    const { id } = await anItem(at.ada, query);
    await ok(at.ada.delete(`/collections/${id}?permanent=true`));
    const [deleted] = (await auditLog(at.ada, at.team)) as [EntryBody];
    expect(deleted.details).toMatchObject({ permanent: true, pages: 0, collections: 1 });
  });

  test('nothing secret is recorded: no code, no address, no content', async () => {
    const { query } = await aWorkspace(at.ada, at.team);
    const code = (await ok<{ inviteCode: string }>(at.ada.post(`/teams/${at.team}/invite-code`)))
      .inviteCode;
    await anInvite(at.ada, at.team, 'secret-address@example.com');
    const body = { object: 'item', content: { text: 'secret-content' } };
    const { id } = await anItem(at.ada, query, body);
    await ok(at.ada.delete(`/collections/${id}`));
    const [row] = await sql<{ log: string }>(
      at.databaseUrl,
      'SELECT json_agg(e)::text AS log FROM audit_entries e',
    );
    for (const secret of [code, 'secret-address', 'secret-content', at.ada.person.email]) {
      expect(row?.log).not.toContain(secret);
    }
  });
});

describe('a private workspace', () => {
  /** All that an owner reads, byte for byte. */
  async function bytesOf(owner: Known): Promise<string[]> {
    const texts: string[] = [];
    for (const query of ['?limit=1000', '?limit=1', '?limit=2', '?limit=3', ...FILTERS]) {
      const { status, text, headers } = await owner.get(path(query));
      texts.push(`${query} ${status} ${text} ${headers.link}`);
    }
    return texts;
  }
  const FILTERS = [
    '?action=workspace.created',
    '?action=item.deleted',
    '?action=workspace.purged',
    '?since=2020-01-01T00:00:00Z&limit=2',
  ];

  test('leaves no trace in the log of an owner who is not its member, whatever is done', async () => {
    const bob = await aMember(at, at.team, 'member');
    const carol = await aMember(at, at.team, 'member');
    await ok(at.ada.put(`/teams/${at.team}`, { name: 'Other' }));
    const member = await aMember(at, at.team, 'owner');
    const before = await bytesOf(at.ada);
    const {
      id,
      path: workspace,
      query,
    } = await aWorkspace(bob, at.team, { visibility: 'private' });
    const page = await anItem(bob, query, { object: 'item' });
    await ok(bob.post(`${workspace}/members`, [{ email: carol.person.email, role: 'reader' }]));
    await ok(bob.post(`${workspace}/members`, [{ email: member.person.email, role: 'reader' }]));
    await ok(bob.delete(`/collections/${page.id}`));
    await ok(bob.post(`/collections/trash/${page.id}/restore`, {}));
    await ok(bob.delete(`/collections/${page.id}`));
    await ok(bob.delete(`/collections/trash${query}`));
    await ok(bob.put(workspace, { name: 'Hidden' }));
    expect(await bytesOf(at.ada)).toEqual(before);
    expect(actions(await auditLog(member, at.team)).slice(0, 8)).toEqual([
      'workspace.updated',
      'trash.emptied',
      'item.deleted',
      'item.restored',
      'item.deleted',
      'workspace_member.added',
      'workspace_member.added',
      'workspace.created',
    ]);
    // In the trash it is decided as if it were there.
    await ok(bob.delete(workspace));
    expect(await bytesOf(at.ada)).toEqual(before);
    expect(actions(await auditLog(member, at.team))).toContain('workspace.deleted');
    // After its purge it is nobody's.
    await ok(bob.delete(`/teams/${at.team}/trash/${id}`));
    expect(await bytesOf(at.ada)).toEqual(before);
    expect(await bytesOf(member)).toEqual(before);
    await gone(id);
    expect(await bytesOf(at.ada)).toEqual(before);
    expect(await bytesOf(member)).toEqual(before);
  });

  test('that was public takes its entries with it, and brings them back', async () => {
    const before = await bytesOf(at.ada);
    const bob = await aMember(at, at.team, 'member');
    const { path: workspace, id } = await aWorkspace(bob, at.team);
    const all = await auditLog(at.ada, at.team);
    expect(actions(all)).toEqual(['workspace.created', 'team.created']);
    await ok(bob.put(workspace, { visibility: 'private' }));
    expect(await bytesOf(at.ada)).toEqual(before);
    await ok(bob.put(workspace, { visibility: 'public' }));
    expect(actions(await auditLog(at.ada, at.team))).toEqual([
      'workspace.made_public',
      'workspace.made_private',
      ...actions(all),
    ]);
    // After the purge of a public one, all of that stays visible to owners.
    await ok(bob.delete(workspace));
    await ok(bob.delete(`/teams/${at.team}/trash/${id}`));
    const purged = await auditLog(at.ada, at.team);
    expect(actions(purged)).toEqual([
      'workspace.purged',
      'workspace.deleted',
      'workspace.made_public',
      'workspace.made_private',
      ...actions(all),
    ]);
    await gone(id);
    expect(await auditLog(at.ada, at.team)).toEqual(purged);
  });

  test('over all roles: the log shows a workspace to the owners who can see it', async () => {
    for (const visibility of ['public', 'private']) {
      for (const team of ['guest', 'member', 'moderator', 'owner'] as const) {
        for (const own of ['none', 'reader', 'editor'] as const) {
          const { id, path: workspace } = await aWorkspace(at.ada, at.team, { visibility });
          const caller = await aMember(at, at.team, team);
          if (own !== 'none') await giveRole(at, id, caller, own);
          const { status, body } = await caller.get(path('?limit=1000'));
          const sees = (await caller.get(workspace)).status === 200;
          const shown =
            status === 200 && (body as EntryBody[]).some(({ target }) => target.id === id);
          const context = { visibility, team, own };
          expect({ ...context, status, shown }).toEqual({
            ...context,
            status: team === 'owner' ? 200 : 403,
            shown: team === 'owner' && sees,
          });
        }
      }
    }
  });

  /** Waits until the rows of a purged workspace are removed. */
  async function gone(id: string): Promise<void> {
    // What the service does within a minute.
    const { databaseUrl } = at;
    await sql(databaseUrl, 'DELETE FROM tree_changes WHERE workspace_id = $1', [id]);
    await sql(databaseUrl, 'DELETE FROM collections WHERE workspace_id = $1', [id]);
    await sql(databaseUrl, 'DELETE FROM workspaces WHERE id = $1', [id]);
  }
});
