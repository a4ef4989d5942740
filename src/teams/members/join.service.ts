import { Injectable } from '@nestjs/common';
import type { TeamRole } from '../../access/roles.js';
import { record } from '../../audit/audit-entries.repository.js';
import { onUser } from '../../audit/audit-entry.js';
import type { Actor } from '../../auth/actor.js';
import { UsersService } from '../../auth/users.service.js';
import { Database, type Transaction } from '../../database/database.js';
import { notFound } from '../../errors/domain-error.js';
import { withIdempotencyKey } from '../../idempotency/idempotency-keys.repository.js';
import type { IdempotentWrite } from '../../idempotency/idempotent-write.js';
import { asSeenBy, type FoundTeam, type Team } from '../team.js';
import { TeamReadsRepository } from '../team-reads.repository.js';
import { growUsage } from '../team-usage.repository.js';
import { lockByInviteCode } from '../teams.repository.js';
import { memberAlready } from './team-member.js';
import { addToTeam } from './team-members.repository.js';

/** How people become members of a team. */
@Injectable()
export class JoinService {
  constructor(
    private readonly database: Database,
    private readonly reads: TeamReadsRepository,
    private readonly users: UsersService,
  ) {}

  /**
   * Makes the caller a member of the team that has this invite code.
   * @throws DomainError not_found: no such code; conflict: a member already; forbidden: plan limit
   */
  byCode(actor: Actor, inviteCode: string, write: IdempotentWrite<Team> | null): Promise<Team> {
    const work = withIdempotencyKey(write, {}, async (tx) => {
      const [, id] = await Promise.all([
        this.users.lockShared(tx, actor),
        lockByInviteCode(tx, inviteCode),
      ]);
      const team = id === null ? null : await this.reads.findIn(tx, id, actor.id);
      if (team === null) throw notFound('team with this invite code');
      const details = { role: 'member', by: 'code' } as const;
      record(tx, team.id, actor, { action: 'member.joined', ...onUser(actor.id), details });
      return this.admit(tx, actor, team, 'member');
    });
    // All who come by one code wait for the lock of one team.
    return this.database.transaction(work, { callerId: actor.id, purpose: inviteCode });
  }

  /**
   * Adds the caller to a team, in a transaction that holds the caller's record and has the membership
   * lock.
   * @param team as it was read behind the lock
   * @throws DomainError conflict: a member already; forbidden: plan limit
   */
  admit(tx: Transaction, actor: Actor, team: FoundTeam, role: TeamRole): Team {
    if (team.role !== null) throw memberAlready();
    addToTeam(tx, team.id, actor.id, role);
    growUsage(tx, team, 'users');
    const usage = { ...team.usage, users: team.usage.users + 1 };
    return asSeenBy(actor, { ...team, role, usage });
  }
}
