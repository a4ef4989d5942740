import { readFileSync, writeFileSync } from 'node:fs';
import { withConfigTable } from './config-table.js';
// `npm run docs:config`: writes the table of settings into docs/configure.md.
const page = new URL('../../docs/configure.md', import.meta.url);
writeFileSync(page, withConfigTable(readFileSync(page, 'utf8')));
//# sourceMappingURL=docs-config.js.map