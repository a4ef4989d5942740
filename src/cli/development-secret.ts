import { loadConfig } from '../config/config.js';

/** The secret that signs tokens, with their issuer and audience. */
export interface Signing {
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
  const { provideSecret } = await import('../development/defaults.js');
  const secret = await provideSecret(config);
  if (secret === null) throw new Error(withKeySet);
  return { secret, issuer: config.issuer, audience: config.audience };
}
