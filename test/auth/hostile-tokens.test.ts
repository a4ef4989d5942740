import { constants, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { somebody } from '../support/app.js';
import { error } from '../support/errors.js';
import { bytesOf, DIGEST_INFO, pkcs1Block, pssBlock, rsaOf } from '../support/forged-signatures.js';
import { hs256, jwk, type KeySetServer, rs256, startKeySet } from '../support/key-set.js';
import { offenders } from '../support/offenders.js';
import { scene } from '../support/scene.js';

const ISSUER = 'https://id.example.com';
const AUDIENCE = 'https://teamspaces.example.com';
const provider = generateKeyPairSync('rsa', { modulusLength: 2048 });
const stranger = generateKeyPairSync('rsa', { modulusLength: 2048 });
const elliptic = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const large = generateKeyPairSync('ec', { namedCurve: 'P-521' });
const pem = provider.publicKey.export({ type: 'spki', format: 'pem' });
const der = provider.publicKey.export({ type: 'spki', format: 'der' });

let keySet: KeySetServer;
let elsewhere: KeySetServer;
const at = scene({
  env: async () => {
    keySet = await startKeySet([
      jwk(provider.publicKey, { kid: 'it', alg: 'RS256' }),
      jwk(provider.publicKey, { kid: 'pss', alg: 'PS256' }),
      jwk(elliptic.publicKey, { kid: 'ec', alg: 'ES256' }),
      jwk(large.publicKey, { kid: 'misspelt', alg: 'ES521' }),
      ...[provider.publicKey, elliptic.publicKey].flatMap((key) => [
        jwk(key, { kid: `${key.asymmetricKeyType} use`, use: 'enc' }),
        jwk(key, { kid: `${key.asymmetricKeyType} key_ops`, use: undefined, key_ops: ['encrypt'] }),
      ]),
    ]);
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

/** The payload with white space, so that its last character has unused bits. */
const padded = [0, 1]
  .map((spaces) => base64(JSON.stringify(claims) + ' '.repeat(spaces)))
  .find((text) => text.length % 4 !== 0) as string;

/** The last character of a part may hold bits that decoders leave out. */
function sameBytes(text: string): string {
  const bytes = Buffer.from(text, 'base64url');
  const others = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
  const twin = [...others]
    .map((last) => text.slice(0, -1) + last)
    .find((other) => other !== text && Buffer.from(other, 'base64url').equals(bytes));
  return twin as string;
}

/** A token, or what makes one: of those that are right or wrong for half a minute, when it is sent. */
type Sent = string | (() => string);
const made = (sent: Sent): string => (typeof sent === 'string' ? sent : sent());
const inSeconds = (seconds: number): number => Math.floor(Date.now() / 1000) + seconds;

const hostile: [string, Sent][] = [
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
  ...[null, String(now), '', [now]].map((nbf): [string, string] => [
    `nbf ${JSON.stringify(nbf)}`,
    token({}, { nbf }),
  ]),
  ['a start two minutes away', () => token({}, { nbf: inSeconds(120) })],
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

/** A token with a signature that is made of its text. */
const signed = (changes: object, signatureOf: (text: string) => Buffer, payload = body): string => {
  const text = `${base64(JSON.stringify({ ...header, ...changes }))}.${payload}`;
  return `${text}.${signatureOf(text).toString('base64url')}`;
};
const PSS = { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: 32 };
const SIZE = 256;
const rs = (text: string) => sign('sha256', Buffer.from(text), provider.privateKey);
const pkcs1 = (changes?: Parameters<typeof pkcs1Block>[2]) =>
  signed({}, (text) => rsaOf(pkcs1Block(text, SIZE, changes), provider.privateKey));
const pss = (changes?: Parameters<typeof pssBlock>[2]) =>
  signed({ alg: 'PS256', kid: 'pss' }, (text) =>
    rsaOf(pssBlock(text, SIZE, changes), provider.privateKey),
  );
const rsaWith = (hash: string, alg: string, kid: string, options: object = {}) =>
  signed({ alg, kid }, (text) =>
    sign(hash, Buffer.from(text), { key: provider.privateKey, ...options }),
  );
const ecWith = (
  changes: (signature: Buffer) => Buffer = (signature) => signature,
  kid = 'ec',
  dsaEncoding: 'ieee-p1363' | 'der' = 'ieee-p1363',
) =>
  signed({ alg: 'ES256', kid }, (text) =>
    changes(sign('sha256', Buffer.from(text), { key: elliptic.privateKey, dsaEncoding })),
  );
const modulus = numberOf(Buffer.from(partOf(provider.publicKey, 'n'), 'base64url'));
/** The order of P-256. */
const ORDER = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;

function numberOf(bytes: Buffer): bigint {
  return BigInt(`0x${bytes.toString('hex')}`);
}
function partOf(key: KeyObject, name: 'n' | 'x' | 'y'): string {
  return key.export({ format: 'jwk' })[name] as string;
}

/** The same of each kind of padding. */
const changedRsa = (genuine: (text: string) => Buffer, changes: object): [string, string][] =>
  (
    [
      ['0', () => bytesOf(0n, SIZE)],
      ['1', () => bytesOf(1n, SIZE)],
      ['n - 1', () => bytesOf(modulus - 1n, SIZE)],
      ['n', () => bytesOf(modulus, SIZE)],
      ['not reduced', (it) => bytesOf(numberOf(it) + modulus, SIZE + 1)],
      ['behind a zero', (it) => Buffer.concat([Buffer.of(0), it])],
      ['before a zero', (it) => Buffer.concat([it, Buffer.of(0)])],
      ['without its last byte', (it) => it.subarray(0, -1)],
    ] satisfies [string, (signature: Buffer) => Buffer][]
  ).map(([name, change]) => [
    `${JSON.stringify(changes)}: ${name}`,
    signed(changes, (text) => change(genuine(text))),
  ]);

/** Signatures of the kinds in Project Wycheproof's json_web_signature. */
const forged: [string, string][] = [
  ...Object.entries({
    'block type 0': { start: '00 00' },
    'block type 2': { start: '00 02' },
    'a first byte that is not 0': { start: '01 01' },
    'a padding of zeros': { fill: 0 },
    'no end of the padding': { end: 'ff' },
    'a short padding, and garbage behind': { padding: 8 },
    'no padding, and garbage behind': { padding: 0 },
    'the digest alone': { digestInfo: '' },
    'no parameters': { digestInfo: '30 2f 30 0b 06 09 60 86 48 01 65 03 04 02 01 04 20' },
    'a zero behind': { after: '00' },
    'an empty sequence behind': { after: '30 00' },
    'a NULL behind': { after: '05 00' },
    'a NULL that is not empty': { digestInfo: DIGEST_INFO.replace('05 00', '05 01 00') },
    'a NULL with a long length': { digestInfo: DIGEST_INFO.replace('05 00', '05 81 00') },
    'NULL for the OID': { digestInfo: '30 2a 30 06 05 00 05 00 04 20' },
    'an OID with a bit more': { digestInfo: DIGEST_INFO.replace('02 01 05', '02 81 05') },
    "SHA-512's OID": { digestInfo: DIGEST_INFO.replace('02 01 05', '02 03 05') },
    "SHA-1's DigestInfo": { digestInfo: '30 21 30 09 06 05 2b 0e 03 02 1a 05 00 04 14' },
    'an indefinite length': {
      digestInfo: DIGEST_INFO.replace('30 31', '30 80'),
      after: '00 00',
    },
    'a long length': { digestInfo: DIGEST_INFO.replace('30 31', '30 81 31') },
    'a set for the sequence': { digestInfo: DIGEST_INFO.replace('30 31', '31 31') },
    'an empty digest': { digest: Buffer.alloc(0) },
  }).map(([name, changes]): [string, string] => [`PKCS #1 with ${name}`, pkcs1(changes)]),
  ...Object.entries({
    'no salt': { salt: Buffer.alloc(0) },
    'a salt of 20': { salt: Buffer.alloc(20) },
    'a salt of 31': { salt: Buffer.alloc(31) },
    'a salt of 33': { salt: Buffer.alloc(33) },
    'a salt as long as may be': { salt: Buffer.alloc(SIZE - 32 - 2) },
    "SHA-1's mask": { mask: 'sha1' },
    "SHA-512's mask": { mask: 'sha512' },
    'no zeros before the salt': { zeros: 1 },
    'another separator': { separator: 2 },
    'no separator': { separator: 0 },
    'another trailer': { trailer: 0xcc },
    'a hash with another first byte': { changed: 0 },
    'a hash with another last byte': { changed: 31 },
  }).map(([name, changes]): [string, string] => [`PSS with ${name}`, pss(changes)]),
  ...changedRsa(rs, {}),
  ...changedRsa((text) => sign('sha256', Buffer.from(text), { key: provider.privateKey, ...PSS }), {
    alg: 'PS256',
    kid: 'pss',
  }),
  ...[0n, 1n, ORDER - 1n, ORDER].flatMap((r) =>
    [0n, 1n, ORDER - 1n, ORDER].map((s): [string, string] => [
      `ES256 with r ${r} and s ${s}`,
      ecWith(() => Buffer.concat([bytesOf(r, 32), bytesOf(s, 32)])),
    ]),
  ),
  ...(
    [
      ['r and s that are a byte longer', (r, s) => [Buffer.of(0), r, Buffer.of(0), s]],
      ['r that is not reduced', (r, s) => [bytesOf(numberOf(r) + ORDER, 33), Buffer.of(0), s]],
      ['s that is not reduced', (r, s) => [Buffer.of(0), r, bytesOf(numberOf(s) + ORDER, 33)]],
      ['zeros behind', (r, s) => [r, s, Buffer.alloc(2)]],
      ['a lot behind', (r, s) => [r, s, Buffer.alloc(450, 1)]],
      ['r alone', (r) => [r]],
      ['r and s the other way round', (r, s) => [s, r]],
    ] satisfies [string, (r: Buffer, s: Buffer) => Buffer[]][]
  ).map(([name, parts]): [string, string] => [
    `ES256 with ${name}`,
    ecWith((it) => Buffer.concat(parts(it.subarray(0, 32), it.subarray(32)))),
  ]),
  ['ES256 in DER', ecWith(undefined, 'ec', 'der')],
  [
    'HS256 signed with the bytes of the EC key',
    hs256(
      { ...header, alg: 'HS256', kid: 'ec' },
      claims,
      Buffer.from(partOf(elliptic.publicKey, 'x') + partOf(elliptic.publicKey, 'y'), 'base64url'),
    ),
  ],
  ...['use', 'key_ops'].flatMap((way): [string, string][] => [
    [`an RSA key for encryption by its ${way}`, rsaWith('sha256', 'RS256', `rsa ${way}`)],
    [`an EC key for encryption by its ${way}`, ecWith(undefined, `ec ${way}`)],
  ]),
  [
    "PS384 with a key that is PS256's",
    rsaWith('sha384', 'PS384', 'pss', { ...PSS, saltLength: 48 }),
  ],
  ["RS256 with a key that is PS256's", rsaWith('sha256', 'RS256', 'pss')],
  ["RS512 with a key that is RS256's", rsaWith('sha512', 'RS512', 'it')],
  [
    'ES512 with a key whose alg no standard knows',
    signed({ alg: 'ES512', kid: 'misspelt' }, (text) =>
      sign('sha512', Buffer.from(text), { key: large.privateKey, dsaEncoding: 'ieee-p1363' }),
    ),
  ],
  ['JSON serialization', JSON.stringify({ protected: head, payload: body, signature })],
  [
    'JSON serialization, general',
    JSON.stringify({ payload: body, signatures: [{ protected: head, signature }] }),
  ],
  ['no header', `.${body}.${signature}`],
  ['a payload that is missing', `${head}..${signature}`],
  ['an empty part more', `${right}.`],
  ...['?', '#', '%41', '='].flatMap((character): [string, string][] => [
    [`${character} in the header`, `${head}${character}.${body}.${signature}`],
    [`${character} in the payload`, `${head}.${body}${character}.${signature}`],
    [`${character} before the payload`, `${head}.${character}${body}.${signature}`],
    [`${character} in the signature`, `${head}.${body}.${signature}${character}`],
    [`${character} in the payload, signed so`, signed({}, rs, body + character)],
  ]),
  ['other unused bits in the payload, signed so', signed({}, rs, sameBytes(padded))],
];

describe('401 with WWW-Authenticate', () => {
  test('for a signature of the right key in any other form', async () => {
    const wrong = await offenders(forged, async ([, sent]) => {
      const response = await at.with(`Bearer ${sent}`).get('/teams');
      expect([response.status, response.body]).toEqual([401, error('unauthorized')]);
      expect(response.headers['www-authenticate']).toBe('Bearer error="invalid_token"');
    });
    expect(wrong).toEqual([]);
  });

  test('for what is not a token of the provider', async () => {
    const wrong = await offenders(hostile, async ([, sent]) => {
      const response = await at.with(`Bearer ${made(sent)}`).get('/teams');
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
    const wrong = await offenders<[string, Sent]>(
      [
        ['the right token', right],
        ['no typ', token({ typ: undefined })],
        ...['jwt', 'at+jwt', 'AT+JWT', 'application/at+jwt', 'Application/AT+JWT'].map(
          (typ): [string, string] => [`typ ${typ}`, token({ typ })],
        ),
        ['no kid, where there is one key', token({ kid: undefined })],
        ['several audiences', token({}, { aud: ['x', AUDIENCE] })],
        ['expired less than 30 s ago', () => token({}, { exp: inSeconds(-1) })],
        ['a start less than 30 s away', () => token({}, { nbf: inSeconds(10) })],
        ['PKCS #1 as the forged ones', pkcs1()],
        ['PSS as the forged ones', pss()],
        ['PSS', rsaWith('sha256', 'PS256', 'pss', PSS)],
        ['ES256', ecWith()],
        ['white space in the payload', signed({}, rs, padded)],
        ['12 KB', token({}, { groups: 'x'.repeat(9 * 1024) })],
      ],
      async ([, sent]) => {
        expect((await at.with(`Bearer ${made(sent)}`).get('/teams')).status).toBe(200);
      },
    );
    expect(wrong).toEqual([]);
  });

  test('a scheme in lower case', async () => {
    expect((await at.with(`bearer ${right}`).get('/teams')).status).toBe(200);
  });
});
