import { randomBytes } from 'node:crypto';
import { accessSync, constants, existsSync, mkdirSync, statSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { startEmbeddedPostgres } from '@teamspaces/local-postgres/embedded-postgres';
import { ADDRESS_FILE } from 'teamspaces';
import { signToken } from 'teamspaces/token';
import type { Config } from '../config/config.js';
import { describeDatabase } from '../database/connection.js';
import { applyMigrations } from '../database/migrations.js';

/** Defaults for a start outside production. */
interface DevelopmentStart {
  /** The configuration with a database and keys. */
  config: Config;
  /** Prints the addresses, and leaves that of the service in DATA_DIR for the commands. */
  onListen(): Promise<void>;
  /** Filled in on the documentation pages; null: the secret is configured. */
  token: string | null;
  stop(): Promise<void>;
}

/**
 * Provides what the environment does not configure (the embedded PostgreSQL and a secret, both in
 * DATA_DIR), and migrates the database; logs which one.
 * @throws Error with one sentence that names the setting to change
 */
export async function startDevelopment(given: Config): Promise<DevelopmentStart> {
  const jwtSecret = await provideSecret(given);
  const embedded = `the embedded PostgreSQL in ${resolve(given.dataDir)}`;
  if (given.databaseUrl === null) console.log(`Starting ${embedded}.`);
  const { databaseUrl, stop } = await provideDatabase(given);
  try {
    const configured = `the database ${describeDatabase(databaseUrl)} (DATABASE_URL)`;
    console.log(`Migrating ${given.databaseUrl === null ? embedded : configured}.`);
    const names = await applyMigrations(databaseUrl);
    for (const name of names) console.log(`Applied ${name}`);
  } catch (error) {
    await stop();
    throw error;
  }
  // Without a folder for it, there are no webhooks: all else works.
  const webhookKey =
    given.webhookKey ?? (await developmentSecret(given.dataDir, 'webhook-key').catch(() => null));
  const config = { ...given, databaseUrl, jwtSecret, webhookKey };
  const token = developmentToken(given, config);
  const address = new AddressFile(given.dataDir);
  const onListen = async () => {
    await address.write(config.publicUrl);
    console.log(welcome(config, token));
  };
  const end = async () => {
    await address.giveBack();
    await stop();
  };
  return { config, onListen, token, stop: end };
}

/**
 * Where commands find the service that was last started with this DATA_DIR. Without a folder to keep it
 * in, they need --url.
 */
class AddressFile {
  private readonly file: string;
  private own: string | null = null;
  private former: string | null = null;

  constructor(dataDir: string) {
    this.file = join(dataDir, ADDRESS_FILE);
  }

  async write(address: string): Promise<void> {
    this.former = await this.read();
    this.own = address;
    await writeFile(this.file, address).catch(() => undefined);
  }

  /** Writes the address that was there before, unless another service has been started since. */
  async giveBack(): Promise<void> {
    const { own, former } = this;
    if (own === null || former === null || (await this.read()) !== own) return;
    await writeFile(this.file, former).catch(() => undefined);
  }

  private read(): Promise<string | null> {
    return readFile(this.file, 'utf8').catch(() => null);
  }
}

/**
 * A token for trying the service; null unless the service created its own secret. With a configured
 * secret, tokens must appear neither in a log nor on a page.
 */
function developmentToken(given: Config, { jwtSecret, issuer, audience }: Config) {
  if (given.jwtSecret !== null || jwtSecret === null) return null;
  const subject = { sub: 'ada', email: 'ada@example.com', name: 'Ada' };
  return signToken(jwtSecret, subject, { issuer, audience });
}

/** The message at the start. */
function welcome({ publicUrl }: Config, token: string | null): string {
  const lines = [
    '',
    `  The service:  ${publicUrl}`,
    `  Manual:       ${publicUrl}/manual`,
    `  Reference:    ${publicUrl}/reference`,
    `  Swagger UI:   ${publicUrl}/docs`,
    `  OpenAPI:      ${publicUrl}/openapi.json`,
  ];
  if (token !== null) {
    lines.push(
      '',
      `  A token for Ada, valid for 30 days:\n\n${token}`,
      '',
      `  Try it:\n\ncurl -H 'Authorization: Bearer ${token}' ${publicUrl}/teams`,
    );
  }
  return `${lines.join('\n')}\n`;
}

/** The database that commands and the service share. */
interface ProvidedDatabase {
  databaseUrl: string;
  /** Stops the database if it was started here. */
  stop(): Promise<void>;
}

/**
 * The database of DATABASE_URL, otherwise the embedded PostgreSQL, which is started if necessary.
 * @throws Error with one sentence if DATA_DIR cannot hold it, or it does not start
 */
export async function provideDatabase(config: Config): Promise<ProvidedDatabase> {
  const { databaseUrl, dataDir } = config;
  if (databaseUrl !== null) return { databaseUrl, stop: async () => undefined };
  assertWritable(dataDir);
  const { url, stop } = await startEmbeddedPostgres({ dataDir });
  return { databaseUrl: url, stop };
}

/**
 * The secret that tokens are signed with: AUTH_JWT_SECRET, otherwise one that is created once in
 * DATA_DIR. null with a key set: its provider signs the tokens.
 * @throws Error with one sentence if DATA_DIR cannot hold it
 */
export async function provideSecret(config: Config): Promise<string | null> {
  const { jwtSecret, jwksUrl, dataDir } = config;
  if (jwtSecret !== null || jwksUrl !== null) return jwtSecret;
  assertWritable(dataDir);
  return developmentSecret(dataDir, 'jwt-secret');
}

/**
 * A secret of a service without a configured one: created once in `dataDir`, readable only by its
 * owner. Several processes may ask for it at once; the first one's stays.
 */
async function developmentSecret(
  dataDir: string,
  name: 'jwt-secret' | 'webhook-key',
): Promise<string> {
  const file = join(dataDir, name);
  await mkdir(dataDir, { recursive: true });
  try {
    await writeFile(file, randomBytes(32).toString('base64url'), { flag: 'wx', mode: 0o600 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  return (await readFile(file, 'utf8')).trim();
}

/** Creates DATA_DIR if it does not exist. @throws Error with one sentence if it is not writable */
export function assertWritable(dataDir: string): void {
  try {
    makeFolder(resolve(dataDir));
    accessSync(dataDir, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new Error(
      `DATA_DIR: the folder ${resolve(dataDir)} cannot be created or written to (${code}): set ` +
        'DATA_DIR to a writable folder.',
    );
  }
}

/**
 * Creates a folder and its missing parents. Node's own `recursive` never ends in /proc: the system
 * reports ENOENT there although the parent exists, and Node creates the parent again and again.
 */
function makeFolder(folder: string): void {
  const above = dirname(folder);
  if (!existsSync(above)) makeFolder(above);
  try {
    mkdirSync(folder);
  } catch (error) {
    if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) throw error;
  }
}
