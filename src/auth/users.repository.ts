import { Injectable } from '@nestjs/common';
import { Database } from '../database/database.js';
import { newId } from '../database/ids.js';
import type { Claims } from './claims.js';

@Injectable()
export class UsersRepository {
  constructor(private readonly database: Database) {}

  /**
   * Records the bearer of a token, known by issuer and subject, and brings the record up to the
   * claims; writes nothing where they are equal already.
   * @returns our id of the user.
   */
  async record(claims: Claims): Promise<string> {
    const rows = await this.database.query<{ id: string }>(RECORD, [
      newId(),
      claims.issuer,
      claims.subject,
      claims.email,
      claims.emailVerified,
      claims.name,
      claims.image,
    ]);
    const id = rows[0]?.id;
    // Nothing written and nothing seen: another request inserted the same user just now.
    return id ?? this.record(claims);
  }
}

const RECORD = {
  name: 'users.record',
  text: `
    WITH known AS (
      SELECT id, (email, email_verified, name) = ($4, $5, $6) AND image IS NOT DISTINCT FROM $7 AS same
      FROM users WHERE issuer = $2 AND subject = $3
    ), written AS (
      INSERT INTO users (id, issuer, subject, email, email_verified, name, image)
      SELECT $1::uuid, $2, $3, $4, $5::boolean, $6, $7
      WHERE NOT EXISTS (SELECT FROM known WHERE same)
      ON CONFLICT (issuer, subject) DO UPDATE
        SET email = excluded.email, email_verified = excluded.email_verified,
            name = excluded.name, image = excluded.image, updated_at = excluded.updated_at
      RETURNING id
    )
    SELECT id FROM written UNION ALL SELECT id FROM known WHERE same`,
};
