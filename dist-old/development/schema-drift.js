import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { applyMigrations, packageRoot } from '../database/migrations.js';
import { withSchemaEngine } from './schema-engine.js';
/**
 * Compares prisma/schema.prisma with the schema that the migrations create. Returns '' if they
 * agree, otherwise the SQL that would lead from the migrations to the schema.
 */
export async function findSchemaDrift(emptyDatabaseUrl) {
    await applyMigrations(emptyDatabaseUrl);
    const path = join(packageRoot(), 'prisma', 'schema.prisma');
    const schema = { path, content: readFileSync(path, 'utf8') };
    return withSchemaEngine(emptyDatabaseUrl, schema, async (engine) => {
        const { exitCode, stdout } = await engine.diff({
            from: { tag: 'schemaDatasource', files: [schema], configDir: packageRoot() },
            to: { tag: 'schemaDatamodel', files: [schema] },
            script: true,
            exitCode: true,
            filters: { externalTables: [], externalEnums: [] },
        });
        return exitCode === 0 ? '' : (stdout ?? '').trim();
    });
}
//# sourceMappingURL=schema-drift.js.map