import type { Command } from '@commander-js/extra-typings';
import { counted, print } from 'teamspaces';
import { withDatabase } from '../with-database.js';
import type { Erasure } from './erasure.js';

const EXAMPLES = `
Examples:
  npx teamspaces erase --issuer https://id.example.com --subject 248289761001
  npx teamspaces erase --email ada@example.com`;

type Work = (erasure: Erasure) => Promise<string>;

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
    .option('--email <address>', 'instead of --subject: an address with invites but no user')
    .addHelpText('after', EXAMPLES)
    .action((options) => {
      const work = whatToDo(options);
      if (work === null) {
        return command.error('error: give --issuer and --subject, or --email alone');
      }
      return withDatabase(async (config) => {
        const { Erasure } = await import('./erasure.js');
        const erasure = new Erasure(config);
        try {
          print(await work(erasure));
        } finally {
          await erasure.close();
        }
      });
    });
}

/**
 * @returns a function that erases and returns a line about it; null: the options contradict each
 * other
 */
function whatToDo(options: {
  issuer?: string | undefined;
  subject?: string | undefined;
  email?: string | undefined;
}): Work | null {
  const { issuer, subject, email } = options;
  if (email && issuer === undefined && subject === undefined) {
    return (erasure) => eraseInvites(erasure, email);
  }
  if (issuer !== undefined && subject && email === undefined) {
    return (erasure) => erasePerson(erasure, issuer, subject);
  }
  return null;
}

async function erasePerson(erasure: Erasure, issuer: string, subject: string): Promise<string> {
  const erased = await erasure.person(issuer, subject);
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

const eraseInvites = async (erasure: Erasure, email: string): Promise<string> =>
  `Erased ${counted(await erasure.invitesTo(email), 'invite')} to this address.`;
