#!/usr/bin/env node
import { run } from './cli/program.js';
// The operators' command line: `npx teamspaces` in a checkout, `node dist/cli.js` in the image.
process.exit(await run(process.argv.slice(2)));
//# sourceMappingURL=cli.js.map