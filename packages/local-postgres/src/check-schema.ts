import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { startEmbeddedPostgres } from './embedded-postgres.js';
import { findSchemaDrift } from './schema-engine.js';

/** `npm run check:schema`: prisma/schema.prisma and prisma/migrations describe the same database. */
async function main(): Promise<void> {
  const server = process.env.TEST_DATABASE_URL?.trim();
  const drift = await (server ? inScratchDatabase(server) : inOwnServer());
  if (drift === '') {
    console.log('prisma/schema.prisma and prisma/migrations agree.');
    return;
  }
  console.error(`prisma/schema.prisma and prisma/migrations differ. This is missing:\n\n${drift}`);
  process.exitCode = 1;
}

/** What the migrations of the current folder leave different from its schema. */
async function driftOf(emptyDatabaseUrl: string): Promise<string> {
  const client = new pg.Client({ connectionString: emptyDatabaseUrl });
  await client.connect();
  try {
    for (const name of (await readdir('prisma/migrations')).sort()) {
      const file = join('prisma/migrations', name, 'migration.sql');
      if (!existsSync(file)) continue;
      await client.query(await readFile(file, 'utf8')).catch((cause: Error) => {
        throw new Error(`${name}: ${cause.message}`, { cause });
      });
    }
  } finally {
    await client.end();
  }
  return findSchemaDrift(emptyDatabaseUrl, '.');
}

async function inScratchDatabase(server: string): Promise<string> {
  const name = `teamspaces_schema_${randomBytes(6).toString('hex')}`;
  const url = new URL(server);
  url.pathname = `/${name}`;
  const admin = new pg.Client({ connectionString: server, connectionTimeoutMillis: 10_000 });
  await admin.connect();
  try {
    await admin.query(`CREATE DATABASE ${name} TEMPLATE template0`);
    return await driftOf(url.href);
  } finally {
    await admin.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
    await admin.end();
  }
}

async function inOwnServer(): Promise<string> {
  const dataDir = await mkdtemp(join(tmpdir(), 'teamspaces-schema-'));
  const extraSettings = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' };
  try {
    const postgres = await startEmbeddedPostgres({ dataDir, extraSettings });
    try {
      return await driftOf(postgres.url);
    } finally {
      await postgres.stop();
    }
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
}

main().catch((error: unknown) => {
  const { message, code } = error as Error & { code?: string };
  console.error(`The schema could not be checked: ${message || code || String(error)}`);
  process.exitCode = 1;
});
