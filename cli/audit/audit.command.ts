import { type Command, InvalidArgumentError, Option } from '@commander-js/extra-typings';
import { AUDIT_ACTIONS } from 'teamspaces-service/audit/audit-entries.repository';
import { isTime } from 'teamspaces-service/validation/fields';
import { withPools } from '../with-database.js';

const EXAMPLES = `
Examples:
  npx teamspaces audit --team acme --since 2026-01-01T00:00:00Z
  npx teamspaces audit --team acme --since 2026-01-01T00:00:00Z --json > acme.jsonl`;

/** `teamspaces audit`: the audit log of a team, for a log store. The service may be running. */
export function addAudit(program: Command): void {
  program
    .command('audit')
    .summary('export the audit log of a team')
    .description(
      'Prints who did what in a team, oldest first, one line for each entry. It prints what every owner\n' +
        'of the team may see: entries about private workspaces are left out.',
    )
    .requiredOption('--team <slug>', 'the team')
    .option('--since <time>', 'only entries at or after this time (ISO 8601)', toTime)
    .option('--until <time>', 'only entries before this time (ISO 8601)', toTime)
    .addOption(
      new Option(
        '--action <action>',
        'only entries of this action, such as member.removed',
      ).argParser(toAction),
    )
    .option('--json', 'print entries as the API returns them, a line of JSON each')
    .addHelpText('after', EXAMPLES)
    .action(({ team, json = false, ...filter }) =>
      withPools(async (database) => {
        const { exportAuditLog } = await import('./audit-export.js');
        await exportAuditLog(database, team, filter, json);
      }),
    );
}

function toTime(text: string): Date {
  if (!isTime(text)) {
    throw new InvalidArgumentError('It must be a date and time such as 2026-01-31T12:00:00Z.');
  }
  return new Date(text);
}

function toAction(text: string) {
  const action = AUDIT_ACTIONS.find((known) => known === text);
  if (!action) throw new InvalidArgumentError(`It must be one of ${AUDIT_ACTIONS.join(', ')}.`);
  return action;
}
