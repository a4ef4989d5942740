import { type Command, InvalidArgumentError } from '@commander-js/extra-typings';
import { signingOf } from '../development-secret.js';

const LONGEST_DAYS = 3650;

/** `teamspaces token`: a token for development and operations, on standard output. */
export function addToken(program: Command): void {
  program
    .command('token')
    .summary('print a token for development and operations')
    .description(
      'Prints a token, and nothing else. It is signed with AUTH_JWT_SECRET, or with the secret that\n' +
        'the service created in DATA_DIR. With AUTH_JWKS_URL, only the identity provider issues tokens:\n' +
        'the command fails.',
    )
    .requiredOption('--sub <subject>', 'the claim sub: who it is for', subject)
    .requiredOption('--email <address>', 'the claim email', address)
    .option('--name <name>', 'the claim name')
    .option('--days <number>', `validity in days, at most ${LONGEST_DAYS}`, days, 30)
    .addHelpText(
      'after',
      '\nExample:\n  TOKEN=$(npx teamspaces token --sub ada --email ada@example.com --name Ada)',
    )
    .action(token);
}

async function token(options: {
  sub: string;
  email: string;
  name?: string | undefined;
  days: number;
}): Promise<void> {
  const { secret, issuer, audience } = await signingOf(
    'With AUTH_JWKS_URL, only your identity provider issues tokens.',
  );
  const { signToken } = await import('../../development/token.js');
  const { sub, email, name, days } = options;
  console.log(signToken(secret, { sub, email, name }, { days, issuer, audience }));
}

function subject(text: string): string {
  if (text === '') throw new InvalidArgumentError('It must not be empty.');
  return text;
}

function address(text: string): string {
  if (!text.includes('@')) throw new InvalidArgumentError('It must be an address with an @.');
  return text;
}

function days(text: string): number {
  const number = Number(text);
  if (text.trim() !== '' && number > 0 && number <= LONGEST_DAYS) return number;
  throw new InvalidArgumentError(`It must be a number above 0, at most ${LONGEST_DAYS}.`);
}
