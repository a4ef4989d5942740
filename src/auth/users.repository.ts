import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Database, type Transaction } from '../database/database.js';
import { newId } from '../database/ids.js';
import type { Claims } from './claims.js';
import { serviceAddress } from './email.js';

/** The issuer of records that were erased. */
const ERASED_ISSUER = 'urn:teamspaces:erased';

/** Who somebody is, to us. */
export interface RecordedUser {
  id: string;
  email: string;
  emailVerified: boolean;
}

@Injectable()
export class UsersRepository {
  constructor(private readonly database: Database) {}

  /**
   * Records the bearer of a token, known by issuer and subject, and brings the record up to the
   * claims; writes nothing where they are equal already. A service gets an address made of its id.
   * @returns our id of the user.
   */
  async record(claims: Claims): Promise<string> {
    const values = [
      newId(),
      claims.issuer,
      claims.subject,
      claims.email,
      claims.emailVerified,
      claims.name,
      claims.image,
      serviceAddress(''),
    ];
    // By the person: whoever waits for their own record holds up nobody else.
    const by = { callerId: `${claims.issuer} ${claims.subject}` };
    const [user] = await this.database.query<{ id: string }>(RECORD, values, by);
    // Always one row: the one that was equal, or the one just written.
    return (user as { id: string }).id;
  }

  /**
   * Records somebody before their first request, without an email, as a service is; a record that is
   * there stays as it is. It cannot be erased until the transaction ends.
   * @returns our id of the user
   */
  async recordUnknown(
    tx: Transaction,
    { issuer, subject, name }: Pick<Claims, 'issuer' | 'subject' | 'name'>,
  ): Promise<string> {
    const id = newId();
    const email = serviceAddress(id);
    await tx.user.createMany({
      data: { id, issuer, subject, name, email, emailVerified: false },
      skipDuplicates: true,
    });
    const [user] = await tx.$queryRaw<{ id: string }[]>`
      SELECT id FROM users WHERE issuer = ${issuer} AND subject = ${subject} FOR KEY SHARE`;
    // Always one row: only the erasing of it could take it away, and that comes before or after.
    return (user as { id: string }).id;
  }

  /**
   * Locks the record against being erased until the transaction ends. Call it before the membership
   * lock: see the order of locks.
   * @returns false: it was erased
   */
  async hold(tx: Transaction, id: string): Promise<boolean> {
    const held = await tx.$queryRaw<unknown[]>`
      SELECT 1 FROM users WHERE id = ${id}::uuid AND issuer <> ${ERASED_ISSUER} FOR KEY SHARE`;
    return held.length === 1;
  }

  /**
   * As hold(), for one transaction at a time: what is counted for this user stays the same until it
   * ends.
   * @returns false: it was erased, or there is no such user
   */
  async holdAlone(tx: Transaction, id: string): Promise<boolean> {
    const held = await tx.$queryRaw<unknown[]>`
      SELECT 1 FROM users WHERE id = ${id}::uuid AND issuer <> ${ERASED_ISSUER} FOR NO KEY UPDATE`;
    return held.length === 1;
  }

  /**
   * Locks the record of somebody who is to be erased: nobody makes them a member meanwhile.
   * @returns null: nobody is recorded under this issuer and subject
   */
  async lockForErasure(
    tx: Transaction,
    issuer: string,
    subject: string,
  ): Promise<RecordedUser | null> {
    const [user] = await tx.$queryRaw<RecordedUser[]>`
      SELECT id, email, email_verified AS "emailVerified" FROM users
      WHERE issuer = ${issuer} AND subject = ${subject} FOR UPDATE`;
    return user ?? null;
  }

  /**
   * Replaces everything that tells who somebody is. The row stays, for what refers to it; its random
   * subject is in no token, so that the next one of the same person makes a new record.
   */
  async erase(tx: Transaction, id: string): Promise<void> {
    const data = {
      issuer: ERASED_ISSUER,
      subject: randomUUID(),
      email: `${id}@erased.invalid`,
      emailVerified: false,
      name: 'Erased',
      image: null,
      updatedAt: new Date(),
    };
    await tx.user.update({ where: { id }, data, select: { id: true } });
  }
}

const RECORD = {
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
  writes: true,
};
