import { parseArgs } from 'node:util';
import { loadConfig } from '../config/config.js';
import { provideSecret } from '../development/defaults.js';
import { signToken } from '../development/token.js';

const USAGE = 'Usage: npm run token -- --sub ada --email ada@example.com [--name Ada] [--days 30]';

/** Prints a token, and nothing else, on standard output. */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      sub: { type: 'string' },
      email: { type: 'string' },
      name: { type: 'string' },
      days: { type: 'string', default: '30' },
    },
  });
  const { sub, email, name } = values;
  const days = Number(values.days);
  if (!sub || !email?.includes('@') || !(days > 0 && days <= 3650)) throw new Error(USAGE);
  const config = loadConfig(process.env);
  const secret = await provideSecret(config);
  if (secret === null) {
    throw new Error(
      'With AUTH_JWKS_URL, tokens come from your identity provider, and not from here.',
    );
  }
  const { issuer, audience } = config;
  console.log(signToken(secret, { sub, email, name }, { days, issuer, audience }));
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
});
