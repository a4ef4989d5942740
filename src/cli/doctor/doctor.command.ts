import type { Command } from '@commander-js/extra-typings';
import { Ended, print, printJson } from 'teamspaces';
import type { Finding } from './finding.js';

/** `teamspaces doctor`: checks what the service depends on. */
export function addDoctor(program: Command): void {
  program
    .command('doctor')
    .summary('check the configuration and what it depends on')
    .description(
      'Checks the configuration in the environment and what it refers to: database, migrations,\n' +
        'permissions, statistics, keys, Redis, mail server, clock. Prints a line for each: ok, warn\n' +
        'or fail, and what to do.\n' +
        'Exits with status 1 if a check fails. It changes nothing and prints no secrets.',
    )
    .option('--json', 'print the findings as a JSON array')
    .addHelpText('after', '\nExample:\n  npx teamspaces doctor')
    .action(async ({ json = false }) => {
      const { examine } = await import('./examination.js');
      const findings: Finding[] = [];
      for await (const finding of examine(process.env)) {
        const { level, check, says } = finding;
        if (!json) print(`${level.padEnd(4)}  ${check.padEnd(13)}  ${says}`);
        findings.push(finding);
      }
      if (json) printJson(findings);
      if (findings.some(({ level }) => level === 'fail')) throw new Ended(1);
    });
}
