import { loadConfig } from '../config/config.js';
/**
 * The secret of the service that runs with the settings of this environment: AUTH_JWT_SECRET, or
 * the one that it created.
 * @param withKeySet the error message if AUTH_JWKS_URL is set, and the provider issues the tokens
 * @throws Error with one sentence
 */
export async function signingOf(withKeySet) {
    const { AUTH_JWT_SECRET, AUTH_JWKS_URL, AUTH_ISSUER, AUTH_AUDIENCE, DATA_DIR } = process.env;
    const config = loadConfig({
        ...{ AUTH_JWT_SECRET, AUTH_JWKS_URL, AUTH_ISSUER, AUTH_AUDIENCE, DATA_DIR },
    });
    const { provideSecret } = await import('../development/defaults.js');
    const secret = await provideSecret(config);
    if (secret === null)
        throw new Error(withKeySet);
    return { secret, issuer: config.issuer, audience: config.audience };
}
//# sourceMappingURL=development-secret.js.map