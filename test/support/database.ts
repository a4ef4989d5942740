import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';

const OBJECT_IN_USE = '55006';

export interface TestDatabase {
  url: string;
  /** Drops it, whoever is still connected. */
  drop(): Promise<void>;
}

/** An empty database with all migrations, of the caller's own: tests never see each other's rows. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const template = process.env.TEST_TEMPLATE;
  const name = `${template}_${randomBytes(6).toString('hex')}`;
  const url = new URL(adminUrl());
  url.pathname = `/${name}`;
  await copyTemplate(`CREATE DATABASE ${name} TEMPLATE ${template}`);
  return { url: url.href, drop: () => administer(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`) };
}

/** A database of the caller's own with nothing in it. */
export async function createEmptyDatabase(): Promise<TestDatabase> {
  const name = `teamspaces_empty_${randomBytes(6).toString('hex')}`;
  const url = new URL(adminUrl());
  url.pathname = `/${name}`;
  await administer(`CREATE DATABASE ${name} TEMPLATE template0`);
  return { url: url.href, drop: () => administer(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`) };
}

/** A template is busy while somebody is connected to it, if only autovacuum. */
async function copyTemplate(sql: string): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await administer(sql);
    } catch (error) {
      if (attempt === 20 || (error as pg.DatabaseError).code !== OBJECT_IN_USE) throw error;
      await sleep(50 * attempt);
    }
  }
}

async function administer(sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: adminUrl() });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}

function adminUrl(): string {
  const url = process.env.TEST_ADMIN_URL;
  if (!url) throw new Error('TEST_ADMIN_URL is unset: run the tests with jest, by `npm test`');
  return url;
}
