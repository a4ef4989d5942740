import { signingOf } from '../development-secret.js';
import { interruption } from '../interruption.js';
import { Filling } from './filling.js';
import { type DemoPerson, PEOPLE, TEAMS } from './organisation.js';
import { whatToTry } from './what-to-try.js';

/** Days that the tokens are valid. */
const DAYS = 30;

/**
 * Fills the service at `url`, and says what there is to try.
 * @throws Error with a sentence: in production, or where the service does not take part
 */
export async function runDemo(url: string): Promise<void> {
  const interrupted = interruption();
  const tokens = await signTokens();
  const filling = new Filling(url, (person) => tokens.get(person) ?? '');
  await filling.check(PEOPLE.ADA);
  const said = () => {
    for (const line of filling.made.splice(0)) console.log(line);
  };
  let changes = 0;
  for (const team of TEAMS) {
    try {
      await Promise.race([filling.fill(team), interrupted]);
    } finally {
      changes += filling.made.length;
      said();
    }
  }
  if (changes === 0) console.log('All of the demo is there already: nothing was changed.');
  console.log(whatToTry(url, tokens, DAYS));
}

/** A token for each person, as the service that made its own secret takes it. */
async function signTokens(): Promise<Map<DemoPerson, string>> {
  if (process.env.NODE_ENV?.trim() === 'production') {
    throw new Error(
      'The demo is for development, and NODE_ENV is production: its tokens would let anyone be anyone.',
    );
  }
  const { secret, issuer, audience } = await signingOf(
    'The demo signs tokens with the secret of the service; with AUTH_JWKS_URL they come from your identity provider.',
  );
  const { signToken } = await import('../../development/token.js');
  return new Map(
    Object.values(PEOPLE).map((person) => [
      person,
      signToken(secret, person, { days: DAYS, issuer, audience }),
    ]),
  );
}
