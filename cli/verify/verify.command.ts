import type { Command } from '@commander-js/extra-typings';
import { Ended, print, printJson } from 'teamspaces';
import { withDatabase } from '../with-database.js';

/** `teamspaces verify`: checks the invariants of the whole database. */
export function addVerify(program: Command): void {
  program
    .command('verify')
    .summary('check the invariants of the whole database')
    .description(
      'Checks the invariants of the whole database (orders, parents, counters, owners) in one\n' +
        'snapshot; the service may be running. Prints each invariant with the number of rows that\n' +
        'violate it, and exits with status 1 if there are any. It changes nothing.',
    )
    .option('--json', 'print the invariants as a JSON array')
    .addHelpText('after', '\nExample:\n  npx teamspaces verify')
    .action(({ json = false }) => withDatabase(({ databaseUrl }) => verify(databaseUrl, json)));
}

async function verify(databaseUrl: string, json: boolean): Promise<void> {
  const { verifyDatabase } = await import('./invariants.js');
  const findings = await verifyDatabase(databaseUrl);
  if (json) printJson(findings);
  for (const { name, violations, examples } of json ? [] : findings) {
    print(`${violations === 0 ? 'ok    ' : 'BROKEN'}  ${name}: ${violations}`);
    for (const example of examples) print(`          ${example}`);
  }
  if (findings.some(({ violations }) => violations > 0)) throw new Ended(1);
}
