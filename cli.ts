#!/usr/bin/env node
import { runProcess } from 'teamspaces';
import { run } from './cli/program.js';

// The operators' command line: `npx teamspaces` in a checkout, `node dist/cli.js` in the image.
await runProcess(() => run(process.argv.slice(2)));
