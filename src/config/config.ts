import { readFileSync } from 'node:fs';
import leven from 'leven';
import type { z } from 'zod';
import { NOTES, Settings } from './settings.js';

export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The configuration from the environment, parsed once. `null`: not set. settings.ts describes each
 * value.
 */
export type Config = z.output<typeof Settings> & {
  /** Base of doc_url and links, without a slash at the end. */
  publicUrl: string;
};

/** The environment is not valid; `message` lists every problem. */
export class ConfigError extends Error {
  /** @param hints what was probably meant: only in the message */
  constructor(
    readonly problems: string[],
    hints: string[] = [],
  ) {
    const lines = [...problems, ...hints].map((line) => `  - ${line}`);
    super(`The configuration is wrong:\n${lines.join('\n')}`);
    this.name = 'ConfigError';
  }
}

/**
 * Reads the environment. An empty value is the same as none.
 * @throws ConfigError naming every wrong or contradictory variable at once.
 */
export function loadConfig(env: Environment): Config {
  const given = givenValues(env);
  const parsed = Settings.safeParse(given);
  const inQuotes = quoted(given);
  const wrong = (parsed.error?.issues ?? []).filter(
    ({ path }) => !inQuotes.includes(path[0] as Setting),
  );
  const problems = [
    ...wrong.map(({ path, message }) => `${variableOf(path[0] as Setting)} ${message}`),
    ...inQuotes.map((setting) => `${variableOf(setting)} ${QUOTES}`),
    ...contradictions(given),
  ];
  if (!parsed.success || problems.length > 0) {
    throw new ConfigError([...new Set(problems)], nearMisses(env));
  }
  const { port, publicUrl } = parsed.data;
  return {
    ...parsed.data,
    publicUrl: (publicUrl ?? `http://localhost:${port}`).replace(/\/+$/, ''),
  };
}

/**
 * Whether NODE_ENV says production, whatever else is set.
 * @throws ConfigError: it says something unknown
 */
export function isProduction({ NODE_ENV }: Environment): boolean {
  const { data, error } = Settings.shape.production.safeParse(NODE_ENV?.trim() || undefined);
  if (data === undefined) throw new ConfigError([`NODE_ENV ${error?.issues[0]?.message}`]);
  return data;
}

type Setting = keyof typeof Settings.shape;
type Given = Partial<Record<Setting, string>>;

const SETTINGS = Object.keys(Settings.shape) as Setting[];
const DEFAULT_PORT = Settings.shape.port.parse(undefined);
const notesOf = (setting: Setting) => NOTES.get(Settings.shape[setting]);
/** Every environment variable that the service reads. */
export const variables = (): string[] => SETTINGS.map(variableOf);
const variableOf = (setting: Setting): string => notesOf(setting)?.variable ?? setting;

/** The values in the environment, by the names of the settings. */
function givenValues(env: Environment): Given {
  const given: Given = {};
  const production = env.NODE_ENV?.trim() === 'production';
  for (const setting of SETTINGS) {
    const raw = env[variableOf(setting)] ?? '';
    const value = raw.trim() || (production && notesOf(setting)?.inProduction);
    if (value) given[setting] = notesOf(setting)?.verbatim ? raw : value;
  }
  return given;
}

const QUOTES = 'must not be in quotes: they are part of the value';

/**
 * Settings whose values are in quotes. Shells and Compose remove them, `docker run --env-file` does not.
 */
const quoted = (given: Given): Setting[] =>
  SETTINGS.filter((setting) => !hasQuotes(setting) && /^(["']).*\1$/s.test(given[setting] ?? ''));

/** A secret may begin and end with quotes, and a mail address may be in them. */
const hasQuotes = (setting: Setting): boolean =>
  setting === 'mailFrom' || notesOf(setting)?.verbatim === true;

/** Problems of combinations. Checks only whether variables are set: their formats may be wrong. */
function contradictions(given: Given): string[] {
  const problems: string[] = [];
  const production = given.production === 'production';
  if (production && !given.databaseUrl) {
    problems.push(
      'DATABASE_URL must be set in production: the embedded PostgreSQL is for development',
    );
  }
  if (given.jwtSecret && given.jwksUrl) {
    problems.push('AUTH_JWT_SECRET and AUTH_JWKS_URL are both set: set one of them');
  }
  if (production && !given.jwtSecret && !given.jwksUrl) {
    problems.push('AUTH_JWT_SECRET or AUTH_JWKS_URL must be set in production');
  }
  if (given.jwksUrl && !(given.issuer && given.audience)) {
    problems.push('AUTH_ISSUER and AUTH_AUDIENCE must be set together with AUTH_JWKS_URL');
  }
  if (given.docsOidcClientId && !given.jwksUrl) {
    problems.push('AUTH_JWKS_URL must be set together with DOCS_OIDC_CLIENT_ID');
  }
  const { port = String(DEFAULT_PORT), metricsPort } = given;
  // 0 means any free port: two of them differ.
  if (metricsPort && Number(metricsPort) !== 0 && Number(metricsPort) === Number(port)) {
    problems.push('METRICS_PORT must not be the same as PORT');
  }
  return problems;
}

/** Shorter names resemble too much: HOST and HOME, PORT and POST. */
const MIN_LENGTH = 8;

/**
 * A sentence for each variable that is set and whose name resembles that of a setting: it has no
 * effect, which is probably a mistake.
 */
export function nearMisses(env: Environment): string[] {
  const settings = variables();
  return Object.keys(env).flatMap((name) => {
    if (settings.includes(name) || !env[name]?.trim()) return [];
    const meant = settings.find((setting) => isNear(name.toUpperCase(), setting));
    return meant ? `${name} is not read: did you mean ${meant}?` : [];
  });
}

/**
 * One letter in the shortest names, two in longer ones; two swapped letters count as two. Also a name of
 * AUTH_… without the prefix, as other programs call it: JWT_SECRET.
 */
const isNear = (name: string, setting: string): boolean =>
  (setting === `AUTH_${name}` && name.length >= MIN_LENGTH) ||
  (setting.length >= MIN_LENGTH && leven(name, setting) <= (setting.length > MIN_LENGTH ? 2 : 1));

/**
 * Why nobody can listen on a port, in one sentence that names the setting to change.
 * @param variable the setting that holds the port
 */
export function listenFailure(
  variable: 'PORT' | 'METRICS_PORT',
  port: number,
  host: string,
  cause: unknown,
): Error {
  const { code = '', message } = cause as NodeJS.ErrnoException;
  const sentences: Record<string, string> = {
    EADDRINUSE: `${variable}: another program already listens on port ${port} of ${host}: stop it, or set ${variable} to another port.`,
    EACCES: `${variable}: this user may not listen on port ${port}: set ${variable} to one from 1024.`,
    EADDRNOTAVAIL: `HOST: this machine has no address ${host}.`,
    ENOTFOUND: `HOST: there is no host ${host}.`,
  };
  return new Error(sentences[code] ?? `${variable}, HOST: ${message}`, { cause });
}

/** package.json of the service; the same from src/ and from dist/. */
export function readPackage(): { version: string; repository?: { url: string } } {
  return JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
}
