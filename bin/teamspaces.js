#!/usr/bin/env node
import { fileURLToPath } from 'node:url';
import { buildWhatIsOld } from './build.js';

// The command line from a checkout: `npx teamspaces`. Where the sources are newer than what was
// built it builds first. In an image, `node dist/cli.js` is the same without that.

// As npm does: commands run in the project's folder, where DATA_DIR is, and know whence they came.
if (!process.env.npm_command) process.env.INIT_CWD = process.cwd();
process.chdir(fileURLToPath(new URL('..', import.meta.url)));
await buildWhatIsOld();
await import('../dist/cli.js');
