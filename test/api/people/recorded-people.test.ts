import { ok } from '../../support/builders.js';
import { aMember, claiming, type Known, type MemberBody } from '../../support/members.js';
import { scene } from '../../support/scene.js';

const at = scene({ once: 'team' });
let bob: Known;
beforeAll(async () => {
  bob = await aMember(at, at.team, 'member');
});

/** Bob sends a request with these claims; answers what he and the others then see of him. */
async function seenWith(claims: object): Promise<[MemberBody, MemberBody | undefined]> {
  const me = await ok<MemberBody>(claiming(at, bob.person, claims).get('/me'));
  const { users } = await ok<{ users: MemberBody[] }>(at.ada.get(`/teams/${at.team}/members`));
  return [me, users.find(({ _id }) => _id === bob.id)];
}

test('whatever changes in a token, others see with the next request of its bearer', async () => {
  const changes: { name?: string; email?: string; picture?: string }[] = [
    { picture: 'https://example.com/first.png' },
    { picture: 'https://example.com/second.png' },
    {},
    { name: 'Robert' },
    { name: 'Robert', email: `robert-${bob.person.email}` },
    { name: 'Robert', email: `robert-${bob.person.email}`, picture: 'http://example.com/r.png' },
  ];
  const stale: object[] = [];
  for (const { picture, ...claims } of changes) {
    const [, seen] = await seenWith({ ...claims, picture });
    const { name, email } = { ...bob.person, ...claims };
    if (seen?.name !== name || seen.email !== email || seen.image !== picture) {
      stale.push({ sent: { ...claims, picture }, seen });
    }
  }
  expect(stale).toEqual([]);
});

test('a picture is a web address; anything else in its place is shown to nobody', async () => {
  const refused = [
    'javascript:alert(1)',
    'JavaScript:alert(1)//https://example.com',
    'data:image/svg+xml,<svg onload="alert(1)"/>',
    'file:///etc/passwd',
    'ftp://example.com/a.png',
    '//example.com/a.png',
    'https://',
    'http',
    'a.png',
  ];
  const shown: object[] = [];
  for (const picture of refused) {
    for (const { image } of (await seenWith({ picture })) as MemberBody[]) {
      if (image !== undefined) shown.push({ picture, image });
    }
  }
  expect(shown).toEqual([]);
});
