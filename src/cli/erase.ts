import { parseArgs } from 'node:util';
import { loadConfig } from '../config/config.js';
import { explained, provideDefaults } from './defaults.js';
import { Erasure } from './erase/erasure.js';

const USAGE = `Usage: npm run erase -- --issuer https://id.example.com --subject 248289761001
       npm run erase -- --email ada@example.com

  --issuer, --subject  the person or service, by iss and sub of the token (--issuer '': no iss)
  --email              invites to an address that nobody has called with`;

/** Forgets a person: the operator's answer to a request for erasure. The service may be running. */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      issuer: { type: 'string' },
      subject: { type: 'string' },
      email: { type: 'string' },
      help: { type: 'boolean' },
    },
  });
  if (values.help) return console.log(USAGE);
  const work = whatToDo(values);
  const { config, stop } = await provideDefaults(loadConfig(process.env));
  const erasure = new Erasure(config);
  try {
    console.log(await work(erasure));
  } catch (error) {
    throw explained(error);
  } finally {
    await erasure.close();
    await stop();
  }
}

/** @returns what does it, and says in a line what was done */
function whatToDo(values: {
  issuer?: string | undefined;
  subject?: string | undefined;
  email?: string | undefined;
}): (erasure: Erasure) => Promise<string> {
  const { issuer, subject, email } = values;
  if (email && issuer === undefined && subject === undefined) {
    return (erasure) => eraseInvites(erasure, email);
  }
  if (issuer !== undefined && subject && email === undefined) {
    return (erasure) => erasePerson(erasure, issuer, subject);
  }
  throw new Error(USAGE);
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

const counted = (count: number, what: string): string =>
  `${count} ${what}${count === 1 ? '' : 's'}`;

main().then(
  () => process.exit(0),
  (error: unknown) => {
    const { message, code } = error as Error & { code?: string };
    console.error(message || code || String(error));
    process.exit(1);
  },
);
