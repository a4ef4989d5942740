import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import type { Actor } from './actor.js';
import type { Claims } from './claims.js';
import { UsersRepository } from './users.repository.js';

/** Users recently recorded by this process; after a minute the database is asked again. */
const REMEMBERED = { max: 20_000, ttl: 60_000 };

/** Who the bearer of a token is, to us. */
@Injectable()
export class UsersService {
  private readonly recorded = new LRUCache<string, { id: string; claims: string }>(REMEMBERED);

  constructor(private readonly users: UsersRepository) {}

  /**
   * Records the user at the first request and when the claims change; costs no round trip as long
   * as they stay what they were. Rights are never remembered, only who someone is.
   */
  async identify(claims: Claims): Promise<Actor> {
    const key = JSON.stringify([claims.issuer, claims.subject]);
    const said = JSON.stringify(claims);
    let known = this.recorded.get(key);
    if (known?.claims !== said) {
      known = { id: await this.users.record(claims), claims: said };
      this.recorded.set(key, known);
    }
    const { email, emailVerified, name, image } = claims;
    return { id: known.id, email, emailVerified, name, image };
  }
}
