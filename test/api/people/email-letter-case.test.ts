import { aTeam, aWorkspace, ok } from '../../support/builders.js';
import { runCommand } from '../../support/command.js';
import {
  aMember,
  anInvite,
  claiming,
  codeOf,
  type InviteBody,
  type Known,
  rolesIn,
  someone,
} from '../../support/members.js';
import { offenders } from '../../support/offenders.js';
import { scene } from '../../support/scene.js';

const KELVIN = '\u212a';
const DOTTED_I = '\u0130';

/** Addresses that look like another one to the case rules of Unicode, or of a locale. */
const LOOKALIKES: [given: string, claimed: string][] = [
  ['kate@example.com', `${KELVIN}ate@example.com`],
  ['iris@example.com', `${DOTTED_I}ris@example.com`],
  ['bob@kiosk.example', `bob@${KELVIN}iosk.example`],
  ['élan@example.com', 'Élan@example.com'],
];

const at = scene({ each: 'team' });

/** The same address. */
const upper = (email: string) => email.replace(/[a-z]+/g, (letters) => letters.toUpperCase());

/** Somebody whose verified email is this one. */
async function known(email: string): Promise<Known> {
  const { person } = await someone(at, 'Mallory');
  const caller = claiming(at, person, { email, email_verified: true });
  const { _id } = await ok<{ _id: string }>(caller.get('/me'));
  return { ...caller, person: { ...person, email }, id: _id };
}

const mine = async (caller: Known) =>
  (await ok<{ users: InviteBody[] }>(caller.get('/invites'))).users;

describe('an email is compared by ASCII letters', () => {
  test('the invite of the one is 404 for the other, and in no list of theirs', async () => {
    const wrong = await offenders(LOOKALIKES, async ([given, claimed]) => {
      const team = await aTeam(at.ada);
      const invite = await anInvite(at.ada, team, given, 'owner');
      const mallory = await known(claimed);
      expect(await mine(mallory)).toEqual([]);
      await mallory.post(`/invites/${invite._id}/accept`).expect(404);
      await mallory.post(`/invites/${invite._id}/decline`).expect(404);
      const invited = await known(upper(given));
      expect(await mine(invited)).toEqual([invite]);
      await ok(invited.post(`/invites/${invite._id}/accept`));
    });
    expect(wrong).toEqual([]);
  });

  test('both can be invited at once, and the one does not renew the invite of the other', async () => {
    const wrong = await offenders(LOOKALIKES, async ([given, claimed]) => {
      const team = await aTeam(at.ada);
      const [first, second] = [given, claimed].map((email) => ({ email, role: 'guest' }));
      const { users } = await ok<{ users: InviteBody[] }>(
        at.ada.post(`/teams/${team}/invites`, { invites: [first, second] }),
      );
      const again = await anInvite(at.ada, team, claimed, 'member');
      expect(again._id).toBe(users[1]?._id);
      expect(await ok(at.ada.get(`/teams/${team}/invites`))).toEqual({
        users: [users[0], again],
      });
    });
    expect(wrong).toEqual([]);
  });

  test('a member with the one does not stand for the other', async () => {
    const wrong = await offenders(LOOKALIKES, async ([given, claimed]) => {
      const team = await aTeam(at.ada);
      const inviteCode = await codeOf(at.ada, team);
      const mallory = await known(claimed);
      await ok(mallory.post('/teams/join', { inviteCode }));
      await anInvite(at.ada, team, given);
      const { path } = await aWorkspace(at.ada, team);
      const add = (email: string) => at.ada.post(`${path}/members`, [{ email, role: 'editor' }]);
      await add(given).expect(422);
      expect(await rolesIn(at.ada, path)).toEqual({ [at.ada.id]: 'editor' });
      await add(claimed).expect(200);
      await at.ada
        .post(`/teams/${team}/invites`, { invites: [{ email: claimed, role: 'guest' }] })
        .expect(409);
    });
    expect(wrong).toEqual([]);
  });

  test('erasing the one leaves the invites of the other', async () => {
    const wrong = await offenders(LOOKALIKES, async ([given, claimed]) => {
      const team = await aTeam(at.ada);
      const kept = await anInvite(at.ada, team, claimed);
      await anInvite(at.ada, team, given);
      const erased = await runCommand(['erase', '--email', upper(given)], {
        DATABASE_URL: at.databaseUrl,
      });
      expect(erased.output).toMatch(/^Erased \d+ invites? to this address/);
      expect(await ok(at.ada.get(`/teams/${team}/invites`))).toEqual({ users: [kept] });
    });
    expect(wrong).toEqual([]);
  });
});

test('ASCII letters are folded everywhere', async () => {
  const member = await aMember(at, at.team, 'member');
  const { path } = await aWorkspace(at.ada, at.team);
  const email = member.person.email.toUpperCase();
  await ok(at.ada.post(`${path}/members`, [{ email, role: 'reader' }]));
  expect(await rolesIn(at.ada, path)).toMatchObject({ [member.id]: 'reader' });
});
