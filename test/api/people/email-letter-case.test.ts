import { startService, type TestService } from '../../support/app.js';
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

const KELVIN = '\u212a';
const DOTTED_I = '\u0130';

/** Addresses that look like another one to the case rules of Unicode, or of a locale. */
const LOOKALIKES: [given: string, claimed: string][] = [
  ['kate@example.com', `${KELVIN}ate@example.com`],
  ['iris@example.com', `${DOTTED_I}ris@example.com`],
  ['bob@kiosk.example', `bob@${KELVIN}iosk.example`],
  ['élan@example.com', 'Élan@example.com'],
];

let service: TestService;
let owner: Known;
let team: string;
beforeAll(async () => {
  service = await startService();
  owner = await someone(service, 'Owner');
});
beforeEach(async () => {
  team = await aTeam(owner.caller);
});
afterAll(() => service.stop());

/** The same address. */
const upper = (email: string) => email.replace(/[a-z]+/g, (letters) => letters.toUpperCase());

/** Somebody whose verified email is this one. */
async function known(email: string): Promise<Known> {
  const { person } = await someone(service, 'Mallory');
  const caller = claiming(service, person, { email, email_verified: true });
  const { _id } = await ok<{ _id: string }>(caller.get('/me'));
  return { person: { ...person, email }, caller, id: _id };
}

const mine = async ({ caller }: Known) =>
  (await ok<{ users: InviteBody[] }>(caller.get('/invites'))).users;

describe.each(LOOKALIKES)(
  'an email is compared by ASCII letters: %s is not %s',
  (given, claimed) => {
    test('the invite of the one is 404 for the other, and in no list of theirs', async () => {
      const invite = await anInvite(owner.caller, team, given, 'owner');
      const mallory = await known(claimed);
      expect(await mine(mallory)).toEqual([]);
      await mallory.caller.post(`/invites/${invite._id}/accept`).expect(404);
      await mallory.caller.post(`/invites/${invite._id}/decline`).expect(404);
      const invited = await known(upper(given));
      expect(await mine(invited)).toEqual([invite]);
      await ok(invited.caller.post(`/invites/${invite._id}/accept`));
    });

    test('both can be invited at once, and the one does not renew the invite of the other', async () => {
      const [first, second] = [given, claimed].map((email) => ({ email, role: 'guest' }));
      const { users } = await ok<{ users: InviteBody[] }>(
        owner.caller.post(`/teams/${team}/invites`, { invites: [first, second] }),
      );
      const again = await anInvite(owner.caller, team, claimed, 'member');
      expect(again._id).toBe(users[1]?._id);
      expect(await ok(owner.caller.get(`/teams/${team}/invites`))).toEqual({
        users: [users[0], again],
      });
    });

    test('a member with the one does not stand for the other', async () => {
      const inviteCode = await codeOf(owner.caller, team);
      const mallory = await known(claimed);
      await ok(mallory.caller.post('/teams/join', { inviteCode }));
      await anInvite(owner.caller, team, given);
      const { path } = await aWorkspace(owner.caller, team);
      const add = (email: string) =>
        owner.caller.post(`${path}/members`, [{ email, role: 'editor' }]);
      await add(given).expect(422);
      expect(await rolesIn(owner.caller, path)).toEqual({ [owner.id]: 'editor' });
      await add(claimed).expect(200);
      await owner.caller
        .post(`/teams/${team}/invites`, { invites: [{ email: claimed, role: 'guest' }] })
        .expect(409);
    });

    test('erasing the one leaves the invites of the other', async () => {
      const kept = await anInvite(owner.caller, team, claimed);
      await anInvite(owner.caller, team, given);
      const erased = await runCommand(['erase', '--email', upper(given)], {
        DATABASE_URL: service.databaseUrl,
      });
      expect(erased.output).toMatch(/^Erased \d+ invites? to this address/);
      expect(await ok(owner.caller.get(`/teams/${team}/invites`))).toEqual({ users: [kept] });
    });
  },
);

test('ASCII letters are folded everywhere', async () => {
  const member = await aMember(service, owner.caller, team, 'member');
  const { path } = await aWorkspace(owner.caller, team);
  const email = member.person.email.toUpperCase();
  await ok(owner.caller.post(`${path}/members`, [{ email, role: 'reader' }]));
  expect(await rolesIn(owner.caller, path)).toMatchObject({ [member.id]: 'reader' });
});
