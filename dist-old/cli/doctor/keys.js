import { compare } from './clock.js';
import { addressOf, reasonOf, TIMEOUT } from './finding.js';
const check = 'keys';
/** Resolution of the Date header of HTTP. */
const SECOND = 1000;
/** Kinds of keys that tokens may be signed with (decisions, 2.1). */
const KINDS = ['RSA', 'EC'];
/** Checks the secret, or fetches the key set. */
export async function examineKeys({ jwksUrl, jwtSecret, dataDir }) {
    if (jwksUrl !== null)
        return examineKeySet(jwksUrl);
    const says = jwtSecret === null
        ? `The service creates a secret in ${dataDir}; npx teamspaces token signs with it.`
        : 'HS256 with AUTH_JWT_SECRET: anyone who has it can impersonate everyone.';
    return { finding: { level: 'ok', check, says }, clocks: [] };
}
async function examineKeySet(url) {
    const place = addressOf(url);
    const sent = Date.now();
    try {
        const response = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT) });
        const received = Date.now();
        const said = Date.parse(response.headers.get('date') ?? '');
        const clock = compare('the identity provider', { sent, received, said, coarse: SECOND });
        const body = response.ok ? await response.json().catch(() => null) : null;
        return {
            finding: findingOf(place, response.status, body),
            clocks: Number.isNaN(said) ? [] : [clock],
        };
    }
    catch (error) {
        const says = `The key set at ${place} (AUTH_JWKS_URL) cannot be fetched (${reasonOf(error)}): no new token can be verified.`;
        return { finding: { level: 'fail', check, says }, clocks: [] };
    }
}
function findingOf(place, status, body) {
    if (status !== 200) {
        const says = `AUTH_JWKS_URL: ${place} returns ${status} instead of a key set: the right address is the identity provider's jwks_uri in /.well-known/openid-configuration.`;
        return { level: 'fail', check, says };
    }
    const usable = keysIn(body).filter(({ kty, use }) => KINDS.includes(String(kty)) && use !== 'enc');
    if (usable.length === 0) {
        const says = `AUTH_JWKS_URL: the response of ${place} has no key that signs tokens (RSA or EC): the right address is the identity provider's jwks_uri.`;
        return { level: 'fail', check, says };
    }
    const number = usable.length === 1 ? '1 key' : `${usable.length} keys`;
    return { level: 'ok', check, says: `${number} at ${place}.` };
}
function keysIn(body) {
    const keys = body?.keys;
    return Array.isArray(keys) ? keys.filter((key) => typeof key === 'object' && key !== null) : [];
}
//# sourceMappingURL=keys.js.map