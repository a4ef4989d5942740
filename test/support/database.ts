import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { closeSql, sql } from './sql.js';

const OBJECT_IN_USE = '55006';

/** Of the cluster's database, at this moment. */
let users = 0;

export interface TestDatabase {
  url: string;
  /** Drops it, whoever is still connected. */
  drop(): Promise<void>;
}

/**
 * An empty database with all migrations, of the caller's own: tests never see each other's rows.
 * On a cluster it is one for all, emptied when the last one of a file has dropped it.
 */
export async function createTestDatabase(): Promise<TestDatabase> {
  const distributed = process.env.TEST_DISTRIBUTED_URL;
  if (distributed) {
    users++;
    return {
      url: distributed,
      drop: async () => {
        if (--users === 0) await empty(distributed);
      },
    };
  }
  return createDatabase(String(process.env.TEST_TEMPLATE));
}

/** A database without anything in it, migrations included. */
export const createEmptyDatabase = (): Promise<TestDatabase> => createDatabase('template0');

async function createDatabase(template: string): Promise<TestDatabase> {
  const name = `${process.env.TEST_TEMPLATE}_${randomBytes(6).toString('hex')}`;
  const url = new URL(adminUrl());
  url.pathname = `/${name}`;
  const strategy = process.env.TEST_COPY_STRATEGY ?? '';
  await copyTemplate(`CREATE DATABASE ${name} TEMPLATE ${template} ${strategy}`);
  return {
    url: url.href,
    async drop() {
      await closeSql(url.href);
      await administer(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
    },
  };
}

/** A template is busy while somebody is connected to it, if only autovacuum. */
async function copyTemplate(text: string): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await administer(text);
      return;
    } catch (error) {
      if (attempt === 20 || (error as pg.DatabaseError).code !== OBJECT_IN_USE) throw error;
      await sleep(50 * attempt);
    }
  }
}

/** Deletes all rows but those that migrations insert. */
async function empty(url: string): Promise<void> {
  const tables = `SELECT string_agg(format('%I', relname), ', ') AS names FROM pg_class
    WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'
      AND relname NOT LIKE '\\_%' AND relname NOT IN ('webhook_rounds', 'search_rounds')`;
  const [row] = await sql<{ names: string }>(url, tables);
  await sql(url, `TRUNCATE ${row?.names}`);
}

const administer = (text: string) => sql(adminUrl(), text);

function adminUrl(): string {
  const url = process.env.TEST_ADMIN_URL;
  if (!url) throw new Error('TEST_ADMIN_URL is unset: run the tests with jest, by `npm test`');
  return url;
}
