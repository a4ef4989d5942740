import { write } from '@teamspaces/pg-lanes/statements';
import type { Database, Transaction } from '../database/database.js';
import { newId } from '../database/identifiers.js';
import type { Claims } from './claims.js';
import { serviceAddress } from './email.js';

/** The issuer of records that were erased. */
export const ERASED_ISSUER = 'urn:teamspaces:erased';

/**
 * Records the bearer of a token, known by issuer and subject, and updates the record to the claims;
 * writes nothing if they are equal. A service gets an address made of its id.
 * @returns the id of the user
 */
export async function recordUser(database: Database, claims: Claims): Promise<string> {
  const { issuer, subject, email, emailVerified, name, image } = claims;
  const values = [newId(), issuer, subject, email, emailVerified, name, image, serviceAddress('')];
  // A gate for each person: waiting for one's own record does not delay others.
  const by = { callerId: `${issuer} ${subject}` };
  const [user] = await database.query<{ id: string }>(RECORD, values, by);
  // Always one row: the one that was equal, or the one just written.
  return (user as { id: string }).id;
}

const RECORD = write({
  name: 'users.record',
  text: `
    WITH known AS (
      SELECT id, (email, email_verified, name) = (coalesce($4, id::text || $8::text), $5, $6)
        AND image IS NOT DISTINCT FROM $7 AS same
      FROM users WHERE issuer = $2 AND subject = $3
    ), written AS (
      INSERT INTO users (id, issuer, subject, email, email_verified, name, image)
      SELECT $1::uuid, $2, $3, coalesce($4, $1::text || $8::text), $5::boolean, $6, $7
      WHERE NOT EXISTS (SELECT FROM known WHERE same)
      ON CONFLICT (issuer, subject) DO UPDATE
        SET email = coalesce($4, users.id::text || $8::text),
            email_verified = excluded.email_verified,
            name = excluded.name, image = excluded.image, updated_at = excluded.updated_at
      RETURNING id
    )
    SELECT id FROM written UNION ALL SELECT id FROM known WHERE same`,
});

/**
 * Locks the record against being erased until the transaction ends. Call it before the membership lock:
 * see the order of locks.
 * @returns false: it was erased
 */
export async function lockUserShared(tx: Transaction, id: string): Promise<boolean> {
  return (await tx.query(LOCK_SHARED, [id, ERASED_ISSUER])).length === 1;
}

const LOCK_SHARED = {
  name: 'users.lockShared',
  text: 'SELECT 1 FROM users WHERE id = $1 AND issuer <> $2 FOR KEY SHARE',
};

/**
 * As lockUserShared(), for one transaction at a time: what is counted for this user stays the same until
 * it ends.
 * @returns false: it was erased, or there is no such user
 */
export async function lockUserExclusive(tx: Transaction, id: string): Promise<boolean> {
  return (await tx.query(LOCK_EXCLUSIVE, [id, ERASED_ISSUER])).length === 1;
}

const LOCK_EXCLUSIVE = {
  name: 'users.lockExclusive',
  text: 'SELECT 1 FROM users WHERE id = $1 AND issuer <> $2 FOR NO KEY UPDATE',
};
