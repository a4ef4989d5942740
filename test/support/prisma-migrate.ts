import { readFileSync } from 'node:fs';
import type { MigrationList, SchemaEngine } from '@prisma/schema-engine-wasm';
import { withSchemaEngine } from '@teamspaces/local-postgres/schema-engine';
import type { Migration } from '../../src/database/migration-history.js';

// What Prisma's own command line would say and do: its engine, without its downloads.

const FILTERS = { externalTables: [], externalEnums: [] };
const LOCKFILE = 'prisma/migrations/migration_lock.toml';

/** `prisma migrate status`. */
export const prismaStatus = (databaseUrl: string, migrations: Migration[]) =>
  withEngine(databaseUrl, (engine) =>
    engine.diagnoseMigrationHistory({
      migrationsList: asList(migrations),
      optInToShadowDatabase: false,
      filters: FILTERS,
    }),
  );

/** `prisma migrate deploy`; returns the names of what was applied. */
export const prismaDeploy = (databaseUrl: string, migrations: Migration[]): Promise<string[]> =>
  withEngine(databaseUrl, async (engine) => {
    const input = { migrationsList: asList(migrations), filters: FILTERS };
    return (await engine.applyMigrations(input)).appliedMigrationNames;
  });

function withEngine<T>(
  databaseUrl: string,
  work: (engine: SchemaEngine) => Promise<T>,
): Promise<T> {
  const path = 'prisma/schema.prisma';
  return withSchemaEngine(databaseUrl, { path, content: readFileSync(path, 'utf8') }, work);
}

const asList = (migrations: Migration[]): MigrationList => ({
  baseDir: 'prisma/migrations',
  lockfile: { path: 'migration_lock.toml', content: readFileSync(LOCKFILE, 'utf8') },
  shadowDbInitScript: '',
  migrationDirectories: migrations.map(({ name, sql }) => ({
    path: name,
    migrationFile: { path: 'migration.sql', content: { tag: 'ok', value: sql } },
  })),
});
