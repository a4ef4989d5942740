import { somebody } from '../support/app.js';
import { auditLog, type EntryBody } from '../support/audit.js';
import { aTeam, aWorkspace, ok } from '../support/builders.js';
import { runCommand } from '../support/command.js';
import { anInvite, someone } from '../support/members.js';
import { scene } from '../support/scene.js';
import { sql } from '../support/sql.js';

// Processes take long on a machine that has other things to do.

const at = scene({ verify: true, each: 'team' });

const run = (...args: string[]) => runCommand(args, { DATABASE_URL: at.databaseUrl });
const idOf = async () => (await ok<{ _id: string }>(at.ada.get(`/teams/${at.team}`)))._id;

describe('commands record what they do, by nobody', () => {
  const BY_OPERATOR = { actor: null, requestId: null };
  /** The entries that a command adds, oldest first. */
  async function added(...args: string[]): Promise<EntryBody[]> {
    const known = await sql<{ id: string }>(at.databaseUrl, 'SELECT id FROM audit_entries');
    const before = new Set(known.map(({ id }) => id));
    expect((await run(...args)).status).toBe(0);
    const entries = (await auditLog(at.ada, at.team)).filter(({ _id }) => !before.has(_id));
    for (const entry of entries) expect(entry).toMatchObject(BY_OPERATOR);
    return entries.reverse();
  }

  test('plan', async () => {
    const plan = ['plan', '--team', at.team, '--plan', 'pro'];
    const entries = await added(...plan);
    expect(entries).toMatchObject([
      {
        action: 'team.plan_changed',
        target: { type: 'team', id: await idOf(), name: 'Team' },
        details: { from: 'free', to: 'pro', via: 'cli' },
      },
    ]);
    expect(await added(...plan)).toEqual([]);
  });

  test('member add', async () => {
    const add = ['member', 'add', '--team', at.team, '--issuer', '', '--subject', somebody().sub];
    const [entry, ...others] = await added(...add, '--role', 'moderator', '--name', 'Robot');
    expect(others).toEqual([]);
    expect(entry).toMatchObject({
      action: 'member.added',
      target: { type: 'user', name: 'Robot' },
      details: { role: 'moderator', via: 'cli' },
    });
    expect(await added(...add, '--role', 'guest', '--change-role')).toMatchObject([
      {
        action: 'member.role_changed',
        details: { from: 'moderator', to: 'guest', inviteCodeRenewed: true, via: 'cli' },
      },
    ]);
  });

  test('erase takes the name from the person, and the entries stay', async () => {
    const bob = await someone(at, 'Bob');
    // One that is answered is revoked by nobody.
    const accepted = await anInvite(at.ada, at.team, bob.person.email, 'owner');
    await ok(bob.post(`/invites/${accepted._id}/accept`));
    await ok(bob.post(`/teams/${at.team}/invite-code`));
    const { _id } = await anInvite(bob, at.team, somebody().email);
    const workspace = await aWorkspace(bob, at.team, { visibility: 'private' });
    const entries = await added('erase', '--issuer', '', '--subject', bob.person.sub);
    expect(entries).toMatchObject([
      {
        action: 'member.removed',
        target: { type: 'user', id: bob.id, name: 'Erased' },
        details: { role: 'owner', inviteCodeRenewed: true, via: 'cli' },
      },
      {
        action: 'workspace_member.promoted',
        target: { type: 'user', id: at.ada.id },
        details: { workspaceId: workspace.id, role: 'editor', via: 'cli' },
      },
      { action: 'invite.revoked', target: { type: 'invite', id: _id }, details: { via: 'cli' } },
    ]);
    const [renewed] = await auditLog(at.ada, at.team, '&action=team.invite_code_renewed');
    expect(renewed?.actor).toEqual({ _id: bob.id, name: 'Erased' });
    const rows = await sql<{ row: string }>(
      at.databaseUrl,
      'SELECT audit_entries::text AS row FROM audit_entries',
    );
    expect(rows.filter(({ row }) => row.includes(bob.person.sub))).toEqual([]);
  });

  test('team delete takes the log with the team, and prints one line for it', async () => {
    const other = await aTeam(at.ada);
    const id = await idOf();
    const { status, output } = await run('team', 'delete', at.team, '--yes');
    expect(status).toBe(0);
    expect(output.trim().split('\n').at(-1)).toMatch(
      new RegExp(
        `^Deleted the team ${at.team}, with .* Id ${id}, \\d{4}-\\d\\d-\\d\\dT[\\d:.]+Z\\.$`,
      ),
    );
    expect(await sql(at.databaseUrl, 'SELECT FROM audit_entries WHERE team_id = $1', [id])).toEqual(
      [],
    );
    expect(await auditLog(at.ada, other)).toHaveLength(1);
  });
});

describe('audit', () => {
  test('--json prints entries as the API returns them, oldest first', async () => {
    await ok(at.ada.put(`/teams/${at.team}`, { name: 'Other' }));
    await aWorkspace(at.ada, at.team);
    const shown = (await auditLog(at.ada, at.team)).reverse();
    await aWorkspace(at.ada, at.team, { visibility: 'private' });
    expect(await auditLog(at.ada, at.team)).toHaveLength(4);
    const { status, output } = await run('audit', '--team', at.team, '--json');
    expect(status).toBe(0);
    expect(
      output
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ).toEqual(shown);
  });

  test('prints more entries than one portion has, each once', async () => {
    await sql(
      at.databaseUrl,
      `INSERT INTO audit_entries (team_id, id, at, action, target_type, target_id, details)
       SELECT $1, gen_random_uuid(), date_trunc('hour', now()), 'team.updated', 'team', $1, '{}'
       FROM generate_series(1, 2500)`,
      [await idOf()],
    );
    const { output } = await run('audit', '--team', at.team, '--json');
    const ids = output
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line)._id);
    expect([ids.length, new Set(ids).size]).toEqual([2501, 2501]);
  });

  test('--since, --until and --action choose, and lines are readable without --json', async () => {
    const id = await idOf();
    await ok(at.ada.put(`/teams/${at.team}`, { name: 'Other' }));
    const [updated] = (await auditLog(at.ada, at.team)) as [EntryBody];
    const line = `${updated.at}  team.updated  team Other (${id})  by Ada  {"fields":["name"]}\n`;
    const audit = (...args: string[]) => run('audit', '--team', at.team, ...args);
    const rows: [string[], string][] = [
      [['--since', updated.at], line],
      [['--action', 'team.updated'], line],
      [['--until', updated.at, '--action', 'team.updated'], ''],
    ];
    for (const [args, output] of rows) {
      expect([args, await audit(...args)]).toEqual([args, { status: 0, output }]);
    }
    for (const time of ['yesterday', '5', '2026-02-31T00:00:00Z']) {
      expect((await audit('--since', time)).status).toBe(2);
    }
    expect((await audit('--action', 'team.read')).status).toBe(2);
    expect(await run('audit', '--team', 'no-such-team')).toEqual({
      status: 1,
      output: 'There is no team with the slug "no-such-team".\n',
    });
  });
});

test('audit prints a line for each entry, whatever names hold', async () => {
  const { query } = await aWorkspace(at.ada, at.team);
  const name = 'Page\n2026-01-01 forged\u001b[31m';
  const { id } = await ok<{ id: string }>(at.ada.post(`/collections${query}`, { name }));
  await ok(at.ada.delete(`/collections/${id}`));
  const { output: printed } = await run('audit', '--team', at.team);
  expect(printed).not.toMatch(/^2026-01-01 forged/m);
  expect(printed).not.toContain('\u001b');
  expect(printed).toContain('Page 2026-01-01 forged');
});
