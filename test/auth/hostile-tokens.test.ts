import { generateKeyPairSync } from 'node:crypto';
import { somebody } from '../support/app.js';
import { error } from '../support/errors.js';
import { hs256, jwk, type KeySetServer, rs256, startKeySet } from '../support/key-set.js';
import { offenders } from '../support/offenders.js';
import { scene } from '../support/scene.js';

const ISSUER = 'https://id.example.com';
const AUDIENCE = 'https://teamspaces.example.com';
const provider = generateKeyPairSync('rsa', { modulusLength: 2048 });
const stranger = generateKeyPairSync('rsa', { modulusLength: 2048 });
const pem = provider.publicKey.export({ type: 'spki', format: 'pem' });
const der = provider.publicKey.export({ type: 'spki', format: 'der' });

let keySet: KeySetServer;
let elsewhere: KeySetServer;
const at = scene({
  env: async () => {
    keySet = await startKeySet([jwk(provider.publicKey, { kid: 'it', alg: 'RS256' })]);
    elsewhere = await startKeySet([jwk(stranger.publicKey, { kid: 'theirs' })]);
    return {
      AUTH_JWT_SECRET: '',
      AUTH_JWKS_URL: keySet.url,
      AUTH_ISSUER: ISSUER,
      AUTH_AUDIENCE: AUDIENCE,
    };
  },
  ada: false,
});
afterAll(() => Promise.all([keySet.stop(), elsewhere.stop()]));

const now = Math.floor(Date.now() / 1000);
const header = { alg: 'RS256', kid: 'it', typ: 'JWT' };
const ada = somebody();
const claims = { ...ada, iss: ISSUER, aud: AUDIENCE, iat: now, exp: now + 600 };

/** A token that is right but for these parts of header and payload. */
const token = (changes: object = {}, payload: object = {}): string =>
  rs256({ ...header, ...changes }, { ...claims, ...payload }, provider.privateKey);
const without = (claim: string): string =>
  rs256(header, { ...claims, [claim]: undefined }, provider.privateKey);
const right = token();
const [head = '', body = '', signature = ''] = right.split('.');
const base64 = (text: string) => Buffer.from(text).toString('base64url');
const unsigned = (alg: unknown) => `${base64(JSON.stringify({ ...header, alg }))}.${body}.`;

/** The last character of a signature holds bits that decoders leave out. */
function sameBytes(text: string): string {
  const bytes = Buffer.from(text, 'base64url');
  const others = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
  const twin = [...others]
    .map((last) => text.slice(0, -1) + last)
    .find((other) => other !== text && Buffer.from(other, 'base64url').equals(bytes));
  return twin as string;
}

const hostile: [string, string][] = [
  ...['none', 'None', 'NONE', 'nOnE', ' none', 'none\0', '', null, 0, ['RS256'], {}].flatMap(
    (alg): [string, string][] => [
      [`alg ${JSON.stringify(alg)}, unsigned`, unsigned(alg)],
      [`alg ${JSON.stringify(alg)}, with a signature`, unsigned(alg) + signature],
    ],
  ),
  ['no alg', token({ alg: undefined })],
  ['HS256 signed with the public key (PEM)', hs256({ ...header, alg: 'HS256' }, claims, pem)],
  ['HS256 signed with the public key (DER)', hs256({ ...header, alg: 'HS256' }, claims, der)],
  [
    'HS256 signed with the public key (JWK)',
    hs256({ ...header, alg: 'HS256' }, claims, JSON.stringify(jwk(provider.publicKey, {}))),
  ],
  ['HS256 signed with nothing', hs256({ ...header, alg: 'HS256' }, claims, '')],
  ['RS256 signed, PS256 said', token({ alg: 'PS256' })],
  ['RS256 signed, RS512 said', token({ alg: 'RS512' })],
  ['RS256 signed, ES256 said', token({ alg: 'ES256' })],
  [
    'an embedded jwk',
    rs256({ ...header, jwk: jwk(stranger.publicKey, {}) }, claims, stranger.privateKey),
  ],
  [
    'an embedded jwk, with the kid of that',
    rs256(
      { ...header, kid: 'mine', jwk: jwk(stranger.publicKey, { kid: 'mine' }) },
      claims,
      stranger.privateKey,
    ),
  ],
  ['a kid of nobody', token({ kid: 'nobody' })],
  [
    "another provider's kid and key",
    rs256({ ...header, kid: 'theirs' }, claims, stranger.privateKey),
  ],
  ["another provider's key under a known kid", rs256(header, claims, stranger.privateKey)],
  ...['../../../dev/null', "' OR 1=1 --", '__proto__', 'it\0', ['it'], { it: 1 }, 1].map(
    (kid): [string, string] => [`kid ${JSON.stringify(kid)}`, token({ kid })],
  ),
  ...[[], ['exp'], ['b64'], ['x'], 'x', '', null, {}, 0, false].map((crit): [string, string] => [
    `crit ${JSON.stringify(crit)}`,
    token({ crit }),
  ]),
  ['crit b64 with b64 false', token({ crit: ['b64'], b64: false })],
  ...[
    'JOSE',
    'JWE',
    'dpop+jwt',
    'logout+jwt',
    'id+jwt',
    'application/jwt',
    '',
    ' JWT',
    null,
    1,
    ['JWT'],
    {},
  ].map((typ): [string, string] => [`typ ${JSON.stringify(typ)}`, token({ typ })]),
  ...[undefined, null, '', `${ISSUER}/`, 'https://evil.example.com', [ISSUER], 1].map(
    (iss): [string, string] => [`iss ${JSON.stringify(iss)}`, token({}, { iss })],
  ),
  ...[undefined, null, '', 'https://other.example.com', [], ['x', 'y'], { 0: AUDIENCE }, 1].map(
    (aud): [string, string] => [`aud ${JSON.stringify(aud)}`, token({}, { aud })],
  ),
  ['no exp', without('exp')],
  ...[null, String(now + 600), '', true, [now + 600], {}, now - 31, 0, -1].map(
    (exp): [string, string] => [`exp ${JSON.stringify(exp)}`, token({}, { exp })],
  ),
  [
    'an exp beyond all numbers',
    rs256(
      header,
      JSON.stringify(claims).replace(`"exp":${now + 600}`, '"exp":1e999'),
      provider.privateKey,
    ),
  ],
  ...[null, String(now), '', [now], now + 120].map((nbf): [string, string] => [
    `nbf ${JSON.stringify(nbf)}`,
    token({}, { nbf }),
  ]),
  ['no sub', without('sub')],
  ...[null, '', 1, ['ada'], 'x'.repeat(1025)].map((sub): [string, string] => [
    `sub ${JSON.stringify(sub).slice(0, 20)}`,
    token({}, { sub }),
  ]),
  ...['sub', 'iss', 'email', 'name', 'picture'].flatMap((claim): [string, string][] => [
    [`NUL in ${claim}`, token({}, { [claim]: 'a\0@example.com' })],
    [
      `a lone surrogate in ${claim}`,
      rs256(
        header,
        JSON.stringify({ ...claims, [claim]: 'X@example.com' }).replace('X@', '\\ud800@'),
        provider.privateKey,
      ),
    ],
  ]),
  ['a payload that is text', rs256(header, 'ada', provider.privateKey)],
  ['a payload that is null', rs256(header, 'null', provider.privateKey)],
  ['a payload that is a list', rs256(header, '[]', provider.privateKey)],
  ['a payload that is a number', rs256(header, '1', provider.privateKey)],
  ['no payload', rs256(header, '', provider.privateKey)],
  ['a header that is null', rs256('null', claims, provider.privateKey)],
  ['a header that is text', rs256('RS256', claims, provider.privateKey)],
  ['a header that is a list', rs256('[]', claims, provider.privateKey)],
  ['cut by one character', right.slice(0, -1)],
  ['cut in the middle', right.slice(0, right.length / 2)],
  ['without a signature', `${head}.${body}.`],
  ['two parts', `${head}.${body}`],
  ['four parts', `${right}.${signature}`],
  ['five parts', `${right}.${signature}.${signature}`],
  ['only dots', '..'],
  ['padded', `${right}=`],
  ['padded in each part', `${head}=.${body}==.${signature}==`],
  ['a signature with other unused bits', `${head}.${body}.${sameBytes(signature)}`],
  [
    'a signature in plain base64',
    `${head}.${body}.${Buffer.from(signature, 'base64url').toString('base64')}`,
  ],
  [
    'the payload of somebody else',
    `${head}.${base64(JSON.stringify({ ...claims, sub: 'eve' }))}.${signature}`,
  ],
  [
    'a tampered signature',
    `${head}.${body}.${signature.replace(/^./, (c) => (c === 'A' ? 'B' : 'A'))}`,
  ],
  ['a tampered header', `${base64(JSON.stringify({ ...header, x: 1 }))}.${body}.${signature}`],
  ['16 KB of one claim', token({}, { junk: 'x'.repeat(16 * 1024) })],
  ['16 KB in all', token({}, { junk: 'x'.repeat(11_500) })],
  ['16 KB of nothing', 'x'.repeat(16 * 1024)],
  ['quotation marks', `"${right}"`],
  ['a comma and another', `${right},${right}`],
  ['an address of a service', token({}, { email: 'x@service.invalid' })],
  ['an address of a service, in capitals', token({}, { email: 'x@SERVICE.Invalid' })],
];

describe('401 with WWW-Authenticate', () => {
  test('for what is not a token of the provider', async () => {
    const wrong = await offenders(hostile, async ([, sent]) => {
      const response = await at.with(`Bearer ${sent}`).get('/teams');
      expect([response.status, response.body]).toEqual([401, error('unauthorized')]);
      expect(response.headers['www-authenticate']).toBe('Bearer error="invalid_token"');
      expect(response.text).not.toMatch(/jwt|jose|signature|crit|kid/);
    });
    expect(wrong).toEqual([]);
  });

  test('for a key elsewhere, which is never fetched', async () => {
    const wrong = await offenders(['jku', 'x5u'], async (name) => {
      const sent = rs256(
        { ...header, kid: 'theirs', [name]: elsewhere.url },
        claims,
        stranger.privateKey,
      );
      const response = await at.with(`Bearer ${sent}`).get('/teams');
      expect([response.status, elsewhere.fetches]).toEqual([401, 0]);
    });
    expect(wrong).toEqual([]);
  });

  test('for a key in the header, signed by somebody else', async () => {
    const wrong = await offenders(
      [
        ['x5c', { x5c: [der.toString('base64')] }],
        ['x5t', { x5t: base64('it') }],
      ],
      async ([, more]) => {
        const sent = rs256({ ...header, ...more }, claims, stranger.privateKey);
        expect((await at.with(`Bearer ${sent}`).get('/teams')).status).toBe(401);
      },
    );
    expect(wrong).toEqual([]);
  });

  test('for a token in the query', async () => {
    const wrong = await offenders(['access_token', 'token', 'jwt', 'auth_token'], async (name) => {
      const response = await at.with(null).get(`/teams?${name}=${right}`);
      expect([response.status, response.headers['www-authenticate']]).toEqual([401, 'Bearer']);
    });
    expect(wrong).toEqual([]);
  });

  test('for a header that says Bearer twice, which is told so', async () => {
    const wrong = await offenders(['Bearer Bearer x', `bearer  BEARER ${right}`], async (sent) => {
      const response = await at.with(sent).get('/teams');
      expect([response.status, response.body]).toEqual([
        401,
        error('unauthorized', 'holds the word Bearer twice'),
      ]);
      expect(response.headers['www-authenticate']).toBe('Bearer error="invalid_token"');
    });
    expect(wrong).toEqual([]);
  });

  test('for a header that is another one', async () => {
    const wrong = await offenders(
      [
        `Basic ${right}`,
        `JWT ${right}`,
        right,
        'Bearer',
        `Bearer ${right} ${right}`,
        `Bearer ${right} x`,
        `x Bearer ${right}`,
        `Bearer\t${right}`,
      ],
      async (sent) => {
        const response = await at.with(sent).get('/teams');
        expect([response.status, response.body]).toEqual([
          401,
          error('unauthorized', 'Authorization'),
        ]);
      },
    );
    expect(wrong).toEqual([]);
  });

  test('a token that was just accepted, changed by one character', async () => {
    expect((await at.with(`Bearer ${right}`).get('/teams')).status).toBe(200);
    const changed = right.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A'));
    expect((await at.with(`Bearer ${changed}`).get('/teams')).status).toBe(401);
  });
});

describe('200', () => {
  test('for the right token, however it is written', async () => {
    const wrong = await offenders(
      [
        ['the right token', right],
        ['no typ', token({ typ: undefined })],
        ...['jwt', 'at+jwt', 'AT+JWT', 'application/at+jwt', 'Application/AT+JWT'].map(
          (typ): [string, string] => [`typ ${typ}`, token({ typ })],
        ),
        ['no kid, where there is one key', token({ kid: undefined })],
        ['several audiences', token({}, { aud: ['x', AUDIENCE] })],
        ['expired less than 30 s ago', token({}, { exp: now - 1 })],
        ['a start less than 30 s away', token({}, { nbf: now + 10 })],
        ['12 KB', token({}, { groups: 'x'.repeat(9 * 1024) })],
      ],
      async ([, sent]) => {
        expect((await at.with(`Bearer ${sent}`).get('/teams')).status).toBe(200);
      },
    );
    expect(wrong).toEqual([]);
  });

  test('a scheme in lower case', async () => {
    expect((await at.with(`bearer ${right}`).get('/teams')).status).toBe(200);
  });
});
