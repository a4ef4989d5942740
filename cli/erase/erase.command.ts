import type { Command } from '@commander-js/extra-typings';
import { counted, emailAddress, print } from 'teamspaces';
import type { Transaction } from 'teamspaces-service/database/database';
import { withPools } from '../with-database.js';
import type { Erased } from './erasure.js';

const EXAMPLES = `
Examples:
  npx teamspaces erase --issuer https://id.example.com --subject 248289761001
  npx teamspaces erase --email ada@example.com`;

/** `teamspaces erase`: fulfils a request for erasure. The service may be running. */
export function addErase(program: Command): void {
  const command = program
    .command('erase')
    .summary('erase a person')
    .description(
      'Erases a person or a service: ends the memberships, deletes the invites, and overwrites the\n' +
        'user record, in one transaction. The last owner of a team cannot be erased. The next token of\n' +
        'the person creates a new record, so close the account at the identity provider first.',
    )
    .option('--issuer <iss>', "with --subject: the claim iss of their tokens, '' if there is none")
    .option('--subject <sub>', 'the claim sub of their tokens')
    .option(
      '--email <address>',
      'instead of --subject: an address with invites but no user',
      emailAddress,
    )
    .addHelpText('after', EXAMPLES)
    .action(({ issuer, subject, email }) => {
      if (email && issuer === undefined && subject === undefined) {
        return transaction(async (tx, { eraseInvites }) => {
          const invites = counted(await eraseInvites(tx, email), 'invite');
          return `Erased ${invites} to this address.`;
        });
      }
      if (issuer !== undefined && subject && email === undefined) {
        return transaction(async (tx, { erasePerson }) =>
          inWords(await erasePerson(tx, issuer, subject)),
        );
      }
      return command.error('error: give --issuer and --subject, or --email alone');
    });
}

/** Runs `work` completely or not at all, while the service runs, and prints what it returns. */
const transaction = (
  work: (tx: Transaction, erasure: typeof import('./erasure.js')) => Promise<string>,
): Promise<void> =>
  withPools(async (database) => {
    const erasure = await import('./erasure.js');
    print(await database.transaction((tx) => work(tx, erasure), { purpose: 'erase' }));
  });

function inWords(erased: Erased | null): string {
  if (erased === null) {
    return 'Nobody is recorded with this issuer and subject: there is nothing to erase.';
  }
  const { memberships, invites, responses } = erased;
  const gone = [
    counted(memberships, 'membership'),
    counted(invites, 'invite'),
    counted(responses, 'stored response'),
  ];
  return `Erased name, email, picture and subject; gone: ${gone.join(', ')}.`;
}
