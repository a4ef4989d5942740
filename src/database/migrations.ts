import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { PrismaPg } from '@prisma/adapter-pg';
import { bindMigrationAwareSqlAdapterFactory } from '@prisma/driver-adapter-utils';
import type { MigrationList, SchemaEngine } from '@prisma/schema-engine-wasm';
import pg from 'pg';

// Any number, as long as nothing else in the database uses it.
const MIGRATION_LOCK = 7_431_102_385;
const FILTERS = { externalTables: [], externalEnums: [] };

/**
 * Brings the database up to date and returns the names of the migrations that were missing. Where
 * several instances start at once, one works and the others wait. It is Prisma's own engine, built
 * for WebAssembly: nothing is downloaded, and `prisma migrate` can go on from the same history.
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
    return await withEngine(databaseUrl, async (engine) => {
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
  const root = packageRoot();
  const path = join(root, 'prisma', 'schema.prisma');
  const files = [{ path, content: readFileSync(path, 'utf8') }];
  return withEngine(emptyDatabaseUrl, async (engine) => {
    const { exitCode, stdout } = await engine.diff({
      from: { tag: 'schemaDatasource', files, configDir: root },
      to: { tag: 'schemaDatamodel', files },
      script: true,
      exitCode: true,
      filters: FILTERS,
    });
    return exitCode === 0 ? '' : (stdout ?? '').trim();
  });
}

async function withEngine<T>(
  databaseUrl: string,
  work: (engine: SchemaEngine) => Promise<T>,
): Promise<T> {
  const { SchemaEngine } = await loadEngine();
  const path = join(packageRoot(), 'prisma', 'schema.prisma');
  const engine = await SchemaEngine.new(
    { datamodels: [[path, readFileSync(path, 'utf8')]] },
    () => undefined,
    bindMigrationAwareSqlAdapterFactory(new PrismaPg({ connectionString: databaseUrl })),
  );
  try {
    return await work(engine);
  } finally {
    engine.free();
  }
}

type EngineModule = typeof import('@prisma/schema-engine-wasm');
let loaded: Promise<EngineModule> | undefined;

/** The package's own entry imports the .wasm file, which Node does not do without a flag. */
function loadEngine(): Promise<EngineModule> {
  loaded ??= (async () => {
    const glue = (await import('@prisma/schema-engine-wasm/schema_engine_bg')) as unknown as Glue;
    const entry = createRequire(import.meta.url).resolve('@prisma/schema-engine-wasm');
    const bytes = readFileSync(join(dirname(entry), 'schema_engine_bg.wasm'));
    const { instance } = await WebAssembly.instantiate(bytes, { './schema_engine_bg.js': glue });
    glue.__wbg_set_wasm(instance.exports);
    instance.exports.__wbindgen_start();
    return glue;
  })();
  return loaded;
}

interface Glue extends EngineModule {
  __wbg_set_wasm(exports: EngineExports): void;
}

interface EngineExports {
  __wbindgen_start(): void;
}

// Node has it; TypeScript knows it only as a part of the browser.
declare const WebAssembly: {
  instantiate(
    bytes: Uint8Array,
    imports: object,
  ): Promise<{ instance: { exports: EngineExports } }>;
};

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
