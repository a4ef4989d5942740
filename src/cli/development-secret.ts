import { loadConfig } from '../config/config.js';

/** What tokens are signed with, and for whom. */
export interface Signing {
  secret: string;
  issuer: string | null;
  audience: string | null;
}

/**
 * The secret of the service that runs with the settings of this environment: AUTH_JWT_SECRET, or the
 * one that it made for itself.
 * @param withKeySet what to say where AUTH_JWKS_URL is set, and tokens come from elsewhere
 * @throws Error with one sentence
 */
export async function signingOf(withKeySet: string): Promise<Signing> {
  const { AUTH_JWT_SECRET, AUTH_JWKS_URL, AUTH_ISSUER, AUTH_AUDIENCE, DATA_DIR } = process.env;
  const config = loadConfig({
    ...{ AUTH_JWT_SECRET, AUTH_JWKS_URL, AUTH_ISSUER, AUTH_AUDIENCE, DATA_DIR },
  });
  const { provideSecret } = await import('../development/defaults.js');
  const secret = await provideSecret(config);
  if (secret === null) throw new Error(withKeySet);
  return { secret, issuer: config.issuer, audience: config.audience };
}
