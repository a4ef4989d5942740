import type { Config } from '../config/config.js';
import { UnauthorizedError } from '../errors/domain-error.js';
import { isEmail, isServiceAddress } from './email.js';

/** The claims of a token that identify its bearer. */
export interface Claims {
  /** `iss`, or '' if the token has none (allowed with a shared secret). */
  issuer: string;
  subject: string;
  /** null: the bearer is a service, which has no address of its own. */
  email: string | null;
  emailVerified: boolean;
  name: string;
  image: string | null;
  scope: Scope;
}

/** How the provider names claims, and what the subjects of its services begin with. */
type ClaimNames = Pick<Config, 'emailClaim' | 'nameClaim' | 'pictureClaim' | 'serviceSubjects'>;

type Payload = Record<string, unknown>;

/**
 * Bytes of `iss` and of `sub`; both together are the key of an index, whose entries hold at most
 * 2,700 bytes.
 */
const MAX_IDENTITY = 1024;

/**
 * Reads the claims of a token whose signature, times, issuer and audience are already checked.
 * @returns the claims, and `exp` in seconds since 1970
 * @throws UnauthorizedError naming the claim that is missing or not valid
 */
export function readClaims(
  payload: Payload,
  names: ClaimNames,
): { claims: Claims; expires: number } {
  const { exp } = payload;
  if (typeof exp !== 'number' || !Number.isFinite(exp)) throw wrong('exp');
  const issuer = text(payload, 'iss', MAX_IDENTITY) ?? '';
  const subject = text(payload, 'sub', MAX_IDENTITY);
  if (!subject) throw wrong('sub');
  const picture = text(payload, names.pictureClaim, 4096);
  const claims = {
    issuer,
    subject,
    ...bearer(payload, subject, names),
    image: picture && /^https?:/.test(picture) && URL.canParse(picture) ? picture : null,
    scope: readScope(payload),
  };
  return { claims, expires: exp };
}

/** The parts that differ between people and services. */
function bearer(
  payload: Payload,
  subject: string,
  names: ClaimNames,
): Pick<Claims, 'email' | 'emailVerified' | 'name'> {
  const email = text(payload, names.emailClaim, 4096);
  const name = text(payload, names.nameClaim, 1024)?.trim();
  if (!email) {
    if (!isService(payload, subject, names.serviceSubjects)) throw wrong(names.emailClaim);
    const named = name || text(payload, 'client_id', 1024)?.trim() || subject;
    return { email: null, emailVerified: false, name: named };
  }
  if (!isEmail(email) || isServiceAddress(email)) throw wrong(names.emailClaim);
  return {
    email,
    emailVerified: isVerified(payload.email_verified),
    // A member's name has at least one character: the email's local part stands in for it.
    name: name || email.slice(0, email.lastIndexOf('@')),
  };
}

/** Some identity providers send booleans as strings; a token without the claim vouches for the email. */
function isVerified(claim: unknown): boolean {
  const value = typeof claim === 'string' ? claim.toLowerCase() : claim;
  if (value === undefined || value === true || value === 'true') return true;
  if (value === false || value === 'false') return false;
  throw wrong('email_verified');
}

/** True if a token without an email says that its bearer is a service. */
function isService(payload: Payload, subject: string, prefixes: string[]): boolean {
  const { client_id, azp, gty, idtyp, preferred_username: username } = payload;
  return (
    // RFC 9068
    [client_id, azp].includes(subject) ||
    // Auth0, Entra ID, Keycloak
    gty === 'client-credentials' ||
    idtyp === 'app' ||
    (typeof username === 'string' && username.startsWith('service-account-')) ||
    // Kubernetes, SPIFFE
    prefixes.some((prefix) => subject.startsWith(prefix))
  );
}

/** A claim that is a string of at most `most` bytes, or null if it is absent. */
function text(payload: Payload, claim: string, most: number): string | null {
  const value = Object.hasOwn(payload, claim) ? payload[claim] : null;
  if (value === undefined || value === null) return null;
  if (typeof value !== 'string' || Buffer.byteLength(value) > most) throw wrong(claim);
  if (!value.isWellFormed() || value.includes('\0')) throw wrong(claim);
  return value;
}

function wrong(claim: string): UnauthorizedError {
  return new UnauthorizedError(
    `the token's claim ${claim} is missing or not valid: have the identity provider send it`,
    true,
  );
}

/** What a token may do, lowest first; each includes the ones before it. */
export const SCOPES = ['none', 'read', 'write', 'manage'] as const;

/**
 * `read`: GET. `write`: also change content. `manage`: everything. `none`: nothing, if a token
 * names only scopes of this service that do not exist.
 */
export type Scope = (typeof SCOPES)[number];

/** Prefix of this service's scopes; others are ignored. */
export const SCOPE_PREFIX = 'teamspaces:';

/**
 * The scope of a token. Scopes only narrow: a token without a scope of this service may do
 * everything that its bearer may do.
 * @throws UnauthorizedError if `scope` or `scp` is neither a string nor a list of strings
 */
function readScope(payload: Record<string, unknown>): Scope {
  const granted = ['scope', 'scp']
    .flatMap((claim) => values(payload, claim))
    .filter((value) => value.startsWith(SCOPE_PREFIX));
  if (granted.length === 0) return 'manage';
  return SCOPES.findLast((scope) => granted.includes(SCOPE_PREFIX + scope)) ?? 'none';
}

function values(payload: Record<string, unknown>, claim: string): string[] {
  const value = payload[claim] ?? [];
  const list: unknown[] = Array.isArray(value) ? value : [value];
  return list.flatMap((entry) => {
    if (typeof entry === 'string') return entry.split(' ');
    throw new UnauthorizedError(
      `the token's claim ${claim} is not valid: it must be a string or a list of strings`,
      true,
    );
  });
}
