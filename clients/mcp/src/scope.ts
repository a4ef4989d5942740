/** What a token may do, in ascending order; `none`: it has scopes of the service, but none that it knows. */
const SCOPES = ['none', 'read', 'write', 'manage'] as const;
export type Scope = (typeof SCOPES)[number];

const PREFIX = 'teamspaces:';

/** True if the scope `granted` includes `needed`. */
export const includes = (granted: Scope, needed: Scope): boolean =>
  SCOPES.indexOf(granted) >= SCOPES.indexOf(needed);

/**
 * The scope of a token: one without a scope of the service is not narrowed. The signature is not verified here; the
 * service does, and refuses whatever the token does not allow.
 *
 * @param token a JWT; of any other token the scope is unknown, and nothing is left out
 */
export function scopeOf(token: string): Scope {
  const { scope, scp } = payloadOf(token);
  const granted = [scope, scp]
    .flatMap((claim) => (typeof claim === 'string' ? claim.split(' ') : claim))
    .filter((name) => typeof name === 'string' && name.startsWith(PREFIX));
  if (granted.length === 0) return 'manage';
  return SCOPES.findLast((name) => granted.includes(PREFIX + name)) ?? 'none';
}

function payloadOf(token: string): { scope?: unknown; scp?: unknown } {
  try {
    const payload: unknown = JSON.parse(
      Buffer.from(token.split('.')[1] ?? '', 'base64url').toString(),
    );
    return typeof payload === 'object' && payload !== null ? payload : {};
  } catch {
    return {};
  }
}
