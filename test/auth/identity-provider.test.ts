import { aTeam, freshSlug, ok, type TeamBody } from '../support/builders.js';
import {
  AUDIENCE,
  type IdentityProvider,
  startIdentityProvider,
} from '../support/identity-provider.js';
import { scene } from '../support/scene.js';

let provider: IdentityProvider;
beforeAll(async () => {
  provider = await startIdentityProvider();
});
const at = scene({
  env: () => ({
    AUTH_JWT_SECRET: '',
    AUTH_JWKS_URL: provider.jwksUrl,
    AUTH_ISSUER: provider.issuer,
    AUTH_AUDIENCE: AUDIENCE,
  }),
  ada: false,
});
afterAll(() => provider.stop());

const bearing = (token: string) => at.with(`Bearer ${token}`);

describe('with tokens of a real provider', () => {
  let before: { person: string; machine: string };

  test('somebody who signed in is who the provider says', async () => {
    const person = await provider.signIn('ada');
    expect(await ok(bearing(person).get('/me'))).toEqual({
      _id: expect.any(String),
      name: 'Ada',
      email: 'ada@example.com',
    });
    before = { person, machine: await provider.machineToken() };
  });

  test('a machine is a user with an address of no one, and joins by the invite code', async () => {
    const machine = bearing(before.machine);
    const me = await ok<{ _id: string }>(machine.get('/me'));
    expect(me).toEqual({ _id: me._id, name: 'robot', email: `${me._id}@service.invalid` });
    const ada = bearing(before.person);
    const team = await aTeam(ada);
    const { inviteCode } = await ok<TeamBody>(ada.get(`/teams/${team}`));
    const joined = await ok<TeamBody>(machine.post('/teams/join', { inviteCode }));
    expect(joined.usage.users).toBe(2);
  });

  test('the scopes that a client asked for are all that its token may do', async () => {
    const reader = bearing(await provider.machineToken('teamspaces:read'));
    expect((await reader.get('/teams')).status).toBe(200);
    const refused = await reader.post('/teams', { name: 'Team', slug: freshSlug() });
    expect([refused.status, refused.headers['www-authenticate']]).toEqual([
      403,
      'Bearer error="insufficient_scope", scope="teamspaces:manage"',
    ]);
  });

  test('after a rotation new tokens work, of people and of machines', async () => {
    await provider.rotate();
    // A new key is fetched every few seconds at most.
    await at.advance(30_000);
    const [person, machine] = [await provider.signIn('ada'), await provider.machineToken()];
    expect(await ok(bearing(person).get('/me'))).toMatchObject({ email: 'ada@example.com' });
    expect(await ok(bearing(machine).get('/me'))).toMatchObject({ name: 'robot' });
  });
});
