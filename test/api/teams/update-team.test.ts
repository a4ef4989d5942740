import { somebody } from '../../support/app.js';
import { aTeam, freshSlug, ok } from '../../support/builders.js';
import { error } from '../../support/errors.js';
import { aMember } from '../../support/members.js';
import { offenders } from '../../support/offenders.js';
import { scene } from '../../support/scene.js';

const at = scene({ each: 'team' });

describe('PUT /teams/{team_slug}', () => {
  describe('200', () => {
    test('changes what is named and nothing else', async () => {
      await ok(at.ada.put(`/teams/${at.team}`, { description: 'Old' }));
      const changed = await ok(at.ada.put(`/teams/${at.team}`, { name: 'New' }));
      expect(changed).toMatchObject({ name: 'New', description: 'Old', meta: { title: 'New' } });
      expect(await ok(at.ada.get(`/teams/${at.team}`))).toEqual(changed);
    });

    test('clears the description with null', async () => {
      await ok(at.ada.put(`/teams/${at.team}`, { description: 'Old' }));
      const cleared = await ok(at.ada.put(`/teams/${at.team}`, { description: null }));
      expect(cleared).toMatchObject({ description: null, meta: { description: '' } });
    });

    test('changes nothing for {}', async () => {
      const before = await ok(at.ada.get(`/teams/${at.team}`));
      expect(await ok(at.ada.put(`/teams/${at.team}`, {}))).toEqual(before);
    });

    test('moves the team to a new slug', async () => {
      const slug = freshSlug();
      await ok(at.ada.put(`/teams/${at.team}`, { slug }));
      await ok(at.ada.get(`/teams/${slug}`));
      expect((await at.ada.get(`/teams/${at.team}`)).status).toBe(404);
    });

    test('lets a moderator send the slug that the team has', async () => {
      const moderator = await aMember(at, at.team, 'moderator');
      await ok(moderator.put(`/teams/${at.team}`, { name: 'New', slug: at.team }));
    });
  });

  test('400 for a body that is wrong', async () => {
    const wrong = await offenders(
      [
        [{ name: null }, 'name'],
        [{ slug: null }, 'slug'],
        [{ name: '' }, 'name'],
        [{ slug: 'ab' }, 'slug'],
        [{ Name: 'x' }, 'did you mean name?'],
      ],
      async ([body, says]) => {
        const answer = await at.ada.put(`/teams/${at.team}`, body);
        expect([answer.status, answer.body]).toEqual([400, error('bad_request', says)]);
      },
    );
    expect(wrong).toEqual([]);
  });

  describe('403', () => {
    test('for guests and members', async () => {
      const wrong = await offenders(['guest', 'member'] as const, async (role) => {
        const person = await aMember(at, at.team, role);
        const answer = await person.put(`/teams/${at.team}`, { name: 'New' });
        expect([answer.status, answer.body]).toEqual([403, error('forbidden', 'moderator')]);
      });
      expect(wrong).toEqual([]);
    });

    test('for a moderator who wants another slug', async () => {
      const moderator = await aMember(at, at.team, 'moderator');
      const answer = await moderator.put(`/teams/${at.team}`, { slug: freshSlug() });
      expect([answer.status, answer.body]).toEqual([403, error('forbidden', 'owner')]);
    });

    test('for others', async () => {
      const answer = await at.as(somebody()).put(`/teams/${at.team}`, { name: 'New' });
      expect(answer.status).toBe(403);
    });
  });

  test('404 for no team', async () => {
    const answer = await at.ada.put('/teams/nobody', { name: 'New' });
    expect([answer.status, answer.body]).toEqual([404, error('not_found', 'team not found')]);
  });

  test('409 when the slug is taken', async () => {
    const answer = await at.ada.put(`/teams/${at.team}`, { slug: await aTeam(at.ada) });
    expect([answer.status, answer.body]).toEqual([409, error('conflict', 'slug')]);
  });
});
