import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { interruption, print } from 'teamspaces';
import { createClient, TeamspacesError, UnauthorizedError } from 'teamspaces-client';
import { signingOf } from '../token/token.command.js';
import { type Organisation, Seeder } from './seeder.js';

const FOLDER = fileURLToPath(new URL('../../../examples/demo', import.meta.url));
/** The address in what-to-try.sh. */
const EXAMPLE_URL = 'http://localhost:3000';
/** How long the tokens are valid. */
const DAYS = 30;

/**
 * Fills the service at `url` with the organisation in examples/demo, and prints what to try.
 * @throws Error with a sentence: in production, or if the service is not there or refuses the tokens
 */
export async function runDemo(url: string): Promise<void> {
  const interrupted = interruption();
  const { people, teams } = JSON.parse(
    await readFile(`${FOLDER}/organisation.json`, 'utf8'),
  ) as Organisation;
  const tokens = await signTokens(people);
  const tokenOf = (person: string): string => tokens.get(person) ?? '';
  await assertAccepted(url, tokenOf('Ada'));

  let created = 0;
  const clientOf = (person: string) => createClient({ baseUrl: url, token: tokenOf(person) });
  const seeder = new Seeder(people, FOLDER, clientOf, (sentence) => {
    created++;
    print(sentence);
  });
  for (const team of teams) await Promise.race([seeder.seed(team), interrupted]);
  if (created === 0) print('The demo already exists: nothing was changed.');

  const requests = await readFile(`${FOLDER}/what-to-try.sh`, 'utf8');
  const text = `
The people:

${Object.keys(people)
  .map((person) => `  ${person.padEnd(6)} ${rolesOf(person, { people, teams })}`)
  .join('\n')}

Their tokens, for ${DAYS} days. Paste these lines into a terminal:

${[...tokens].map(([person, token]) => `${person.toUpperCase()}=${token}`).join('\n')}

Then try, in the same terminal:

${requests.replaceAll(EXAMPLE_URL, url)}
Or open ${url}/docs: Ada's token is filled in there, if the service made its own secret.`;
  print(...text.split('\n'));
}

/** A token for each person, signed as the service expects it. */
async function signTokens(people: Organisation['people']): Promise<Map<string, string>> {
  if (process.env.NODE_ENV?.trim() === 'production') {
    throw new Error(
      'The demo is for development, and NODE_ENV is production: its tokens would let anyone impersonate everyone.',
    );
  }
  const { secret, issuer, audience } = await signingOf(
    'The demo signs tokens with the secret of the service; with AUTH_JWKS_URL only your identity provider issues tokens.',
  );
  const { signToken } = await import('../../development/token.js');
  return new Map(
    Object.entries(people).map(([name, person]) => [
      name,
      signToken(secret, { ...person, name }, { days: DAYS, issuer, audience }),
    ]),
  );
}

/** @throws Error that says what to do if the service does not respond or refuses the token */
async function assertAccepted(url: string, token: string): Promise<void> {
  try {
    await createClient({ baseUrl: url, token, retry: { attempts: 1 } }).GET('/me');
  } catch (error) {
    if (error instanceof UnauthorizedError) {
      throw new Error(
        `The service at ${url} refuses the tokens (${error.message}): give the demo the DATA_DIR, ` +
          'AUTH_JWT_SECRET, AUTH_ISSUER and AUTH_AUDIENCE of the service.',
      );
    }
    if (error instanceof TeamspacesError) throw error;
    throw new Error(
      `There is no service at ${url}: start it with npm start, or set TEAMSPACES_URL.`,
    );
  }
}

/** `owner of Lumen Bikes; guest in Lumen Foundation` */
function rolesOf(person: string, { people, teams }: Organisation): string {
  return teams
    .flatMap(({ name, owner, members, invites }) => {
      const invited = invites[people[person]?.email ?? ''];
      if (owner === person) return [`owner of ${name}`];
      if (members[person]) return [`${members[person]} in ${name}`];
      return invited ? [`invited to ${name} as ${invited}`] : [];
    })
    .join('; ');
}
