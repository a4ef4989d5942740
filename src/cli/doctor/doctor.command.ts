import type { Command } from '@commander-js/extra-typings';
import { Ended } from '../interruption.js';

/** `teamspaces doctor`: checks what the service depends on. */
export function addDoctor(program: Command): void {
  program
    .command('doctor')
    .summary('check the configuration and what it depends on')
    .description(
      'Checks the configuration in the environment and what it refers to: database, migrations,\n' +
        'keys, Redis, mail server, clock. Prints a line for each: ok, warn or fail, and what to do.\n' +
        'Exits with status 1 if a check fails. It changes nothing and prints no secrets.',
    )
    .addHelpText('after', '\nExample:\n  npx teamspaces doctor')
    .action(async () => {
      const { examine } = await import('./examination.js');
      let failed = 0;
      for await (const { level, check, says } of examine(process.env)) {
        console.log(`${level.padEnd(4)}  ${check.padEnd(13)}  ${says}`);
        if (level === 'fail') failed++;
      }
      if (failed > 0) throw new Ended(1);
    });
}
