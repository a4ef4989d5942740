#!/usr/bin/env node
import { fileURLToPath } from 'node:url';

// `npx teamspaces`: the commands of this package; in a checkout of the service, also those of its
// operators, and it builds first if a source has changed. In an image, run `node dist/cli.js`.
if (import.meta.url.endsWith('/clients/cli/teamspaces.js')) {
  // Commands run in the project's folder, where DATA_DIR is; paths are relative to the caller's folder.
  process.env.INIT_CWD = process.cwd();
  process.chdir(fileURLToPath(new URL('../..', import.meta.url)));
  const { build } = await import('../../bin/build.js');
  await build();
  await import('../../dist/cli.js');
} else {
  await import('./dist/main.js');
}
