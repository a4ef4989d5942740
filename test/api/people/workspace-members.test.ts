import jwt from 'jsonwebtoken';
import { SECRET } from '../../support/app.js';
import { auditLog } from '../../support/audit.js';
import { aWorkspace, ok } from '../../support/builders.js';
import {
  aMember,
  bytes,
  claiming,
  codeOf,
  type Known,
  type MemberBody,
  rolesIn,
  someone,
} from '../../support/members.js';
import { scene } from '../../support/scene.js';

const at = scene({ env: { PLAN_LIMITS: '{"free":{"workspaces":0}}' }, once: 'team' });
let member: Known;
let guest: Known;
let inviteCode: string;
beforeAll(async () => {
  inviteCode = await codeOf(at.ada, at.team);
  member = await aMember(at, at.team, 'member');
  guest = await aMember(at, at.team, 'guest');
});

const open = (by = at.ada) => aWorkspace(by, at.team);
const secret = (by = at.ada) => aWorkspace(by, at.team, { visibility: 'private' });
const entry = ({ person }: Known, role: string) => ({ email: person.email, role });
const add = (by: Known, path: string, ...people: object[]) => by.post(`${path}/members`, people);

describe('GET …/workspaces/{workspace_slug}/members', () => {
  test('200: those who have a role of their own', async () => {
    const { path } = await open();
    await ok(add(at.ada, path, entry(guest, 'reader')));
    const { body } = await member.get(`${path}/members`).expect(200);
    expect(body.users).toEqual([
      { _id: at.ada.id, name: 'Ada', email: at.ada.person.email, role: 'editor' },
      { _id: guest.id, name: 'guest', email: guest.person.email, role: 'reader' },
    ]);
  });
});

describe('POST …/workspaces/{workspace_slug}/members', () => {
  test('200: the whole list; who was there has the new role', async () => {
    const { path } = await secret();
    await ok(add(at.ada, path, entry(guest, 'reader')));
    const upper = { email: member.person.email.toUpperCase(), role: 'reader' };
    const { body } = await add(at.ada, path, upper, entry(guest, 'editor')).expect(200);
    // The longest-standing first.
    expect(body.users.map((user: MemberBody) => [user._id, user.role])).toEqual([
      [at.ada.id, 'editor'],
      [guest.id, 'editor'],
      [member.id, 'reader'],
    ]);
    await ok(add(guest, path, entry(member, 'editor'), entry(at.ada, 'reader')));
    expect(await rolesIn(at.ada, path)).toEqual({
      [at.ada.id]: 'reader',
      [member.id]: 'editor',
      [guest.id]: 'editor',
    });
  });

  test('200 for a member in any letter case, of the token and of the request', async () => {
    const { path } = await open();
    const mixed = await someone(at, 'Mixed');
    const email = `${mixed.person.sub}@Example.COM`;
    await ok(claiming(at, mixed.person, { email }).post('/teams/join', { inviteCode }));
    await ok(add(at.ada, path, { email: email.toLowerCase(), role: 'reader' }));
    await ok(add(at.ada, path, { email: email.toUpperCase(), role: 'editor' }));
    expect(await rolesIn(at.ada, path)).toEqual({ [at.ada.id]: 'editor', [mixed.id]: 'editor' });
    const entries = await auditLog(at.ada, at.team);
    expect(
      entries.filter(({ target }) => target.id === mixed.id).map(({ action }) => action),
    ).toEqual(['workspace_member.role_changed', 'workspace_member.added', 'member.joined']);
  });

  test('400: the count, each field, twice the same email', async () => {
    const { path } = await open();
    const message = async (body: unknown) =>
      (await at.ada.post(`${path}/members`, body).expect(400)).body.error.message as string;
    const one = entry(guest, 'reader');
    const count = 'the body must be a list of 1 to 100 objects';
    expect(await message([])).toBe(count);
    expect(await message(one)).toBe(count);
    expect(await message(Array(101).fill(one))).toBe(count);
    expect(await message([one, 1])).toBe('body[1] must be a JSON object');
    expect(await message([one, [one]])).toBe('body[1] must be a JSON object');
    expect(await message([{ ...one, role: 'owner' }])).toBe(
      'body[0].role must be one of editor, reader',
    );
    expect(await message([{ ...one, name: 'x' }])).toBe(
      'body[0].name is not a known property: leave it out',
    );
    expect(await message([one, { ...one, email: one.email.toUpperCase() }])).toBe(
      'body[1].email is already in the list: name each once',
    );
    await at.ada.post(`${path}/members`).expect(400);
  });

  test('403 for a member without a role of their own, and for a reader', async () => {
    const { path } = await open();
    await add(member, path, entry(guest, 'reader')).expect(403);
    await ok(add(at.ada, path, entry(member, 'reader')));
    await add(member, path, entry(guest, 'reader')).expect(403);
    const hidden = await secret(member);
    await ok(add(member, hidden.path, entry(at.ada, 'reader')));
    await add(at.ada, hidden.path, entry(at.ada, 'editor')).expect(403);
  });

  test('409 where it would take the last editor of a private workspace', async () => {
    const { path } = await secret();
    await add(at.ada, path, entry(at.ada, 'reader'), entry(member, 'reader')).expect(409);
    expect(await rolesIn(at.ada, path)).toEqual({ [at.ada.id]: 'editor' });
    await add(at.ada, path, entry(at.ada, 'reader'), entry(member, 'editor')).expect(200);
  });

  test('422 for an email that a team member only claims', async () => {
    const { path } = await open();
    const mallory = await someone(at, 'Mallory');
    const email = `${mallory.person.sub}-boss@example.com`;
    const claims = { email, email_verified: false };
    await ok(claiming(at, mallory.person, claims).post('/teams/join', { inviteCode }));
    const { body } = await add(at.ada, path, { email, role: 'editor' }).expect(422);
    expect(body.error.message).toContain(email);
    expect(await rolesIn(at.ada, path)).toEqual({ [at.ada.id]: 'editor' });
    const verified = claiming(at, mallory.person, { email });
    await ok(verified.get('/me'));
    await add(at.ada, path, { email, role: 'reader' }).expect(200);
  });

  test('200 for the member whose email it is, whoever else claims it', async () => {
    const { path } = await open();
    const mallory = await someone(at, 'Mallory');
    const { email } = member.person;
    const claims = { email: email.toUpperCase(), email_verified: false };
    await ok(claiming(at, mallory.person, claims).post('/teams/join', { inviteCode }));
    await add(at.ada, path, { email, role: 'reader' }).expect(200);
    expect(await rolesIn(at.ada, path)).toEqual({
      [at.ada.id]: 'editor',
      [member.id]: 'reader',
    });
  });

  test('200 for a service by its own address', async () => {
    const { path } = await open();
    const sub = `worker-${Math.random()}`;
    const robot = at.with(
      `Bearer ${jwt.sign({ sub, client_id: sub }, SECRET, { expiresIn: 600 })}`,
    );
    const { _id, email } = await ok<MemberBody>(robot.get('/me'));
    await ok(robot.post('/teams/join', { inviteCode }));
    await ok(add(at.ada, path, { email, role: 'reader' }));
    expect(await rolesIn(at.ada, path)).toEqual({ [at.ada.id]: 'editor', [_id]: 'reader' });
  });

  test('422 for an email that two team members have', async () => {
    const { path } = await open();
    const [ada, twin] = [await someone(at, 'Ada'), await someone(at, 'Twin')];
    const { email } = ada.person;
    await ok(ada.post('/teams/join', { inviteCode }));
    await ok(claiming(at, twin.person, { email }).post('/teams/join', { inviteCode }));
    await add(at.ada, path, { email, role: 'reader' }).expect(422);
  });

  test('422 names all who are not in the team, and nobody is added', async () => {
    const { path } = await open();
    const [x, y] = [await someone(at), { email: 'nobody@example.com', role: 'reader' }];
    const { body } = await add(at.ada, path, entry(x, 'reader'), entry(guest, 'reader'), y).expect(
      422,
    );
    expect(body.error.message).toBe(
      `each email must be the verified one of exactly one team member: ${x.person.email}, nobody@example.com`,
    );
    expect(await rolesIn(at.ada, path)).toEqual({ [at.ada.id]: 'editor' });
  });
});

describe('PUT …/workspaces/{workspace_slug}/members', () => {
  test('200, and the role counts at once', async () => {
    const { path, query } = await open();
    await ok(add(at.ada, path, entry(member, 'editor')));
    const body = { userId: member.id, role: 'reader' };
    await at.ada.put(`${path}/members`, body).expect(200, {
      message: 'The role was changed.',
    });
    await member.post(`/collections${query}`, { name: 'x' }).expect(403);
  });

  test('404 for those without a role of their own', async () => {
    const { path } = await open();
    for (const userId of [member.id, 'nobody', (await someone(at)).id]) {
      await at.ada.put(`${path}/members`, { userId, role: 'reader' }).expect(404);
    }
  });

  test('409 for the last editor of a private workspace, not of a public one', async () => {
    const body = { userId: at.ada.id, role: 'reader' };
    await at.ada.put(`${(await secret()).path}/members`, body).expect(409);
    await at.ada.put(`${(await open()).path}/members`, body).expect(200);
  });
});

describe('DELETE …/workspaces/{workspace_slug}/members', () => {
  test('200: by an editor, and by themselves', async () => {
    const { path } = await secret();
    await ok(add(at.ada, path, entry(member, 'reader'), entry(guest, 'editor')));
    await member.delete(`${path}/members`, { userId: guest.id }).expect(403);
    await ok(member.delete(`${path}/members`, { userId: member.id }));
    await member.get(path).expect(404);
    await ok(guest.delete(`${path}/members`, { userId: at.ada.id }));
    await at.ada.get(path).expect(404);
  });

  test('404 for those without a role of their own', async () => {
    const { path } = await open();
    await member.delete(`${path}/members`, { userId: member.id }).expect(404);
    await at.ada.delete(`${path}/members`, { userId: 'nobody' }).expect(404);
  });

  test('409 for the last editor of a private workspace', async () => {
    const { path } = await secret();
    await at.ada.delete(`${path}/members`, { userId: at.ada.id }).expect(409);
  });
});

describe('a private workspace is a secret', () => {
  test('404, byte for byte the answer of one that is not there', async () => {
    const hidden = await secret(member);
    const absent = `/teams/${at.team}/workspaces/no-such-workspace`;
    const asked = async (by: Known, path: string) => {
      const userId = member.id;
      const one = entry(member, 'editor');
      return [
        await by.get(`${path}/members`),
        await by.post(`${path}/members`, [one]),
        await by.post(`${path}/members`, [{ ...one, role: 'x' }]),
        await by.post(`${path}/members`, [{ ...one, email: 'no@example.com' }]),
        await by.put(`${path}/members`, { userId, role: 'editor' }),
        await by.delete(`${path}/members`, { userId }),
        await by.delete(`${path}/members`, { userId: by.id }),
      ].map(bytes);
    };
    for (const person of [at.ada, guest, await someone(at)]) {
      expect(await asked(person, hidden.path)).toEqual(await asked(person, absent));
    }
  });
});
