import { writeFileSync } from 'node:fs';
import { commandsPage } from './commands-page.js';
// `npm run docs:commands`: writes docs/commands.md from the help texts.
writeFileSync(new URL('../../docs/commands.md', import.meta.url), commandsPage());
//# sourceMappingURL=docs-commands.js.map