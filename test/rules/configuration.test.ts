import { readFileSync } from 'node:fs';
import { withConfigTable } from '../../cli/config-table.js';
import {
  ConfigError,
  type Environment,
  loadConfig,
  nearMisses,
  variables,
} from '../../src/config/config.js';
import { NOTES, Settings } from '../../src/config/settings.js';

const SECRET = 'x'.repeat(32);

function problems(env: Environment): string[] {
  try {
    loadConfig(env);
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
  return [];
}

test('with nothing set, every setting has its default', () => {
  expect(loadConfig({})).toEqual({
    production: false,
    searchContent: true,
    port: 3000,
    host: '127.0.0.1',
    publicUrl: 'http://localhost:3000',
    databaseUrl: null,
    databasePoolSize: 10,
    databasePreparedStatements: true,
    dataDir: '.data',
    jwtSecret: null,
    jwksUrl: null,
    issuer: null,
    audience: null,
    emailClaim: 'email',
    nameClaim: 'name',
    pictureClaim: 'picture',
    serviceSubjects: [],
    docsOidcClientId: null,
    planLimits: expect.objectContaining({
      enterprise: { pages: 0, users: 0, workspaces: 0 },
      free: { pages: 1000, users: 20, workspaces: 10 },
    }),
    teamsPerOwner: 100,
    trashTtlSeconds: 2_592_000,
    changesTtlSeconds: 2_592_000,
    auditTtlSeconds: 15_552_000,
    versionsTtlSeconds: 2_592_000,
    webhookKey: null,
    webhookAllowedHosts: [],
    inviteTtlSeconds: 1_209_600,
    inviteUrl: null,
    redisUrl: null,
    rateLimitPerMinute: 1200,
    smtpUrl: null,
    mailFrom: 'teamspaces <no-reply@localhost>',
    corsOrigins: [],
    trustProxy: false,
    logLevel: 'info',
    metricsPort: null,
    shutdownDelayMs: 0,
  });
});

test('an empty value is the same as none, and white space around a value does not count', () => {
  const variables = Object.values(Settings.shape).map((format) => NOTES.get(format)?.variable);
  const empty = Object.fromEntries(variables.map((variable) => [variable, ' ']));
  expect(loadConfig(empty)).toEqual(loadConfig({}));
  expect(loadConfig({ PORT: ' 80 ', HOST: ' ::1\n' })).toMatchObject({ port: 80, host: '::1' });
  expect(loadConfig({ AUTH_JWT_SECRET: `${SECRET}\n` }).jwtSecret).toBe(`${SECRET}\n`);
});

test('values are read as they are meant', () => {
  const config = loadConfig({
    PORT: '8080',
    PUBLIC_URL: 'https://spaces.example.com//',
    PLAN_LIMITS: '{"free":{"pages":50}}',
    CORS_ORIGINS: 'https://a.example.com, http://localhost:5173,',
    AUTH_SERVICE_SUBJECTS: 'system:serviceaccount:, spiffe://,',
    INVITE_URL: 'https://app.example.com/invites/{invite_id}',
    METRICS_PORT: '9090',
    TRUST_PROXY: '10.0.0.0/8, ::1',
  });
  expect(config).toMatchObject({
    port: 8080,
    publicUrl: 'https://spaces.example.com',
    corsOrigins: ['https://a.example.com', 'http://localhost:5173'],
    serviceSubjects: ['system:serviceaccount:', 'spiffe://'],
    inviteUrl: 'https://app.example.com/invites/{invite_id}',
    metricsPort: 9090,
    trustProxy: '10.0.0.0/8, ::1',
  });
  expect(config.planLimits.free).toEqual({ pages: 50, users: 20, workspaces: 10 });
  expect(loadConfig({ PORT: '8080' }).publicUrl).toBe('http://localhost:8080');
  expect(loadConfig({ TRUST_PROXY: '2' }).trustProxy).toBe(2);
  expect(loadConfig({ TRUST_PROXY: 'fd00::1/128' }).trustProxy).toBe('fd00::1/128');
  const bytes = 'ü'.repeat(16);
  expect(loadConfig({ AUTH_JWT_SECRET: bytes, WEBHOOK_KEY: bytes })).toMatchObject({
    jwtSecret: bytes,
    webhookKey: bytes,
  });
  expect(loadConfig({ TRASH_TTL_SECONDS: '0', VERSIONS_TTL_SECONDS: '0' })).toMatchObject({
    trashTtlSeconds: 0,
    versionsTtlSeconds: 0,
  });
  expect(loadConfig({}).planLimits.free.pages).toBe(1000);
  expect(loadConfig({}).teamsPerOwner).toBe(100);
  expect(loadConfig({ TEAMS_PER_OWNER: '0' }).teamsPerOwner).toBe(0);
});

test.each([
  ['NODE_ENV', 'prod', 'NODE_ENV must be one of production, development, test'],
  ['NODE_ENV', 'Production', 'NODE_ENV must be one of production, development, test'],
  ['PORT', '3e3', 'PORT must be a whole number from 0 to 65535'],
  ['PORT', '65536', 'PORT must be a whole number from 0 to 65535'],
  ['DATABASE_POOL_SIZE', '0', 'DATABASE_POOL_SIZE must be a whole number from 1 to 1000'],
  ['RATE_LIMIT_PER_MINUTE', '-1', /^RATE_LIMIT_PER_MINUTE must be a whole number from 0/],
  ['AUDIT_TTL_SECONDS', '0', /^AUDIT_TTL_SECONDS must be a whole number from 1 to/],
  ['TEAMS_PER_OWNER', 'many', /^TEAMS_PER_OWNER must be a whole number from 0 to/],
  ['DATABASE_PREPARED_STATEMENTS', 'no', 'DATABASE_PREPARED_STATEMENTS must be on or off'],
  ['METRICS_PORT', 'x', 'METRICS_PORT must be a whole number from 0 to 65535'],
  ['SHUTDOWN_DELAY_MS', '5s', 'SHUTDOWN_DELAY_MS must be a whole number from 0 to 600000'],
  ['PUBLIC_URL', 'localhost', /^PUBLIC_URL must be a URL that starts with http:\/\/ or https/],
  ['DATABASE_URL', 'mysql://u:secret@h/d', /^DATABASE_URL must be a URL that starts with postgres/],
  ['REDIS_URL', 'http://h', 'REDIS_URL must be a URL that starts with redis:// or rediss://'],
  ['SMTP_URL', 'mail', 'SMTP_URL must be a URL that starts with smtp:// or smtps://'],
  ['INVITE_URL', 'https://a.example.com', 'INVITE_URL must contain {invite_id}'],
  ['AUTH_JWT_SECRET', 'x'.repeat(31), 'AUTH_JWT_SECRET must be at least 32 bytes long'],
  ['WEBHOOK_KEY', 'x'.repeat(31), 'WEBHOOK_KEY must be at least 32 bytes long'],
  ['INVITE_TTL_SECONDS', '0', /^INVITE_TTL_SECONDS must be a whole number from 1 to/],
  ['CHANGES_TTL_SECONDS', '0', /^CHANGES_TTL_SECONDS must be a whole number from 1 to/],
  ['LOG_LEVEL', 'loud', /^LOG_LEVEL must be one of silent, fatal/],
  ['CORS_ORIGINS', 'a.example.com', /^CORS_ORIGINS must be origins .* not "a.example.com"$/],
  [
    'CORS_ORIGINS',
    'https://a.example.com/',
    /^CORS_ORIGINS must be origins .* not "https.*com\/"$/,
  ],
  [
    'CORS_ORIGINS',
    'https://a.example.com/app',
    /^CORS_ORIGINS must be origins .* not "https.*app"$/,
  ],
  ['TRUST_PROXY', 'true', /^TRUST_PROXY must be a number of hops, or addresses .*not "true"$/],
  ['TRUST_PROXY', '10.0.0.0/8, ::1/129', /^TRUST_PROXY must be a number of .*not "::1\/129"$/],
  ['WEBHOOK_ALLOWED_HOSTS', 'a.internal, http://b', /^WEBHOOK_ALLOWED_HOSTS .*not "http:\/\/b"$/],
  ['WEBHOOK_ALLOWED_HOSTS', 'localhost:9000', /without a scheme or a port, not "localhost:9000"$/],
  ['PUBLIC_URL', 'https:example.com', /^PUBLIC_URL must be a URL that starts with http:\/\//],
  ['PUBLIC_URL', 'https://example.com/?a', /^PUBLIC_URL must not have a query or a fragment/],
  ['AUTH_ISSUER', '"https://id.example.com"', 'AUTH_ISSUER must not be in quotes'],
  ['LOG_LEVEL', "'info'", /^LOG_LEVEL must not be in quotes: they are part of the value$/],
  ['DATABASE_URL', '"postgresql://u:secret@h/d"', /^DATABASE_URL must not be in quotes/],
  ['TRUST_PROXY', '10.0.0.0/33', /^TRUST_PROXY must be a number of hops/],
  ['TRUST_PROXY', '10.0.0.0/', /^TRUST_PROXY must be a number of hops/],
  ['TRUST_PROXY', 'fd00::/129', /^TRUST_PROXY must be a number of hops/],
  ['PLAN_LIMITS', 'free', /^PLAN_LIMITS must be JSON such as/],
  ['PLAN_LIMITS', '[]', /^PLAN_LIMITS must be JSON such as \{"free":\{"pages":1000\}\}$/],
  ['PLAN_LIMITS', '{"gold":{"pages":1}}', /^PLAN_LIMITS must be JSON .*: "gold" is not a plan \(/],
  ['PLAN_LIMITS', '{"free":{"books":1}}', /JSON .*: "books" in "free" is not a limit \(pages, /],
  ['PLAN_LIMITS', '{"free":{"pages":-1}}', /: "pages" in "free" must be a whole number from 0 to/],
  ['PLAN_LIMITS', '{"free":5}', /^PLAN_LIMITS must be JSON such as .*: "free" must be an object$/],
])('%s=%s is refused in one sentence', (variable, value, sentence) => {
  const found = problems({ [variable]: value });
  expect(found).toHaveLength(1);
  expect(found[0]).toMatch(sentence);
  expect(found[0]).not.toMatch('secret@');
});

describe('DATABASE_URL', () => {
  const FORM =
    /^DATABASE_URL must be a URL such as postgresql:\/\/user:password@host:5432\/database, with #, \/, \? and % of a name or a password written as %23, %2F, %3F and %25$/;

  test.each([
    'u:pa#ss',
    'u:1#ss',
    'u:pa/ss',
    'u:12/ss',
    'u:pa?ss',
    'u:12?ss',
    'u:p@x#y',
    'u:p@x/y',
    'u:%ff',
  ])('is told how the password in %s is written', (credentials) => {
    const found = problems({ DATABASE_URL: `postgresql://${credentials}@host/db` });
    expect(found).toEqual([expect.stringMatching(FORM)]);
    const [user = '', password = ''] = credentials.split(/:(.*)/);
    const written = `postgresql://${user}:${encodeURIComponent(password)}@host/db`;
    expect(problems({ DATABASE_URL: written })).toEqual([]);
  });

  test.each(['postgres:5432/x', 'host:5432/x', 'host/x'])('%s is told the form', (value) => {
    expect(problems({ DATABASE_URL: value })).toEqual([
      'DATABASE_URL must be a URL that starts with postgres:// or postgresql://, such as postgresql://user:password@host:5432/database',
    ]);
  });

  test('names no schema but the one that is used', () => {
    const url = 'postgresql://u:p@host/db?sslmode=require&schema=';
    for (const schema of ['public', '']) {
      expect(problems({ DATABASE_URL: url + schema })).toEqual([]);
    }
    expect(problems({ DATABASE_URL: `${url}app` })).toEqual([
      'DATABASE_URL must not name a schema (?schema=…): the tables are always in the schema public of the database',
    ]);
  });

  test.each([
    'postgres://host',
    'postgresql://u:p:@[::1]:5432/db',
    'postgresql://u:p@ss@host/db',
    'postgresql://u:10%@host/db',
    'postgresql://host/db?user=ada@example.com&application_name=a/b',
    'postgresql://host?user=ada@example.com',
    'postgresql://u@host/db?options=-c%20search_path%3Dapp',
  ])('%s is one', (value) => {
    expect(loadConfig({ DATABASE_URL: value }).databaseUrl).toBe(value);
  });
});

test('a password of Redis or of the mail server is written as in DATABASE_URL', () => {
  expect(problems({ REDIS_URL: 'redis://:pa#ss@h', SMTP_URL: 'smtps://u:pa/ss@h' })).toEqual([
    expect.stringMatching(/^REDIS_URL must be a URL such as redis:.* written as %23/),
    expect.stringMatching(/^SMTP_URL must be a URL such as smtp:.* written as %23/),
  ]);
});

test('a secret and a mail address may be in quotes', () => {
  expect(loadConfig({ MAIL_FROM: '"a@b"' }).mailFrom).toBe('"a@b"');
  expect(loadConfig({ AUTH_JWT_SECRET: `"${SECRET}"` }).jwtSecret).toBe(`"${SECRET}"`);
});

test('a link may lead to a fragment', () => {
  const INVITE_URL = 'https://app.example.com/#/@invites?id={invite_id}';
  expect(loadConfig({ INVITE_URL }).inviteUrl).toBe(INVITE_URL);
});

test('what was probably meant is said with the problems', () => {
  const env = { NODE_ENV: 'production', DATABASE_URL: 'postgres://h/d', JWT_SECRET: SECRET };
  expect(problems(env)).toEqual(['AUTH_JWT_SECRET or AUTH_JWKS_URL must be set in production']);
  expect(() => loadConfig(env)).toThrow(
    /\n {2}- AUTH_JWT_SECRET or .*\n {2}- JWT_SECRET is not read: did you mean AUTH_JWT_SECRET\?$/,
  );
});

test('all problems are reported together, the contradictory ones too', () => {
  const env = { NODE_ENV: 'production', PORT: 'x', LOG_LEVEL: 'loud', CORS_ORIGINS: 'a,b' };
  expect(problems(env)).toEqual([
    expect.stringMatching(/^PORT /),
    expect.stringMatching(/^CORS_ORIGINS .*"a"$/),
    expect.stringMatching(/^CORS_ORIGINS .*"b"$/),
    expect.stringMatching(/^LOG_LEVEL /),
    expect.stringMatching(/^DATABASE_URL must be set in production/),
    'AUTH_JWT_SECRET or AUTH_JWKS_URL must be set in production',
  ]);
});

test.each([
  [{ PORT: '8080', METRICS_PORT: '8080' }],
  [{ METRICS_PORT: '3000' }],
  [{ PORT: '080', METRICS_PORT: '80' }],
])('METRICS_PORT is told not to be PORT, also the default one: %j', (env) => {
  expect(problems({ ...env, LOG_LEVEL: 'loud' })).toEqual([
    expect.stringMatching(/^LOG_LEVEL /),
    'METRICS_PORT must not be the same as PORT',
  ]);
});

test('any free port is never the same as another one', () => {
  expect(problems({ PORT: '0', METRICS_PORT: '0' })).toEqual([]);
});

test('a key set wants an issuer and an audience, and no secret beside it', () => {
  const env = {
    AUTH_JWKS_URL: 'http://id.example.com/jwks',
    AUTH_ISSUER: 'https://id.example.com',
  };
  expect(problems(env)).toEqual([
    'AUTH_ISSUER and AUTH_AUDIENCE must be set together with AUTH_JWKS_URL',
  ]);
  expect(problems({ ...env, AUTH_AUDIENCE: 'teamspaces', AUTH_JWT_SECRET: SECRET })).toEqual([
    'AUTH_JWT_SECRET and AUTH_JWKS_URL are both set: set one of them',
  ]);
  expect(problems({ DOCS_OIDC_CLIENT_ID: 'docs' })).toEqual([
    'AUTH_JWKS_URL must be set together with DOCS_OIDC_CLIENT_ID',
  ]);
  const complete = { ...env, AUTH_AUDIENCE: 'teamspaces', NODE_ENV: 'production' };
  const config = loadConfig({ ...complete, DATABASE_URL: 'postgresql://db/teamspaces' });
  expect(config).toMatchObject({ jwksUrl: env.AUTH_JWKS_URL, jwtSecret: null });
});

test('production has defaults of its own, which a value overrides', () => {
  const env = {
    NODE_ENV: 'production',
    DATABASE_URL: 'postgresql://db/teamspaces',
    AUTH_JWT_SECRET: SECRET,
  };
  const production = { production: true, host: '0.0.0.0', shutdownDelayMs: 5000 };
  expect(loadConfig(env)).toMatchObject(production);
  expect(loadConfig({ ...env, SHUTDOWN_DELAY_MS: '0' }).shutdownDelayMs).toBe(0);
});

test.each([
  ['DATABASE_URI', 'DATABASE_URL'],
  ['AUTH_JWT_SECERT', 'AUTH_JWT_SECRET'],
  ['Database_Url', 'DATABASE_URL'],
  ['CORS_ORIGIN', 'CORS_ORIGINS'],
  ['MAIL_FORM', 'MAIL_FROM'],
  ['NODE_EN', 'NODE_ENV'],
  ['JWT_SECRET', 'AUTH_JWT_SECRET'],
  ['JWKS_URL', 'AUTH_JWKS_URL'],
])('%s is said to be meant as %s', (name, meant) => {
  expect(nearMisses({ [name]: 'x' })).toEqual([`${name} is not read: did you mean ${meant}?`]);
  expect(nearMisses({ [name]: ' ' })).toEqual([]);
});

test('nothing is said of other programs’ variables, or of those that are read', () => {
  const others = [
    ...['HOME', 'HOSTNAME', 'HOSTS', 'POST', 'PATH', 'LOGNAME', 'MAIL', 'NODE_OPTIONS', 'PGHOST'],
    ...['DATABASE_HOST', 'DATABASE_NAME', 'DATABASE_USER', 'DATABASE_PORT', 'DATABASE_PASSWORD'],
    ...[
      'REDIS_HOST',
      'REDIS_PORT',
      'SMTP_HOST',
      'SMTP_PORT',
      'SMTP_USER',
      'HTTP_URL',
      'PUBLIC_KEY',
    ],
    ...['TEAMSPACES_URL', 'TEAMSPACES_TOKEN', 'TEAMSPACES_PORT', 'TEAMSPACES_SERVICE_HOST'],
    ...['OTEL_SERVICE_NAME', 'POSTGRES_PORT', 'KUBERNETES_PORT', 'XDG_DATA_DIRS', 'HTTP_PROXY'],
  ];
  const env = Object.fromEntries([...others, ...variables()].map((name) => [name, 'x']));
  expect(nearMisses(env)).toEqual([]);
});

test('docs/configure.md has the settings as they are (npm run docs:config writes them)', () => {
  const page = readFileSync('docs/configure.md', 'utf8');
  expect(page).toBe(withConfigTable(page));
});

test('.ci/run forgets every setting of whoever calls it', () => {
  const script = readFileSync('.ci/run', 'utf8').split('export ')[0]?.split(/\s+/);
  const variables = Object.values(Settings.shape).map((format) => NOTES.get(format)?.variable);
  expect(script).toEqual(expect.arrayContaining(variables));
});
