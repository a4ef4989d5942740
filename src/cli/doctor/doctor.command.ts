import type { Command } from '@commander-js/extra-typings';
import { Ended } from '../interruption.js';

/** `teamspaces doctor`: whether what the service needs is there, and what to do where it is not. */
export function addDoctor(program: Command): void {
  program
    .command('doctor')
    .summary('check what the service needs, and say what to do')
    .description(
      'Checks the configuration in the environment and what it names: database, migrations, keys,\n' +
        'Redis, mail server, clock. A line each: ok, warn or fail, and what to do about it. Ends with\n' +
        '1 where something fails. It changes nothing and prints no secret.',
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
