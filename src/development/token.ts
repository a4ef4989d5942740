import { randomBytes } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
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

/**
 * A secret of a service without a configured one: created once in `dataDir`, readable only by its
 * owner. Several processes may ask for it at once; the first one's stays.
 */
export async function developmentSecret(
  dataDir: string,
  name: 'jwt-secret' | 'webhook-key',
): Promise<string> {
  const file = join(dataDir, name);
  await mkdir(dataDir, { recursive: true });
  try {
    await writeFile(file, randomBytes(32).toString('base64url'), { flag: 'wx', mode: 0o600 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  return (await readFile(file, 'utf8')).trim();
}

/** Signs an HS256 token, valid for `days`. For development and tests; production has a provider. */
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
