import type { Command } from '@commander-js/extra-typings';
import { Ended } from '../interruption.js';
import { withDatabase } from '../with-database.js';

/** `teamspaces verify`: whether the whole database holds what it must. */
export function addVerify(program: Command): void {
  program
    .command('verify')
    .summary('prove the invariants over a whole database')
    .description(
      'Checks what must hold over the whole database (orders, parents, counters, owners), all of it\n' +
        'at one moment, while the service runs. Prints each rule with the number of rows that break\n' +
        'it, and ends with 1 where there is one. Changes nothing.',
    )
    .addHelpText('after', '\nExample:\n  npx teamspaces verify')
    .action(() => withDatabase(({ databaseUrl }) => verify(databaseUrl)));
}

async function verify(databaseUrl: string): Promise<void> {
  const { verifyDatabase } = await import('./invariants.js');
  const findings = await verifyDatabase(databaseUrl);
  for (const { name, violations, examples } of findings) {
    console.log(`${violations === 0 ? 'ok    ' : 'BROKEN'}  ${name}: ${violations}`);
    for (const example of examples) console.log(`          ${example}`);
  }
  if (findings.some(({ violations }) => violations > 0)) throw new Ended(1);
}
