import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { PrismaPg } from '@prisma/adapter-pg';
import {
  bindMigrationAwareSqlAdapterFactory,
  ColumnTypeEnum,
  DriverAdapterError,
  type SqlDriverAdapter,
  type SqlMigrationAwareDriverAdapterFactory,
} from '@prisma/driver-adapter-utils';
import type { SchemaContainer, SchemaEngine } from '@prisma/schema-engine-wasm';
import pg from 'pg';

const QUOTED_CHAR = 18;

/**
 * Prisma's schema engine at work on one database: the WebAssembly build, which requires no
 * download. No connection stays open after `work`; otherwise templates would be in use and the
 * engine's session lock would block others.
 */
export async function withSchemaEngine<T>(
  databaseUrl: string,
  schema: SchemaContainer,
  work: (engine: SchemaEngine) => Promise<T>,
): Promise<T> {
  const { SchemaEngine } = await loadEngine();
  const pool = new pg.Pool({ connectionString: databaseUrl, connectionTimeoutMillis: 10_000 });
  pool.on('error', () => undefined);
  try {
    const engine = await SchemaEngine.new(
      { datamodels: [[schema.path, schema.content]] },
      () => undefined,
      bindMigrationAwareSqlAdapterFactory(adapterFactory(pool)),
    );
    try {
      return await work(engine);
    } catch (error) {
      throw new Error(withoutTrace(String((error as Error).message)), { cause: error });
    } finally {
      engine.free();
    }
  } finally {
    await pool.end();
  }
}

/** Prisma's adapter with two fixes for the engine. */
function adapterFactory(pool: pg.Pool): SqlMigrationAwareDriverAdapterFactory {
  const charColumns = disguiseQuotedChar(pool);
  const factory = new PrismaPg(pool);
  const connect = async (): Promise<SqlDriverAdapter> => {
    const adapter: SqlDriverAdapter = await factory.connect();
    const queryRaw = adapter.queryRaw.bind(adapter);
    adapter.queryRaw = async (query) => {
      const result = await queryRaw(query);
      for (const column of charColumns.get(result.rows) ?? []) {
        result.columnTypes[column] = ColumnTypeEnum.Character;
      }
      return result;
    };
    // The adapter cuts scripts at every semicolon, also those in strings, comments and function
    // bodies. Sent as one, PostgreSQL runs a script in one transaction.
    adapter.executeScript = async (script) => {
      await pool.query(script).catch((error: unknown) => {
        throw asAdapterError(error);
      });
    };
    return adapter;
  };
  const { provider, adapterName } = factory;
  return { provider, adapterName, connect, connectToShadowDb: () => factory.connectToShadowDb() };
}

/** The engine's message without its own call stack, which says nothing to anybody here. */
function withoutTrace(message: string): string {
  const noise = /^ +(\d+: |at |with )|^external connector error$|^$/;
  const lines = message.split('\n').filter((line) => !noise.test(line));
  const migration = /with migration_name="(.+)"/.exec(message)?.[1];
  return (migration ? [`${migration}: ${lines[0]}`, ...lines.slice(1)] : lines).join(' ');
}

/** PostgreSQL's message, in the form that the engine quotes. */
function asAdapterError(error: unknown): unknown {
  if (!(error instanceof pg.DatabaseError)) return error;
  return new DriverAdapterError({
    kind: 'postgres',
    code: error.code ?? 'XX000',
    severity: error.severity ?? 'ERROR',
    message: error.message,
    detail: error.detail,
    column: error.column,
    hint: error.hint,
  });
}

/**
 * The adapter rejects the type "char", which is frequent in the catalogues that the engine reads to
 * compare schemas. Reports it as text, and remembers the columns for each array of rows.
 */
function disguiseQuotedChar(pool: pg.Pool): WeakMap<unknown[], number[]> {
  const columns = new WeakMap<unknown[], number[]>();
  const query = pool.query.bind(pool) as (config: pg.QueryConfig) => Promise<pg.QueryArrayResult>;
  pool.query = (async (config: pg.QueryConfig) => {
    const result = await query(config);
    const found: number[] = [];
    for (const [column, field] of (result.fields ?? []).entries()) {
      if (field.dataTypeID !== QUOTED_CHAR) continue;
      field.dataTypeID = pg.types.builtins.TEXT;
      found.push(column);
    }
    if (found.length > 0) columns.set(result.rows, found);
    return result;
  }) as typeof pool.query;
  return columns;
}

type EngineModule = typeof import('@prisma/schema-engine-wasm');
let loaded: Promise<EngineModule> | undefined;

/** The package's own entry imports the .wasm file, which Node does not do without a flag. */
function loadEngine(): Promise<EngineModule> {
  loaded ??= (async () => {
    // A panic of the engine is reported there, then thrown as a bare "unreachable".
    const panics = { set_message: (message: string) => console.error(message) };
    Object.assign(globalThis, { PRISMA_WASM_PANIC_REGISTRY: panics });
    const glue = (await import('@prisma/schema-engine-wasm/schema_engine_bg')) as unknown as Glue;
    const entry = createRequire(import.meta.url).resolve('@prisma/schema-engine-wasm');
    const bytes = readFileSync(join(dirname(entry), 'schema_engine_bg.wasm'));
    const { instance } = await WebAssembly.instantiate(bytes, {
      './schema_engine_bg.js': withIdleTimers(glue),
    });
    glue.__wbg_set_wasm(instance.exports);
    instance.exports.__wbindgen_start();
    return glue;
  })();
  return loaded;
}

/** The engine forgets a timer of ten seconds, which must not keep the process from ending. */
function withIdleTimers(glue: object): object {
  const timer = /^__wbg_setTimeout_/;
  const entries = Object.entries(glue).map(([name, value]) => {
    if (!timer.test(name)) return [name, value];
    const start = value as (...args: unknown[]) => NodeJS.Timeout;
    return [name, (...args: unknown[]) => start(...args).unref()];
  });
  return Object.fromEntries(entries);
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

/**
 * Compares a database with prisma/schema.prisma.
 * @param root the folder that holds prisma/
 * @returns '' if they agree, otherwise the SQL that would lead from the database to the schema
 */
export async function findSchemaDrift(databaseUrl: string, root: string): Promise<string> {
  const path = join(root, 'prisma', 'schema.prisma');
  const schema = { path, content: readFileSync(path, 'utf8') };
  return withSchemaEngine(databaseUrl, schema, async (engine) => {
    const { exitCode, stdout } = await engine.diff({
      from: { tag: 'schemaDatasource', files: [schema], configDir: root },
      to: { tag: 'schemaDatamodel', files: [schema] },
      script: true,
      exitCode: true,
      filters: { externalTables: [], externalEnums: [] },
    });
    return exitCode === 0 ? '' : (stdout ?? '').trim();
  });
}
