import type { Command } from '@commander-js/extra-typings';
import { counted } from '../counted.js';
import { withDatabase } from '../with-database.js';
import type { Erasure } from './erasure.js';

const EXAMPLES = `
Examples:
  npx teamspaces erase --issuer https://id.example.com --subject 248289761001
  npx teamspaces erase --email ada@example.com`;

type Work = (erasure: Erasure) => Promise<string>;

/** `teamspaces erase`: the operator's answer to a request for erasure. The service may be running. */
export function addErase(program: Command): void {
  const command = program
    .command('erase')
    .summary('erase a person')
    .description(
      'Forgets a person or a service: ends the memberships, deletes the invites, and replaces what is\n' +
        'recorded. All of it happens, or nothing: the last owner of a team is refused. Their next\n' +
        'token records them anew: end the account at the identity provider first.',
    )
    .option(
      '--issuer <iss>',
      "with --subject: the claim iss of their tokens, '' where there is none",
    )
    .option('--subject <sub>', 'the claim sub of their tokens')
    .option('--email <address>', 'instead: invites to an address that nobody has called with')
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
          console.log(await work(erasure));
        } finally {
          await erasure.close();
        }
      });
    });
}

/** @returns what does it, and says in a line what was done; null: the options do not fit together */
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
  const { memberships, invites, answers } = erased;
  const gone = [
    counted(memberships, 'membership'),
    counted(invites, 'invite'),
    counted(answers, 'stored answer'),
  ];
  return `Erased name, email, picture and subject; gone: ${gone.join(', ')}.`;
}

const eraseInvites = async (erasure: Erasure, email: string): Promise<string> =>
  `Erased ${counted(await erasure.invitesTo(email), 'invite')} to this address.`;
