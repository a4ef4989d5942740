import jwt from 'jsonwebtoken';
import { SECRET, somebody } from '../support/app.js';
import { ok } from '../support/builders.js';
import { error } from '../support/errors.js';
import { offenders } from '../support/offenders.js';
import { scene } from '../support/scene.js';

const tokenWith = (claims: object): string =>
  `Bearer ${jwt.sign({ sub: 'ada', ...claims }, SECRET, { expiresIn: 600 })}`;

describe('AUTH_EMAIL_CLAIM, AUTH_NAME_CLAIM and AUTH_PICTURE_CLAIM', () => {
  const at = scene({
    env: {
      AUTH_EMAIL_CLAIM: 'https://example.com/email',
      AUTH_NAME_CLAIM: 'https://example.com/name',
      AUTH_PICTURE_CLAIM: 'avatar',
    },
  });

  test('name the claims that are read, URLs included', async () => {
    const claims = {
      'https://example.com/email': 'ada@example.com',
      'https://example.com/name': 'Ada',
      avatar: 'https://example.com/ada.png',
      email: 'other@example.com',
      name: 'Other',
      picture: 'https://example.com/other.png',
    };
    expect(await ok(at.with(tokenWith(claims)).get('/me'))).toEqual({
      _id: expect.any(String),
      name: 'Ada',
      email: 'ada@example.com',
      image: 'https://example.com/ada.png',
    });
  });

  test('are named where they are missing', async () => {
    const answer = await at.with(tokenWith({ email: 'ada@example.com' })).get('/me');
    expect([answer.status, answer.body]).toEqual([
      401,
      error('unauthorized', 'claim https://example.com/email'),
    ]);
  });
});

describe('email_verified', () => {
  const at = scene();
  const { sub, email } = somebody();
  const claim = (value: unknown) =>
    at.with(tokenWith({ sub, email, email_verified: value })).post('/invites/x/accept');

  test('that says so is verified', async () => {
    const wrong = await offenders([undefined, true, 'true', 'TRUE', 'True'], async (value) => {
      expect((await claim(value)).status).toBe(404);
    });
    expect(wrong).toEqual([]);
  });

  test('that denies it is not verified', async () => {
    const wrong = await offenders([false, 'false', 'False', 'FALSE'], async (value) => {
      expect((await claim(value)).status).toBe(403);
    });
    expect(wrong).toEqual([]);
  });

  test('that says neither is 401', async () => {
    const wrong = await offenders(
      [null, '', '0', 'no', 'yes', ' true', 0, 1, [], {}],
      async (value) => {
        const answer = await claim(value);
        expect([answer.status, answer.body]).toEqual([
          401,
          error('unauthorized', 'email_verified'),
        ]);
      },
    );
    expect(wrong).toEqual([]);
  });
});

describe('what an email is', () => {
  const at = scene({ once: 'team' });

  /** How a token with it, and an invite to it, are answered. */
  async function answers(email: string): Promise<[number, number]> {
    const { sub } = somebody();
    const me = await at.with(tokenWith({ sub, email })).get('/me');
    const invite = await at.ada.post(`/teams/${at.team}/invites`, {
      invites: [{ email, role: 'member' }],
    });
    return [me.status, invite.status];
  }

  test('in a token is one in a request', async () => {
    const wrong = await offenders(
      [
        'ada@example.com',
        'ada+tag@example.com',
        'ada@localhost',
        "o'ada@example.com",
        'ädä@exämple.com',
        `${'x'.repeat(308)}@example.com`,
      ],
      async (email) => {
        expect(await answers(email)).toEqual([200, 200]);
      },
    );
    expect(wrong).toEqual([]);
  });

  test('neither in a token nor in a request', async () => {
    const wrong = await offenders(
      [
        'ada',
        'a@b@c',
        'ada@',
        '@example.com',
        'ada @example.com',
        'ada<x@example.com>',
        'a,b@example.com',
        '"ada"@example.com',
        'ada@example.com\u200b',
        `${'x'.repeat(309)}@example.com`,
      ],
      async (email) => {
        expect(await answers(email)).toEqual([401, 400]);
      },
    );
    expect(wrong).toEqual([]);
  });
});
