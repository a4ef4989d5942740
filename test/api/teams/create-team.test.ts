import { somebody } from '../../support/app.js';
import { freshSlug, ok, type TeamBody } from '../../support/builders.js';
import { error } from '../../support/errors.js';
import { offenders } from '../../support/offenders.js';
import { scene } from '../../support/scene.js';

const at = scene();

describe('POST /teams', () => {
  describe('200', () => {
    test('answers the whole record, with the caller as owner', async () => {
      const slug = freshSlug();
      const before = Date.now();
      const answer = await at.ada.post('/teams', { name: 'Acme', slug, description: 'Rockets' });
      expect(answer.status).toBe(200);
      expect(answer.body).toEqual({
        _id: expect.any(String),
        name: 'Acme',
        logo: null,
        description: 'Rockets',
        role: 'owner',
        membersCount: 1,
        meta: { title: 'Acme', description: 'Rockets', slug },
        inviteCode: expect.stringMatching(/^[\w-]{24}$/),
        plan: 'free',
        billingCycleStart: expect.any(Number),
        usage: { pages: 0, users: 1, workspaces: 0 },
        limit: { pages: 1000, users: 20, workspaces: 10 },
        createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        updatedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      });
      const { billingCycleStart, createdAt } = answer.body;
      expect(billingCycleStart).toBe(Date.parse(createdAt));
      expect(billingCycleStart).toBeGreaterThan(before - 60_000);
    });

    test('keeps names and descriptions exactly as sent', async () => {
      const wrong = await offenders(
        [
          ['a name of 1 character', { name: 'x' }],
          ['a name of 32 characters beyond the BMP', { name: '🚀'.repeat(32) }],
          ['white space around a name', { name: ' x ' }],
          ['a description of 120 characters', { description: 'é'.repeat(120) }],
          ['an empty description', { description: '' }],
        ],
        async ([, fields]) => {
          const body = { name: 'Acme', slug: freshSlug(), ...fields };
          expect(await ok(at.ada.post('/teams', body))).toMatchObject(fields);
        },
      );
      expect(wrong).toEqual([]);
    });

    test('takes null for no description', async () => {
      const team = await ok(
        at.ada.post('/teams', { name: 'A', slug: freshSlug(), description: null }),
      );
      expect(team).toMatchObject({ description: null, meta: { description: '' } });
    });

    test('takes slugs of 3 and of 48 characters', async () => {
      const stem = freshSlug();
      const long = `${stem}-${'x'.repeat(47 - stem.length)}`;
      expect(long).toHaveLength(48);
      for (const slug of [`a${Math.random().toString(36).slice(2, 4)}`, long]) {
        const team = await ok<TeamBody>(at.ada.post('/teams', { name: 'A', slug }));
        expect(team.meta.slug).toBe(slug);
      }
    });
  });

  describe('400', () => {
    test('for a body that is wrong', async () => {
      const wrong = await offenders<[string, unknown, string]>(
        [
          ['no name', { slug: 'abc' }, 'name is required'],
          ['no slug', { name: 'A' }, 'slug is required'],
          ['an empty name', { name: '', slug: 'abc' }, 'name must be 1 to 32 characters'],
          ['a blank name', { name: ' \t\u3000', slug: 'abc' }, 'name must hold something'],
          [
            '33 characters',
            { name: 'x'.repeat(33), slug: 'abc' },
            'name must be 1 to 32 characters',
          ],
          ['a number as name', { name: 1, slug: 'abc' }, 'name must be a string'],
          ['null as name', { name: null, slug: 'abc' }, 'name must be a string'],
          ['an object as name', { name: { a: 1 }, slug: 'abc' }, 'name must be a string'],
          ['NUL', { name: 'a\0b', slug: 'abc' }, 'NUL'],
          ['a lone surrogate', '{"name":"\\ud800","slug":"abc"}', 'well-formed'],
          ['a slug of 2', { name: 'A', slug: 'ab' }, 'slug must be 3 to 48 characters'],
          ['a slug of 49', { name: 'A', slug: 'a'.repeat(49) }, 'slug must be 3 to 48 characters'],
          ['capitals in a slug', { name: 'A', slug: 'Abc' }, 'slug must be lower-case'],
          ['a double hyphen', { name: 'A', slug: 'a--b' }, 'slug must be lower-case'],
          ['a hyphen at the end', { name: 'A', slug: 'abc-' }, 'slug must be lower-case'],
          ['a line feed in a slug', { name: 'A', slug: 'abc\n' }, 'slug must be lower-case'],
          [
            '121',
            { name: 'A', slug: 'abc', description: 'x'.repeat(121) },
            'at most 120 characters',
          ],
          ['an unknown property', { name: 'A', slug: 'abc', plan: 'pro' }, 'plan is not a known'],
          ['__proto__', '{"name":"A","slug":"abc","__proto__":{}}', '__proto__ is not a known'],
          ['an array', [], 'the body must be a JSON object'],
          ['null', 'null', 'the body must be a JSON object'],
          ['a string', '"x"', 'the body must be a JSON object'],
          ['malformed JSON', '{"name":', 'valid JSON'],
          ['nothing', undefined, 'name is required'],
        ],
        async ([, body, says]) => {
          const test = at.ada.post('/teams').set('content-type', 'application/json');
          const answer = await (body === undefined ? test : test.send(body as object));
          expect(answer.body).toEqual(error('bad_request', says));
          expect(answer.status).toBe(400);
        },
      );
      expect(wrong).toEqual([]);
    });

    test('for 5,000 levels of nesting', async () => {
      const body = `{"name":${'['.repeat(5000)}${']'.repeat(5000)},"slug":"abc"}`;
      const answer = await at.ada.post('/teams').set('content-type', 'application/json').send(body);
      expect(answer.status).toBe(400);
    });
  });

  test('401 without a token', async () => {
    const answer = await at.with(null).post('/teams', { name: 'A', slug: 'abc' });
    expect(answer.status).toBe(401);
  });

  describe('409', () => {
    test('when the slug is taken, whoever asks', async () => {
      const slug = freshSlug();
      await ok(at.ada.post('/teams', { name: 'A', slug }));
      const answer = await at.as(somebody()).post('/teams', { name: 'B', slug });
      expect(answer.body).toEqual(error('conflict', slug));
      expect(answer.status).toBe(409);
    });

    test('for all but one of twenty who want the same slug at once', async () => {
      const slug = freshSlug();
      const answers = await Promise.all(
        Array.from({ length: 20 }, () => at.ada.post('/teams', { name: 'A', slug })),
      );
      const statuses = answers.map(({ status }) => status).sort();
      expect(statuses).toEqual([200, ...Array<number>(19).fill(409)]);
    });
  });
});
