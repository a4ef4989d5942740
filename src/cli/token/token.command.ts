import { type Command, InvalidArgumentError, Option } from '@commander-js/extra-typings';
import { print } from 'teamspaces';
import { loadConfig } from '../../config/config.js';

const MAX_DAYS = 3650;
const SCOPES = ['read', 'write', 'manage'] as const;
const EXAMPLES = `
Examples:
  TOKEN=$(npx teamspaces token --sub ada --email ada@example.com --name Ada)
  TOKEN=$(npx teamspaces token --sub ci-bot --service --scope read)`;

/** `teamspaces token`: a token for development and operations, on standard output. */
export function addToken(program: Command): void {
  const command = program
    .command('token')
    .usage('--sub <subject> (--email <address> | --service) [options]')
    .summary('print a token for development and operations')
    .description(
      'Prints a token, and nothing else. It is signed with AUTH_JWT_SECRET, or with the secret that\n' +
        'the service created in DATA_DIR. With AUTH_JWKS_URL, only the identity provider issues tokens:\n' +
        'the command fails.',
    )
    .option('--sub <subject>', 'the claim sub: who it is for', subject)
    .option('--email <address>', 'the claim email', address)
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
    .action(({ sub, service = false, ...options }) => {
      const missing = sub === undefined ? ['--sub <subject>'] : [];
      if (!service && !options.email) missing.push('--email <address>');
      if (sub === undefined || missing.length > 0) {
        return command.error(`error: ${missing.join(' and ')} must be given`);
      }
      return token({ ...options, sub });
    });
}

async function token(options: {
  sub: string;
  email?: string | undefined;
  name?: string | undefined;
  scope?: string | undefined;
  days: number;
}): Promise<void> {
  const { secret, issuer, audience } = await signingOf(
    'With AUTH_JWKS_URL, only your identity provider issues tokens.',
  );
  const { signToken } = await import('../../development/token.js');
  const { sub, email, name, days } = options;
  const scope = options.scope && `teamspaces:${options.scope}`;
  print(signToken(secret, { sub, email, name }, { days, issuer, audience, scope }));
}

/** The secret that signs tokens, with their issuer and audience. */
interface Signing {
  secret: string;
  issuer: string | null;
  audience: string | null;
}

/**
 * The secret of the service that runs with the settings of this environment: AUTH_JWT_SECRET, or
 * the one that it created.
 * @param withKeySet the error message if AUTH_JWKS_URL is set, and the provider issues the tokens
 * @throws Error with one sentence
 */
export async function signingOf(withKeySet: string): Promise<Signing> {
  const { AUTH_JWT_SECRET, AUTH_JWKS_URL, AUTH_ISSUER, AUTH_AUDIENCE, DATA_DIR } = process.env;
  const config = loadConfig({
    ...{ AUTH_JWT_SECRET, AUTH_JWKS_URL, AUTH_ISSUER, AUTH_AUDIENCE, DATA_DIR },
  });
  const { provideSecret } = await import('../../development/start.js');
  const secret = await provideSecret(config);
  if (secret === null) throw new Error(withKeySet);
  return { secret, issuer: config.issuer, audience: config.audience };
}

function subject(text: string): string {
  if (text === '') throw new InvalidArgumentError('It must not be empty.');
  return text;
}

/** Of `--email`. */
export function address(text: string): string {
  if (!text.includes('@')) throw new InvalidArgumentError('It must be an address with an @.');
  return text;
}

function days(text: string): number {
  const number = Number(text);
  if (text.trim() !== '' && number > 0 && number <= MAX_DAYS) return number;
  throw new InvalidArgumentError(`It must be a number above 0, at most ${MAX_DAYS}.`);
}
