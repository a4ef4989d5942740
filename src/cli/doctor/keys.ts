import type { Config } from '../../config/config.js';
import { compare, type OtherClock } from './clock.js';
import { addressOf, type Finding, reasonOf, TIMEOUT } from './finding.js';

const check = 'keys';
/** What the Date header of HTTP can say. */
const SECOND = 1000;
/** Kinds of keys that tokens may be signed with (decisions, 2.1). */
const KINDS = ['RSA', 'EC'];

/** What tokens are verified with, and the clock of whoever sends the key set. */
export interface KeyFindings {
  finding: Finding;
  clocks: OtherClock[];
}

/** Looks at the secret, or fetches the key set. */
export async function examineKeys({ jwksUrl, jwtSecret, dataDir }: Config): Promise<KeyFindings> {
  if (jwksUrl !== null) return examineKeySet(jwksUrl);
  const says =
    jwtSecret === null
      ? `The service makes a secret of its own in ${dataDir}; npx teamspaces token signs with it.`
      : 'HS256 with AUTH_JWT_SECRET: whoever has it can be anyone.';
  return { finding: { level: 'ok', check, says }, clocks: [] };
}

async function examineKeySet(url: string): Promise<KeyFindings> {
  const place = addressOf(url);
  const sent = Date.now();
  try {
    const answer = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT) });
    const received = Date.now();
    const said = Date.parse(answer.headers.get('date') ?? '');
    const clock = compare('the identity provider', { sent, received, said, coarse: SECOND });
    const body = answer.ok ? await answer.json().catch(() => null) : null;
    return {
      finding: judge(place, answer.status, body),
      clocks: Number.isNaN(said) ? [] : [clock],
    };
  } catch (error) {
    const says = `The key set at ${place} (AUTH_JWKS_URL) cannot be fetched (${reasonOf(error)}): no new token can be verified.`;
    return { finding: { level: 'fail', check, says }, clocks: [] };
  }
}

function judge(place: string, status: number, body: unknown): Finding {
  if (status !== 200) {
    const says = `AUTH_JWKS_URL: ${place} answers ${status}, and not a key set: the identity provider names the right address as jwks_uri in /.well-known/openid-configuration.`;
    return { level: 'fail', check, says };
  }
  const usable = keysIn(body).filter(
    ({ kty, use }) => KINDS.includes(String(kty)) && use !== 'enc',
  );
  if (usable.length === 0) {
    const says = `AUTH_JWKS_URL: what ${place} answers holds no key that signs tokens (RSA or EC): the identity provider names the right address as jwks_uri.`;
    return { level: 'fail', check, says };
  }
  const number = usable.length === 1 ? '1 key' : `${usable.length} keys`;
  return { level: 'ok', check, says: `${number} at ${place}.` };
}

function keysIn(body: unknown): { kty?: unknown; use?: unknown }[] {
  const keys: unknown = (body as { keys?: unknown } | null)?.keys;
  return Array.isArray(keys) ? keys.filter((key) => typeof key === 'object' && key !== null) : [];
}
