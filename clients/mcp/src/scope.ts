const PREFIX = 'teamspaces:';
const WRITES = [`${PREFIX}write`, `${PREFIX}manage`];

/**
 * Whether the scopes of a token allow changes: a token without a scope of the service is not narrowed.
 * The signature is not verified here; the service does, and refuses whatever the token does not allow.
 *
 * @param token a JWT; of any other token the scope is unknown, and the answer is true
 */
export function mayWrite(token: string): boolean {
  const { scope, scp } = payloadOf(token);
  const granted = [scope, scp]
    .flatMap((claim) => (typeof claim === 'string' ? claim.split(' ') : claim))
    .filter((name) => typeof name === 'string' && name.startsWith(PREFIX));
  return granted.length === 0 || granted.some((name) => WRITES.includes(`${name}`));
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
