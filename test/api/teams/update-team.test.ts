import { type Caller, somebody, startService, type TestService } from '../../support/app.js';
import { aTeam, freshSlug, ok } from '../../support/builders.js';
import { error } from '../../support/errors.js';
import { aMember } from '../../support/people.js';

let service: TestService;
let ada: Caller;
let team: string;
beforeAll(async () => {
  service = await startService();
  ada = service.as(somebody());
});
beforeEach(async () => {
  team = await aTeam(ada);
});
afterAll(() => service.stop());

describe('PUT /teams/{team_slug}', () => {
  describe('200', () => {
    test('changes what is named and nothing else', async () => {
      await ok(ada.put(`/teams/${team}`, { description: 'Old' }));
      const changed = await ok(ada.put(`/teams/${team}`, { name: 'New' }));
      expect(changed).toMatchObject({ name: 'New', description: 'Old', meta: { title: 'New' } });
      expect(await ok(ada.get(`/teams/${team}`))).toEqual(changed);
    });

    test('clears the description with null', async () => {
      await ok(ada.put(`/teams/${team}`, { description: 'Old' }));
      const cleared = await ok(ada.put(`/teams/${team}`, { description: null }));
      expect(cleared).toMatchObject({ description: null, meta: { description: '' } });
    });

    test('changes nothing for {}', async () => {
      const before = await ok(ada.get(`/teams/${team}`));
      expect(await ok(ada.put(`/teams/${team}`, {}))).toEqual(before);
    });

    test('moves the team to a new slug', async () => {
      const slug = freshSlug();
      await ok(ada.put(`/teams/${team}`, { slug }));
      await ok(ada.get(`/teams/${slug}`));
      expect((await ada.get(`/teams/${team}`)).status).toBe(404);
    });

    test('lets a moderator send the slug that the team has', async () => {
      const moderator = service.as(await aMember(service, team, 'moderator'));
      await ok(moderator.put(`/teams/${team}`, { name: 'New', slug: team }));
    });
  });

  test.each([
    [{ name: null }, 'name'],
    [{ slug: null }, 'slug'],
    [{ name: '' }, 'name'],
    [{ slug: 'ab' }, 'slug'],
    [{ Name: 'x' }, 'did you mean name?'],
  ])('400 for %j', async (body, says) => {
    const answer = await ada.put(`/teams/${team}`, body);
    expect([answer.status, answer.body]).toEqual([400, error('bad_request', says)]);
  });

  describe('403', () => {
    test.each(['guest', 'member'] as const)('for a %s', async (role) => {
      const person = service.as(await aMember(service, team, role));
      const answer = await person.put(`/teams/${team}`, { name: 'New' });
      expect([answer.status, answer.body]).toEqual([403, error('forbidden', 'moderator')]);
    });

    test('for a moderator who wants another slug', async () => {
      const moderator = service.as(await aMember(service, team, 'moderator'));
      const answer = await moderator.put(`/teams/${team}`, { slug: freshSlug() });
      expect([answer.status, answer.body]).toEqual([403, error('forbidden', 'owner')]);
    });

    test('for others', async () => {
      const answer = await service.as(somebody()).put(`/teams/${team}`, { name: 'New' });
      expect(answer.status).toBe(403);
    });
  });

  test('404 for no team', async () => {
    const answer = await ada.put('/teams/nobody', { name: 'New' });
    expect([answer.status, answer.body]).toEqual([404, error('not_found', 'team not found')]);
  });

  test('409 when the slug is taken', async () => {
    const answer = await ada.put(`/teams/${team}`, { slug: await aTeam(ada) });
    expect([answer.status, answer.body]).toEqual([409, error('conflict', 'slug')]);
  });
});
