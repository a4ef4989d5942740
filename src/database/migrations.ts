import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { MigrationList, SchemaContainer } from '@prisma/schema-engine-wasm';
import pg from 'pg';
import { withSchemaEngine } from './schema-engine.js';

// Any number, as long as nothing else in the database uses it.
const MIGRATION_LOCK = 7_431_102_385;
const FILTERS = { externalTables: [], externalEnums: [] };

/**
 * Brings the database up to date and returns the names of the migrations that were missing. Where
 * several instances start at once, one works and the others wait. Each migration is applied whole
 * or not at all. `prisma migrate` can go on from the same history.
 * @throws Error when the database cannot be reached or a migration fails.
 */
export async function applyMigrations(databaseUrl: string): Promise<string[]> {
  // A connection of its own: the lock belongs to the session.
  const client = new pg.Client({
    connectionString: databaseUrl,
    connectionTimeoutMillis: 10_000,
    application_name: 'teamspaces migrations',
  });
  // When it breaks, the engine's own connection breaks too, and says so.
  client.on('error', () => undefined);
  await client.connect();
  try {
    await client.query('SELECT pg_advisory_lock($1)::text', [MIGRATION_LOCK]);
    return await withSchemaEngine(databaseUrl, schemaFile(), async (engine) => {
      const input = { migrationsList: migrationsList(), filters: FILTERS };
      return (await engine.applyMigrations(input)).appliedMigrationNames;
    });
  } finally {
    await client.end();
  }
}

/**
 * Compares prisma/schema.prisma with what the migrations make of an empty database. Returns '' when
 * they agree, else the SQL that would lead from the migrations to the schema.
 */
export async function findSchemaDrift(emptyDatabaseUrl: string): Promise<string> {
  await applyMigrations(emptyDatabaseUrl);
  const schema = schemaFile();
  const files = [schema];
  return withSchemaEngine(emptyDatabaseUrl, schema, async (engine) => {
    const { exitCode, stdout } = await engine.diff({
      from: { tag: 'schemaDatasource', files, configDir: packageRoot() },
      to: { tag: 'schemaDatamodel', files },
      script: true,
      exitCode: true,
      filters: FILTERS,
    });
    return exitCode === 0 ? '' : (stdout ?? '').trim();
  });
}

function migrationsList(): MigrationList {
  const baseDir = join(packageRoot(), 'prisma', 'migrations');
  const names = readdirSync(baseDir, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .sort();
  return {
    baseDir,
    lockfile: {
      path: 'migration_lock.toml',
      content: readFileSync(join(baseDir, 'migration_lock.toml'), 'utf8'),
    },
    shadowDbInitScript: '',
    migrationDirectories: names.map((name) => {
      const value = readFileSync(join(baseDir, name, 'migration.sql'), 'utf8');
      return {
        path: name,
        migrationFile: { path: 'migration.sql', content: { tag: 'ok', value } },
      };
    }),
  };
}

function schemaFile(): SchemaContainer {
  const path = join(packageRoot(), 'prisma', 'schema.prisma');
  return { path, content: readFileSync(path, 'utf8') };
}

/** The same from src/ (tests) and from dist/. */
function packageRoot(): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, 'prisma', 'schema.prisma'))) {
    const parent = dirname(folder);
    if (parent === folder) throw new Error('prisma/schema.prisma is missing beside the package');
    folder = parent;
  }
  return folder;
}
