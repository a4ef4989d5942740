import jwt from 'jsonwebtoken';

/** Who a token is for. */
interface TokenSubject {
  sub: string;
  /** None: the token is one of a service (`client_id` is the subject), not of a person. */
  email?: string | undefined;
  name?: string | undefined;
}

interface TokenOptions {
  /** Validity in days, 30 by default. */
  days?: number;
  issuer?: string | null;
  audience?: string | null;
  /** Scopes that narrow the token, separated by spaces. */
  scope?: string | undefined;
}

/** Signs an HS256 token, valid for `days`, for a service that shares the secret. */
export function signToken(
  secret: string,
  subject: TokenSubject,
  options: TokenOptions = {},
): string {
  const { days = 30, issuer, audience, scope } = options;
  const { email, name } = subject;
  const who = email === undefined ? { client_id: subject.sub } : { email };
  return jwt.sign({ ...who, ...(name && { name }), ...(scope && { scope }) }, secret, {
    algorithm: 'HS256',
    subject: subject.sub,
    expiresIn: days * 24 * 3600,
    ...(issuer && { issuer }),
    ...(audience && { audience }),
  });
}
