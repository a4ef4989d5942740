import { Inject, Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { CLOCK, type Clock } from '../config/config.module.js';
import { Database, type Transaction } from '../database/database.js';
import { conflict } from '../errors/domain-error.js';
import type { Actor, User } from './actor.js';
import type { Claims } from './claims.js';
import { serviceAddress } from './email.js';
import { lockUserExclusive, lockUserShared, recordUser } from './users.repository.js';

/** Users recently recorded by this process; after a minute the database is asked again. */
const REMEMBERED = { max: 20_000, ttl: 60_000 };

/** The user record of a token's bearer. */
@Injectable()
export class UsersService {
  private readonly recorded: LRUCache<string, { id: string; claims: Claims }>;

  constructor(
    private readonly database: Database,
    @Inject(CLOCK) clock: Clock,
  ) {
    this.recorded = new LRUCache({ ...REMEMBERED, perf: clock });
  }

  /** The user, where this process has recorded them with the same claims just now; otherwise null. */
  recall(claims: Claims): User | null {
    const known = this.recorded.get(keyOf(claims));
    return known && isSame(known.claims, claims) ? toUser(known.id, claims) : null;
  }

  /**
   * Records the user at the first request and when the claims change; costs no round trip while
   * they stay the same. Only the identity is cached, never rights.
   */
  async identify(claims: Claims): Promise<User> {
    const known = this.recall(claims);
    if (known) return known;
    const id = await recordUser(this.database, claims);
    this.recorded.set(keyOf(claims), { id, claims });
    return toUser(id, claims);
  }

  /**
   * Keeps the record of a user who is about to become a member, or to send invites, from being erased
   * before the transaction ends. Call it before the membership lock: see the order of locks. If the
   * record was erased after this process recorded it, the user is forgotten here, so that the next
   * request creates a new record.
   * @throws DomainError conflict: erased
   */
  async lockShared(tx: Transaction, { id }: Actor): Promise<void> {
    if (!(await lockUserShared(tx, id))) this.forget(id);
  }

  /** As lockShared(), for one transaction of the user at a time. @throws DomainError conflict: erased */
  async lockExclusive(tx: Transaction, { id }: Actor): Promise<void> {
    if (!(await lockUserExclusive(tx, id))) this.forget(id);
  }

  private forget(id: string): never {
    for (const [key, known] of this.recorded.entries()) {
      if (known.id === id) this.recorded.delete(key);
    }
    throw conflict('your user record has just been erased: send the request again');
  }
}

/** The length marks the end of the subject. */
const keyOf = ({ issuer, subject }: Claims): string => `${subject.length}:${subject}${issuer}`;

/** Whether two tokens of one user have the same claims; the scope is not part of the record. */
const isSame = (a: Claims, b: Claims): boolean =>
  a === b ||
  (a.email === b.email &&
    a.emailVerified === b.emailVerified &&
    a.name === b.name &&
    a.image === b.image);

const toUser = (id: string, { email, emailVerified, name, image, scope }: Claims): User => ({
  id,
  email: email ?? serviceAddress(id),
  emailVerified,
  name,
  image,
  mayManage: scope === 'manage',
  scope,
});
