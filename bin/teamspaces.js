#!/usr/bin/env node
import { fileURLToPath } from 'node:url';
import { build } from './build.js';

// The command line in a checkout: `npx teamspaces`. It builds first if a source has changed. In an
// image, run `node dist/cli.js`.

// Commands run in the project's folder, where DATA_DIR is; paths are relative to the caller's folder.
process.env.INIT_CWD = process.cwd();
process.chdir(fileURLToPath(new URL('..', import.meta.url)));
await build();
await import('../dist/cli.js');
