import { DEFAULT_PLAN_LIMITS, type PlanLimits, parsePlanLimits } from './plan-limits.js';

export type Environment = Readonly<Record<string, string | undefined>>;

export const LOG_LEVELS = ['silent', 'fatal', 'error', 'warn', 'info', 'debug', 'trace'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** Everything the environment decides (decisions, section 9), parsed once. */
export interface Config {
  production: boolean;
  port: number;
  host: string;
  /** Base of doc_url and links, without a slash at the end. */
  publicUrl: string;
  /** null: the embedded PostgreSQL in dataDir. */
  databaseUrl: string | null;
  databasePoolSize: number;
  dataDir: string;
  /** null: a secret made once in dataDir. */
  jwtSecret: string | null;
  issuer: string | null;
  audience: string | null;
  smtpUrl: string | null;
  mailFrom: string;
  planLimits: PlanLimits;
  inviteTtlSeconds: number;
  corsOrigins: string[];
  /** Hop count, addresses and CIDR blocks of proxies whose X-Forwarded-* headers are believed. */
  trustProxy: number | string | false;
  logLevel: LogLevel;
}

/** The environment asks for something that cannot be; `message` lists every problem. */
export class ConfigError extends Error {
  constructor(readonly problems: string[]) {
    super(`The configuration is wrong:\n${problems.map((p) => `  - ${p}`).join('\n')}`);
    this.name = 'ConfigError';
  }
}

/**
 * Reads the environment.
 * @throws ConfigError naming every wrong or contradictory variable at once.
 */
export function loadConfig(env: Environment): Config {
  const problems: string[] = [];
  const read = (name: string): string | null => env[name]?.trim() || null;

  const integer = (name: string, fallback: number, min: number, max: number): number => {
    const text = read(name);
    if (text === null) return fallback;
    const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
    if (value >= min && value <= max) return value;
    problems.push(`${name} must be a whole number from ${min} to ${max}`);
    return fallback;
  };

  const url = (name: string, protocols: string[]): string | null => {
    const text = read(name);
    if (text === null) return null;
    const parsed = URL.canParse(text) ? new URL(text) : null;
    if (!parsed || !protocols.includes(parsed.protocol)) {
      problems.push(
        `${name} must be a URL that starts with ${protocols.map((p) => `${p}//`).join(' or ')}`,
      );
      return null;
    }
    return text;
  };

  const production = env.NODE_ENV === 'production';
  const port = integer('PORT', 3000, 0, 65535);
  const publicUrl = url('PUBLIC_URL', ['http:', 'https:']) ?? `http://localhost:${port}`;
  const databaseUrl = url('DATABASE_URL', ['postgres:', 'postgresql:']);
  if (production && !read('DATABASE_URL')) {
    problems.push('DATABASE_URL must be set in production: the embedded PostgreSQL is for trying');
  }

  const jwtSecret = env.AUTH_JWT_SECRET || null;
  if (jwtSecret !== null && Buffer.byteLength(jwtSecret) < 32) {
    problems.push('AUTH_JWT_SECRET must be at least 32 bytes');
  }
  if (url('AUTH_JWKS_URL', ['http:', 'https:']) !== null) {
    problems.push(
      jwtSecret === null
        ? 'AUTH_JWKS_URL is not supported by this version: set AUTH_JWT_SECRET'
        : 'AUTH_JWT_SECRET and AUTH_JWKS_URL are both set: set one of them',
    );
  } else if (production && jwtSecret === null) {
    problems.push('AUTH_JWT_SECRET must be set in production');
  }

  url('REDIS_URL', ['redis:', 'rediss:']);
  integer('RATE_LIMIT_PER_MINUTE', 1200, 0, 1_000_000_000);
  integer('METRICS_PORT', 0, 0, 65535);

  const logLevel = (read('LOG_LEVEL') ?? 'info') as LogLevel;
  if (!LOG_LEVELS.includes(logLevel)) {
    problems.push(`LOG_LEVEL must be one of ${LOG_LEVELS.join(', ')}`);
  }

  const config: Config = {
    production,
    port,
    host: read('HOST') ?? (production ? '0.0.0.0' : '127.0.0.1'),
    publicUrl: publicUrl.replace(/\/+$/, ''),
    databaseUrl,
    databasePoolSize: integer('DATABASE_POOL_SIZE', 10, 1, 1000),
    dataDir: read('DATA_DIR') ?? '.data',
    jwtSecret,
    issuer: read('AUTH_ISSUER'),
    audience: read('AUTH_AUDIENCE'),
    smtpUrl: url('SMTP_URL', ['smtp:', 'smtps:']),
    mailFrom: read('MAIL_FROM') ?? 'teamspaces <no-reply@localhost>',
    planLimits: parsePlanLimits(read('PLAN_LIMITS'), problems) ?? DEFAULT_PLAN_LIMITS,
    inviteTtlSeconds: integer('INVITE_TTL_SECONDS', 14 * 24 * 3600, 1, 10 * 365 * 24 * 3600),
    corsOrigins: parseOrigins(read('CORS_ORIGINS'), problems),
    trustProxy: parseTrustProxy(read('TRUST_PROXY'), problems),
    logLevel,
  };
  if (problems.length > 0) throw new ConfigError(problems);
  return config;
}

function parseOrigins(text: string | null, problems: string[]): string[] {
  const origins = (text ?? '')
    .split(',')
    .map((origin) => origin.trim())
    .filter(Boolean);
  for (const origin of origins) {
    if (origin !== '*' && !(URL.canParse(origin) && new URL(origin).origin === origin)) {
      problems.push(
        `CORS_ORIGINS must be origins such as https://app.example.com, not "${origin}"`,
      );
    }
  }
  return origins;
}

function parseTrustProxy(text: string | null, problems: string[]): number | string | false {
  if (text === null) return false;
  if (/^\d{1,2}$/.test(text)) return Number(text);
  if (/^[\d.:a-fA-F/, ]+$/.test(text)) return text;
  problems.push('TRUST_PROXY must be a number of hops, or addresses and CIDR blocks');
  return false;
}
