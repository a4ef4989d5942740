import { Inject, Injectable } from '@nestjs/common';
import { record } from '../../audit/audit-entries.repository.js';
import { onInvite, onUser } from '../../audit/audit-entry.js';
import type { Actor } from '../../auth/actor.js';
import { UsersService } from '../../auth/users.service.js';
import type { Config } from '../../config/config.js';
import { CONFIG } from '../../config/config.module.js';
import { Database, type Transaction } from '../../database/database.js';
import { notFound } from '../../errors/domain-error.js';
import type { Page, PageRequest } from '../../http/pagination.js';
import { withIdempotencyKey } from '../../idempotency/idempotency-keys.repository.js';
import type { IdempotentWrite } from '../../idempotency/idempotent-write.js';
import { JoinService } from '../members/join.service.js';
import { assertMayOwnAnother } from '../members/ownership.js';
import type { Team } from '../team.js';
import { TeamReadsRepository } from '../team-reads.repository.js';
import { takeMembershipLock } from '../teams.repository.js';
import { assertOpen, emailNotVerified, type Invite } from './invite.js';
import { findInvite, InvitesRepository, setInviteState } from './invites.repository.js';

/** What an invited person does with their invites. */
@Injectable()
export class MyInvitesService {
  constructor(
    private readonly database: Database,
    private readonly teams: TeamReadsRepository,
    private readonly invites: InvitesRepository,
    private readonly users: UsersService,
    private readonly join: JoinService,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** The caller's invites that can be accepted; none where the email is not known to be theirs. */
  async list(actor: Actor, page: PageRequest): Promise<Page<Invite>> {
    if (!actor.emailVerified) return { items: [], next: null };
    return this.invites.list(actor.email, page);
  }

  /**
   * Makes the caller a member of the team, in the role of the invite.
   * @throws DomainError forbidden: email not verified, plan limit, or too many owned teams; not_found;
   *   invite_expired; conflict: accepted already, or a member already
   */
  async accept(actor: Actor, inviteId: string, write: IdempotentWrite<Team> | null): Promise<Team> {
    const { teamId } = await this.findMine(actor, inviteId);
    const work = withIdempotencyKey(write, {}, async (tx) => {
      const [, invite, team] = await Promise.all([
        // Alone, since the invite may make them the owner of one more team.
        this.users.lockExclusive(tx, actor),
        this.lockMine(tx, actor, teamId, inviteId),
        this.teams.findIn(tx, teamId, actor.id),
      ]);
      if (!team) throw notFound('team');
      if (invite.role === 'owner') await assertMayOwnAnother(tx, actor.id, this.config);
      setInviteState(tx, invite, 'accepted');
      const { id, role } = invite;
      record(
        tx,
        teamId,
        actor,
        { action: 'invite.accepted', ...onInvite(id), details: { role } },
        {
          action: 'member.joined',
          ...onUser(actor.id),
          details: { role, by: 'invite', inviteId: id },
        },
      );
      return this.join.admit(tx, actor, team, role);
    });
    return this.database.transaction(work, { callerId: actor.id, teamId });
  }

  /** @throws DomainError as accept(), of the invite */
  async decline(
    actor: Actor,
    inviteId: string,
    write: IdempotentWrite<void> | null,
  ): Promise<void> {
    const { teamId } = await this.findMine(actor, inviteId);
    const work = withIdempotencyKey(write, {}, async (tx) => {
      const invite = await this.lockMine(tx, actor, teamId, inviteId);
      setInviteState(tx, invite, 'declined');
      const details = { role: invite.role };
      record(tx, teamId, actor, { action: 'invite.declined', ...onInvite(invite.id), details });
    });
    return this.database.transaction(work, { callerId: actor.id, teamId });
  }

  /** The invite as it is before the lock: nobody locks a team that has not invited them. */
  private async findMine(actor: Actor, inviteId: string): Promise<Invite> {
    if (!actor.emailVerified) throw emailNotVerified();
    const invite = await this.invites.find(actor.email, inviteId);
    if (!invite) throw notFound('invite');
    return invite;
  }

  /** Takes the membership lock of the inviting team. @returns the invite as it is then */
  private async lockMine(
    tx: Transaction,
    actor: Actor,
    teamId: string,
    inviteId: string,
  ): Promise<Invite> {
    takeMembershipLock(tx, teamId);
    const invite = await findInvite(tx, actor.email, inviteId);
    assertOpen(invite);
    return invite;
  }
}
