import type { Command } from '@commander-js/extra-typings';
import { addTokenCommand, type Signing } from 'teamspaces';
import { loadConfig } from 'teamspaces-service/config/config';

/** `teamspaces token` of the service, which knows the secret that it has created. */
export const addToken = (program: Command): void =>
  addTokenCommand(
    program,
    'It is signed with AUTH_JWT_SECRET, or with the secret that\n' +
      'the service created in DATA_DIR. With AUTH_JWKS_URL, only the identity provider issues tokens:\n' +
      'the command fails.',
    () => signingOf('With AUTH_JWKS_URL, only your identity provider issues tokens.'),
  );

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
  const { provideSecret } = await import('teamspaces-service/development/start');
  const secret = await provideSecret(config);
  if (secret === null) throw new Error(withKeySet);
  return { secret, issuer: config.issuer, audience: config.audience };
}
