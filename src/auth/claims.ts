import { UnauthorizedError } from '../errors/domain-error.js';

/** What a token says of its bearer (decisions, section 2). */
export interface Claims {
  /** `iss`, or '' where the token names none (allowed with a shared secret). */
  issuer: string;
  subject: string;
  email: string;
  emailVerified: boolean;
  name: string;
  image: string | null;
}

const EMAIL = /^[^\s@]+@[^\s@]+$/;

/**
 * Reads the claims of a token whose signature, times, issuer and audience are already checked.
 * @throws UnauthorizedError naming the claim that is missing or of the wrong type.
 */
export function readClaims(payload: Record<string, unknown>): Claims {
  if (typeof payload.exp !== 'number') throw wrong('exp');
  const issuer = text(payload, 'iss', 1024) ?? '';
  const subject = text(payload, 'sub', 255);
  if (!subject) throw wrong('sub');
  const email = text(payload, 'email', 320);
  if (!email || !EMAIL.test(email)) throw wrong('email');
  const verified = payload.email_verified;
  if (!['undefined', 'boolean', 'string'].includes(typeof verified)) throw wrong('email_verified');
  const name = text(payload, 'name', 1024)?.trim();
  const picture = text(payload, 'picture', 4096);
  return {
    issuer,
    subject,
    email,
    // Some identity providers send booleans as strings.
    emailVerified: verified !== false && verified !== 'false',
    // A member's name has at least one character: the email's local part stands in for it.
    name: name || email.slice(0, email.lastIndexOf('@')),
    image: picture && /^https?:/.test(picture) && URL.canParse(picture) ? picture : null,
  };
}

function text(payload: Record<string, unknown>, claim: string, most: number): string | null {
  const value = payload[claim];
  if (value === undefined || value === null) return null;
  if (typeof value !== 'string' || value.length > most) throw wrong(claim);
  if (!value.isWellFormed() || value.includes('\0')) throw wrong(claim);
  return value;
}

function wrong(claim: string): UnauthorizedError {
  return new UnauthorizedError(`the token's claim ${claim} is missing or not valid`, true);
}
