import { z } from 'zod';
import {
  allowedHost,
  baseUrl,
  databaseUrl,
  origin,
  proxies,
  serverUrl,
  webUrl,
} from './addresses.js';
import { DEFAULT_PLAN_LIMITS, planLimits } from './plan-limits.js';

// Formats of variables. A message follows the variable's name, and never repeats a value that may
// hold a password.

const text = z.string();

/** Digits only: neither "1e3" nor "0x10", which JavaScript would accept. */
function wholeNumber(min: number, max: number) {
  const error = `must be a whole number from ${min} to ${max}`;
  return z
    .string()
    .regex(/^\d{1,15}$/, { error, abort: true })
    .transform(Number)
    .refine((value) => value >= min && value <= max, { error });
}

/** `on` or `off`. */
const onOff = z.enum(['on', 'off'], 'must be on or off').transform((text) => text === 'on');

/** Texts separated by commas. White space around them is dropped, and so are empty ones. */
function list<Item extends z.ZodType<unknown, string>>(item: Item) {
  return z
    .string()
    .transform((text) =>
      text
        .split(',')
        .map((part) => part.trim())
        .filter(Boolean),
    )
    .pipe(z.array(item));
}

const MODES = ['production', 'development', 'test'] as const;
const LOG_LEVELS = ['silent', 'fatal', 'error', 'warn', 'info', 'debug', 'trace'] as const;

/** Metadata of a setting, beside its format. */
interface SettingNotes {
  /** The environment variable. */
  variable: string;
  /** Its line in docs/configure.md (Markdown). */
  about: string;
  /** The default in production, if it differs. */
  inProduction?: string;
  /** The default as docs/configure.md words it, if the value alone is not enough. */
  defaultText?: string;
  /** True: white space around the value counts. */
  verbatim?: boolean;
}

/** The metadata of each setting, for the reader of the environment and for the documentation. */
export const NOTES = z.registry<SettingNotes>();

/** Declares one setting: its variable, its format with its default, and its description. */
function setting<Format extends z.ZodType>(
  variable: string,
  format: Format,
  about: string,
  notes: Omit<SettingNotes, 'variable' | 'about'> = {},
): Format {
  NOTES.add(format, { variable, about, ...notes });
  return format;
}

const optional = <Format extends z.ZodType>(format: Format) => format.nullable().default(null);

const DAY_SECONDS = 24 * 3600;

/**
 * Every environment variable that the service reads, under its name in `Config`, in the order of
 * docs/configure.md (`npm run docs:config` writes the table there). A new one is an entry here.
 */
export const Settings = z.object({
  production: setting(
    'NODE_ENV',
    z
      .enum(MODES, `must be one of ${MODES.join(', ')}`)
      .default('development')
      .transform((mode) => mode === 'production'),
    '`production`, `development` or `test`; see [production](deploy.md#production)',
    { defaultText: '`development`' },
  ),
  port: setting('PORT', wholeNumber(0, 65535).default(3000), 'port to listen on'),
  host: setting('HOST', text.default('127.0.0.1'), 'address to listen on', {
    inProduction: '0.0.0.0',
  }),
  publicUrl: setting(
    'PUBLIC_URL',
    optional(baseUrl),
    'base of `doc_url` and of links; set it to the address that callers use',
    { defaultText: '`http://localhost:<PORT>`' },
  ),
  databaseUrl: setting(
    'DATABASE_URL',
    optional(databaseUrl),
    '`postgresql://…`, PostgreSQL 15 or later; required in production',
    { defaultText: 'an embedded PostgreSQL in `DATA_DIR`' },
  ),
  databasePoolSize: setting(
    'DATABASE_POOL_SIZE',
    wholeNumber(1, 1000).default(10),
    'database connections of each process',
  ),
  databasePreparedStatements: setting(
    'DATABASE_PREPARED_STATEMENTS',
    onOff.default(true),
    '`off` for a pooler in transaction mode; see [PgBouncer](deploy.md#pgbouncer)',
    { defaultText: '`on`' },
  ),
  dataDir: setting(
    'DATA_DIR',
    text.default('.data'),
    'folder of the embedded database, the development secret and the address of the service',
  ),
  jwtSecret: setting(
    'AUTH_JWT_SECRET',
    optional(
      text.refine((secret) => Buffer.byteLength(secret) >= 32, 'must be at least 32 bytes long'),
    ),
    'shared secret of HS256 tokens, at least 32 bytes; production requires this or `AUTH_JWKS_URL`',
    { defaultText: 'generated once in `DATA_DIR`', verbatim: true },
  ),
  jwksUrl: setting(
    'AUTH_JWKS_URL',
    optional(webUrl),
    'key set of the identity provider, instead of `AUTH_JWT_SECRET`; requires `AUTH_ISSUER` and `AUTH_AUDIENCE`',
  ),
  issuer: setting(
    'AUTH_ISSUER',
    optional(text),
    'the `iss` that tokens must have; clients of [MCP](mcp.md#the-identity-provider) log their users in there',
  ),
  audience: setting('AUTH_AUDIENCE', optional(text), 'the `aud` that tokens must have'),
  emailClaim: setting(
    'AUTH_EMAIL_CLAIM',
    text.default('email'),
    'claim that contains the email; its name may be a URL',
  ),
  nameClaim: setting('AUTH_NAME_CLAIM', text.default('name'), 'claim that contains the name'),
  pictureClaim: setting(
    'AUTH_PICTURE_CLAIM',
    text.default('picture'),
    'claim that contains the URL of a picture',
  ),
  serviceSubjects: setting(
    'AUTH_SERVICE_SUBJECTS',
    list(text).default([]),
    'prefixes of the `sub` of services, such as `system:serviceaccount:`, separated by commas',
  ),
  docsOidcClientId: setting(
    'DOCS_OIDC_CLIENT_ID',
    optional(text),
    'public client at the identity provider, with which *Authorize* in `/docs` offers a login (OpenID Connect, PKCE; redirect URI `/docs/oauth2-redirect.html`); requires `AUTH_JWKS_URL`',
  ),
  planLimits: setting(
    'PLAN_LIMITS',
    planLimits.default(DEFAULT_PLAN_LIMITS),
    'JSON that overrides the limits of plans',
    { defaultText: 'see [plan limits](#plan-limits)' },
  ),
  teamsPerOwner: setting(
    'TEAMS_PER_OWNER',
    wholeNumber(0, 1_000_000_000).default(100),
    'number of teams that a person can own; `0` means unlimited',
  ),
  inviteTtlSeconds: setting(
    'INVITE_TTL_SECONDS',
    wholeNumber(1, 3650 * DAY_SECONDS).default(14 * DAY_SECONDS),
    'how long an invite is valid',
    { defaultText: `\`${14 * DAY_SECONDS}\` (14 days)` },
  ),
  inviteUrl: setting(
    'INVITE_URL',
    optional(
      webUrl.refine((address) => address.includes('{invite_id}'), 'must contain {invite_id}'),
    ),
    'link in the invite mail; must contain `{invite_id}`',
  ),
  trashTtlSeconds: setting(
    'TRASH_TTL_SECONDS',
    wholeNumber(0, 3650 * DAY_SECONDS).default(30 * DAY_SECONDS),
    'how long deleted content can be restored; with `0`, deletions are permanent',
    { defaultText: `\`${30 * DAY_SECONDS}\` (30 days)` },
  ),
  redisUrl: setting(
    'REDIS_URL',
    optional(serverUrl('redis://user:password@host:6379', 'redis', 'rediss')),
    '`redis://…` or `rediss://…`; all processes share one rate limit through it',
  ),
  rateLimitPerMinute: setting(
    'RATE_LIMIT_PER_MINUTE',
    wholeNumber(0, 1_000_000_000).default(1200),
    'requests per minute and user; `0` disables the limit',
  ),
  smtpUrl: setting(
    'SMTP_URL',
    optional(serverUrl('smtp://user:password@host:587', 'smtp', 'smtps')),
    '`smtp://…` or `smtps://…`; mail server for invites',
  ),
  mailFrom: setting(
    'MAIL_FROM',
    text.default('teamspaces <no-reply@localhost>'),
    'sender of invites',
  ),
  changesTtlSeconds: setting(
    'CHANGES_TTL_SECONDS',
    wholeNumber(1, 3650 * DAY_SECONDS).default(30 * DAY_SECONDS),
    'how long the change feed keeps a change; older cursors are rejected',
    { defaultText: `\`${30 * DAY_SECONDS}\` (30 days)` },
  ),
  auditTtlSeconds: setting(
    'AUDIT_TTL_SECONDS',
    wholeNumber(1, 3650 * DAY_SECONDS).default(180 * DAY_SECONDS),
    'how long the audit log keeps an entry',
    { defaultText: `\`${180 * DAY_SECONDS}\` (180 days)` },
  ),
  versionsTtlSeconds: setting(
    'VERSIONS_TTL_SECONDS',
    wholeNumber(0, 3650 * DAY_SECONDS).default(30 * DAY_SECONDS),
    'how long a version of a page is kept after its content was overwritten; with `0`, none are',
    { defaultText: `\`${30 * DAY_SECONDS}\` (30 days)` },
  ),
  searchContent: setting(
    'SEARCH_CONTENT',
    onOff.default(true),
    '`off`: no search in the text of pages, and no index of it; the same for all processes',
    { defaultText: '`on`' },
  ),
  webhookKey: setting(
    'WEBHOOK_KEY',
    optional(text.refine((key) => Buffer.byteLength(key) >= 32, 'must be at least 32 bytes long')),
    'what the secrets of webhooks are derived from, at least 32 bytes, the same for all processes; in production there are no webhooks without it',
    { defaultText: 'none; in development, generated once in `DATA_DIR`', verbatim: true },
  ),
  webhookAllowedHosts: setting(
    'WEBHOOK_ALLOWED_HOSTS',
    list(allowedHost).default([]),
    'private hosts that webhooks may call, also by http: names, `*.example.internal`, addresses and CIDR blocks, separated by commas',
  ),
  corsOrigins: setting(
    'CORS_ORIGINS',
    list(origin).default([]),
    'origins that browsers may call from, separated by commas; `*` for all',
  ),
  trustProxy: setting(
    'TRUST_PROXY',
    proxies.default(false),
    'number of proxies in front, or their addresses and CIDR blocks, whose `X-Forwarded-*` headers are trusted',
    { defaultText: 'none' },
  ),
  logLevel: setting(
    'LOG_LEVEL',
    z.enum(LOG_LEVELS, `must be one of ${LOG_LEVELS.join(', ')}`).default('info'),
    LOG_LEVELS.map((level) => `\`${level}\``).join(', '),
  ),
  metricsPort: setting(
    'METRICS_PORT',
    optional(wholeNumber(0, 65535)),
    'port of the metrics endpoint; without it, no metrics are served',
  ),
  shutdownDelayMs: setting(
    'SHUTDOWN_DELAY_MS',
    wholeNumber(0, 600_000).default(0),
    'milliseconds to keep accepting requests after SIGTERM, so that load balancers can react',
    { inProduction: '5000' },
  ),
});
