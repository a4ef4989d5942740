import process from 'node:process';
import { defineConfig } from 'prisma/config';

// `prisma generate` insists on finding a schema engine although it does not use it; any existing
// file will do, and nothing has to be downloaded.
process.env.PRISMA_SCHEMA_ENGINE_BINARY ??= process.execPath;

export default defineConfig({
  schema: 'prisma/schema.prisma',
  migrations: { path: 'prisma/migrations' },
});
