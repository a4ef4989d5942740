import { type Command, InvalidArgumentError, Option } from '@commander-js/extra-typings';
import { print } from './print.js';

const MAX_DAYS = 3650;
const SCOPES = ['read', 'write', 'manage'] as const;
const EXAMPLES = `
Examples:
  TOKEN=$(npx teamspaces token --sub ada --email ada@example.com --name Ada)
  TOKEN=$(npx teamspaces token --sub ci-bot --service --scope read)`;

/** The secret that signs tokens, with their issuer and audience. */
export interface Signing {
  secret: string;
  issuer: string | null;
  audience: string | null;
}

/**
 * `teamspaces token`: a token for development and operations, on standard output.
 * @param description sentences that say where the secret is from
 * @param signingOf looks for the secret; throws an Error with one sentence if there is none
 */
export function addTokenCommand(
  program: Command,
  description: string,
  signingOf: () => Signing | Promise<Signing>,
): void {
  const command = program
    .command('token')
    .usage('--sub <subject> (--email <address> | --service) [options]')
    .summary('print a token for development and operations')
    .description(`Prints a token, and nothing else. ${description}`)
    .option('--sub <subject>', 'the claim sub: who it is for', subject)
    .option('--email <address>', 'the claim email', emailAddress)
    .addOption(
      new Option('--service', 'a token of a service: without an email, with client_id').conflicts(
        'email',
      ),
    )
    .option('--name <name>', 'the claim name')
    .addOption(
      new Option(
        '--scope <scope>',
        'restricts the token to a scope (default: unrestricted)',
      ).choices(SCOPES),
    )
    .option('--days <number>', `validity in days, at most ${MAX_DAYS}`, days, 30)
    .addHelpText('after', EXAMPLES)
    .action(async ({ sub, email, name, scope, service = false, days }) => {
      const missing = sub === undefined ? ['--sub <subject>'] : [];
      if (!service && !email) missing.push('--email <address>');
      if (sub === undefined || missing.length > 0) {
        return command.error(`error: ${missing.join(' and ')} must be given`);
      }
      const { secret, ...issued } = await signingOf();
      const { signToken } = await import('./token.js');
      const narrowed = { days, scope: scope && `teamspaces:${scope}` };
      print(signToken(secret, { sub, email, name }, { ...issued, ...narrowed }));
    });
}

/** The command of the package: it knows the secret from the environment only. */
export const addToken = (program: Command): void =>
  addTokenCommand(
    program,
    'It is signed with AUTH_JWT_SECRET, the secret of the service.\n' +
      'AUTH_ISSUER and AUTH_AUDIENCE must be those of the service, if it has them. If the service has\n' +
      'an identity provider, only the provider issues tokens.',
    signingOfEnvironment,
  );

function signingOfEnvironment(): Signing {
  const { AUTH_JWT_SECRET: secret = '', AUTH_ISSUER, AUTH_AUDIENCE } = process.env;
  if (Buffer.byteLength(secret) < 32) {
    throw new Error(
      'Set AUTH_JWT_SECRET to the secret of the service, which has 32 bytes at least.',
    );
  }
  return { secret, issuer: AUTH_ISSUER?.trim() || null, audience: AUTH_AUDIENCE?.trim() || null };
}

function subject(text: string): string {
  if (text === '') throw new InvalidArgumentError('It must not be empty.');
  return text;
}

/** Of `--email`. */
export function emailAddress(text: string): string {
  if (!text.includes('@')) throw new InvalidArgumentError('It must be an address with an @.');
  return text;
}

function days(text: string): number {
  const number = Number(text);
  if (text.trim() !== '' && number > 0 && number <= MAX_DAYS) return number;
  throw new InvalidArgumentError(`It must be a number above 0, at most ${MAX_DAYS}.`);
}
