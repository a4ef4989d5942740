import { pathToFileURL } from 'node:url';
import { anItem, aTeam, aWorkspace, ok } from '../support/builders.js';
import { CLI, type Ended, ended, runCommand } from '../support/command.js';
import { aMember, anInvite } from '../support/members.js';
import { scene } from '../support/scene.js';

// Set-up takes long on a machine that has other things to do.

const at = scene();

const run = (...args: string[]): Promise<Ended> =>
  runCommand(args, { DATABASE_URL: at.databaseUrl });

/** What a command prints with --json. */
async function json(...args: string[]) {
  const { status, output } = await run(...args, '--json');
  expect([status, output]).toEqual([0, expect.stringMatching(/^[[{]/)]);
  return JSON.parse(output);
}

describe('teams', () => {
  test('list shows every team with its plan and usage, show one with its owners', async () => {
    const team = await aTeam(at.ada);
    const { query } = await aWorkspace(at.ada, team);
    await anItem(at.ada, query, { object: 'item' });
    const usage = { plan: 'free', members: 1, workspaces: 1, collections: 0, pages: 1 };
    expect(await json('team', 'list')).toContainEqual(
      expect.objectContaining({ slug: team, name: 'Team', ...usage }),
    );
    const { email, name } = at.ada.person;
    expect(await json('team', 'show', team)).toMatchObject({
      ...{ slug: team, ...usage, pendingInvites: 0 },
      owners: [{ name, email }],
    });
    const { output } = await run('team', 'list');
    expect(output).toMatch(
      /^slug +name +plan +members +workspaces +collections +pages +createdAt\n/,
    );
    expect(output).toMatch(new RegExp(`^${team} +Team +free +1 +1 +0 +1 +20\\S+Z$`, 'm'));
  });

  test('one that is not there is an error', async () => {
    const none = { status: 1, output: 'There is no team with the slug "none".\n' };
    expect(await run('team', 'show', 'none')).toEqual(none);
    for (const group of ['member', 'invite', 'workspace']) {
      expect(await run(group, 'list', '--team', 'none')).toEqual(none);
    }
  });
});

describe('members', () => {
  test('list shows them by role; show finds one by id, email and subject', async () => {
    const team = await aTeam(at.ada);
    const bob = await aMember(at, team, 'member');
    const { slug, path } = await aWorkspace(at.ada, team, { visibility: 'private' });
    await ok(at.ada.post(`${path}/members`, [{ email: bob.person.email, role: 'reader' }]));
    const members = await json('member', 'list', '--team', team);
    expect(members).toMatchObject([
      { role: 'owner', email: at.ada.person.email },
      { role: 'member', email: bob.person.email, subject: bob.person.sub },
    ]);
    for (const name of [members[1].id, bob.person.email, bob.person.sub]) {
      expect(await json('member', 'show', name, '--team', team)).toMatchObject({
        id: members[1].id,
        workspaceRoles: [{ workspace: slug, role: 'reader' }],
      });
    }
    const { output } = await run('member', 'show', bob.person.email, '--team', team);
    expect(output).toMatch(new RegExp(`^role +member$[^]*^workspaceRoles +${slug} +reader$`, 'm'));
    expect(await run('member', 'show', 'nobody', '--team', team)).toEqual({
      status: 1,
      output: `The team "${team}" has no member "nobody".\n`,
    });
  });
});

describe('invites', () => {
  test('expire by the clock of the database', async () => {
    const team = await aTeam(at.ada);
    await anInvite(at.ada, team, 'bo@example.com');
    const clock = pathToFileURL('test/support/wrong-clock.js').href;
    const { output } = await ended(
      process.execPath,
      ['--import', clock, CLI, 'invite', 'list', '--team', team, '--json'],
      {
        env: {
          ...process.env,
          DATABASE_URL: at.databaseUrl,
          CLOCK_IS_WRONG_BY: `${15 * 86_400_000}`,
        },
      },
    );
    expect(JSON.parse(output)).toMatchObject([{ email: 'bo@example.com', state: 'pending' }]);
  });

  test('list shows the pending ones, show each', async () => {
    const team = await aTeam(at.ada);
    expect(await run('invite', 'list', '--team', team)).toEqual({ status: 0, output: '' });
    const { _id: id } = await anInvite(at.ada, team, 'bo@example.com');
    const invite = { id, email: 'bo@example.com', state: 'pending' };
    expect(await json('invite', 'list', '--team', team)).toMatchObject([invite]);
    await ok(at.ada.delete(`/teams/${team}/invites/${id}`));
    expect(await json('invite', 'list', '--team', team)).toEqual([]);
    expect(await json('invite', 'show', id, '--team', team)).toMatchObject({
      ...invite,
      state: 'revoked',
    });
  });
});

describe('workspaces', () => {
  test('list and show have private ones, with their members, and none of the trash', async () => {
    const team = await aTeam(at.ada);
    const { slug, query } = await aWorkspace(at.ada, team, { visibility: 'private' });
    const { path } = await aWorkspace(at.ada, team, { name: 'Gone' });
    await ok(at.ada.delete(path));
    await anItem(at.ada, query);
    const workspace = {
      slug,
      visibility: 'private',
      defaultAccess: 'full',
      collections: 1,
      pages: 0,
    };
    expect(await json('workspace', 'list', '--team', team)).toMatchObject([workspace]);
    expect(await json('workspace', 'show', slug, '--team', team)).toMatchObject({
      ...workspace,
      members: [{ email: at.ada.person.email, role: 'editor' }],
    });
    expect(await run('workspace', 'show', 'gone', '--team', team)).toEqual({
      status: 1,
      output: `The team "${team}" has no workspace "gone".\n`,
    });
  });
});
