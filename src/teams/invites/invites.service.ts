import { Inject, Injectable } from '@nestjs/common';
import { enforceCanManage } from '../../access/decide.js';
import { type NewEntry, onInvite, onUser, record } from '../../audit/audit-entries.repository.js';
import type { Actor } from '../../auth/actor.js';
import { isSameEmail } from '../../auth/email.js';
import { UsersService } from '../../auth/users.service.js';
import type { Config } from '../../config/config.js';
import { CONFIG } from '../../config/config.module.js';
import { Database, type Transaction } from '../../database/database.js';
import { newId } from '../../database/identifiers.js';
import { inviteExpired, notFound } from '../../errors/domain-error.js';
import type { Listed, PageRequest } from '../../http/pagination.js';
import { withIdempotencyKey } from '../../idempotency/idempotency-keys.repository.js';
import type { IdempotentWrite } from '../../idempotency/idempotent-write.js';
import {
  acceptedAlready,
  emailNotVerified,
  inTeamAlready,
  limitReached,
  tooManyPending,
} from '../errors.js';
import { MAX_PENDING } from '../limits.js';
import {
  assertMayOwnAnother,
  findMembersByEmail,
  type TeamMember,
} from '../members/team-members.repository.js';
import { TeamMembersService } from '../members/team-members.service.js';
import type { Team, TeamRef } from '../team.js';
import { TeamReadsRepository } from '../team-reads.repository.js';
import { takeMembershipLock } from '../teams.repository.js';
import { TeamsService } from '../teams.service.js';
import { InviteOutbox } from './invite-outbox.js';
import {
  countPendingInvites,
  deleteInvites,
  expiredInvites,
  type FoundInvite,
  findInvite,
  findInviteOfTeam,
  type Invite,
  type ListedInvite,
  listInvitesTo,
  type NewInvite,
  PENDING,
  pendingInvitesFor,
  queueMails,
  replaceInvites,
  setInviteState,
} from './invites.repository.js';

/** What a team does with its invites, and what invited people do with theirs. */
@Injectable()
export class InvitesService {
  constructor(
    private readonly database: Database,
    private readonly teams: TeamsService,
    private readonly reads: TeamReadsRepository,
    private readonly members: TeamMembersService,
    private readonly users: UsersService,
    private readonly outbox: InviteOutbox,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** Lists pending invites, including expired ones. @throws DomainError not_found, forbidden */
  list(actor: Actor, ref: TeamRef, page: PageRequest): Promise<Listed<ListedInvite>> {
    return this.teams.listForAction<ListedInvite>(actor, ref, 'team.managePeople', PENDING, page);
  }

  /**
   * Sends all the invites, or none; one that is pending already is renewed. Their mails are
   * queued with them, and go out afterwards.
   * @param given no email twice, letter case aside
   * @returns them in the order given
   * @throws DomainError not_found; forbidden: role, plan limit, or too many pending invites; conflict:
   *   a member already
   */
  async send(
    actor: Actor,
    ref: TeamRef,
    given: NewInvite[],
    write: IdempotentWrite<Invite[]> | null,
  ): Promise<Invite[]> {
    const team = await this.teams.forAction(actor, ref, 'team.read');
    const work = withIdempotencyKey(write, { teamId: team.id }, async (tx) => {
      const emails = given.map(({ email }) => email);
      const [, { role, ...locked }, pending, members, counted] = await Promise.all([
        this.users.lockShared(tx, actor),
        this.teams.lockForAction(tx, actor, team.id, 'team.managePeople'),
        pendingInvitesFor(tx, team.id, emails),
        findMembersByEmail(tx, team.id, emails),
        countPendingInvites(tx, team.id),
      ]);
      // A courtesy: the limit is held when an invite is accepted.
      const { limit, usage } = locked;
      if (limit.users !== 0 && usage.users >= limit.users) throw limitReached(locked, 'users');
      enforceCanManage(
        role,
        [...given, ...pending].map((invite) => invite.role),
      );
      assertNoMembers(members, emails);
      await this.makeRoom(tx, locked, counted.count, given.length, pending);
      const sent = this.renew(team.id, given, pending, counted.now);
      replaceInvites(tx, team.id, pending, sent, actor.id);
      if (this.outbox.isOn) queueMails(tx, sent);
      record(tx, team.id, actor, ...sentEntries(sent, pending));
      return sent;
    });
    const invites = await this.database.transaction(work, { callerId: actor.id, teamId: team.id });
    this.outbox.wake();
    return invites;
  }

  /** @throws DomainError not_found, forbidden; conflict: accepted already */
  async revoke(actor: Actor, ref: TeamRef, inviteId: string): Promise<void> {
    const { id } = await this.teams.forAction(actor, ref, 'team.managePeople');
    const by = { callerId: actor.id, teamId: id };
    await this.database.transaction(async (tx) => {
      const [team, invite] = await Promise.all([
        this.teams.lockForAction(tx, actor, id, 'team.managePeople'),
        findInviteOfTeam(tx, id, inviteId),
      ]);
      assertPending(invite);
      enforceCanManage(team.role, [invite.role]);
      setInviteState(tx, invite, 'revoked');
      record(tx, id, actor, { action: 'invite.revoked', ...onInvite(inviteId), details: {} });
    }, by);
  }

  /** The caller's invites that can be accepted; none where the email is not known to be theirs. */
  async listMine(actor: Actor, page: PageRequest): Promise<Listed<ListedInvite>> {
    if (!actor.emailVerified) return { items: [], next: null };
    return listInvitesTo(this.database, actor.id, actor.email, page);
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
        // Exclusively: the invite may make them the owner of one more team.
        this.users.lockExclusive(tx, actor),
        this.lockMine(tx, actor, teamId, inviteId),
        this.reads.findIn(tx, teamId, actor.id),
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
      return this.members.admit(tx, actor, team, role);
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

  /**
   * As many invites may be pending as the plan allows users. Expired ones give way to new ones, so
   * that they neither block a team nor pile up.
   * @param count those that are pending
   * @param renewed those of them that the new ones renew
   * @throws DomainError forbidden
   */
  private async makeRoom(
    tx: Transaction,
    team: Pick<Team, 'id' | 'plan' | 'limit'>,
    count: number,
    given: number,
    renewed: FoundInvite[],
  ): Promise<void> {
    const max = team.limit.users || MAX_PENDING;
    const isGrowing = renewed.length < given || renewed.some(({ isExpired }) => isExpired);
    const surplus = count + given - renewed.length - max;
    if (!isGrowing || surplus <= 0) return;
    const kept = renewed.map(({ id }) => id);
    const expired = await expiredInvites(tx, team.id, kept, surplus);
    if (expired.length < surplus) throw tooManyPending(team.plan, max);
    deleteInvites(tx, team.id, expired);
  }

  /** The invites to write: a pending one keeps its id and its age. */
  private renew(teamId: string, given: NewInvite[], pending: Invite[], now: Date): Invite[] {
    return given.map(({ email, role }) => {
      const before = pending.find((invite) => isSameEmail(invite.email, email));
      return {
        id: before?.id ?? newId(),
        teamId,
        email,
        role,
        state: 'pending' as const,
        expiresAt: new Date(now.getTime() + this.config.inviteTtlSeconds * 1000),
        createdAt: before?.createdAt ?? now,
      };
    });
  }

  /** The invite as it is before the lock: nobody locks a team that has not invited them. */
  private async findMine(actor: Actor, inviteId: string): Promise<Invite> {
    if (!actor.emailVerified) throw emailNotVerified();
    const invite = await findInvite(this.database, actor.email, inviteId);
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

/** What the audit log says of sent invites; those that were pending before were renewed. */
const sentEntries = (sent: Invite[], pending: Invite[]): NewEntry[] =>
  sent.map(({ id, role }) => ({
    action: 'invite.sent',
    ...onInvite(id),
    details: { role, renewed: pending.some((invite) => invite.id === id) },
  }));

/** @throws DomainError conflict naming the emails that are members' */
function assertNoMembers(members: TeamMember[], emails: string[]): void {
  const taken = emails.filter((email) =>
    members.some((member) => isSameEmail(member.email, email)),
  );
  if (taken.length > 0) throw inTeamAlready(taken);
}

/** @throws DomainError conflict: accepted already; not_found: no such invite is pending */
function assertPending(invite: Invite | null): asserts invite is Invite {
  if (invite?.state === 'accepted') throw acceptedAlready();
  if (invite?.state !== 'pending') throw notFound('invite');
}

/**
 * Lets the invited person accept or decline an invite.
 * @throws DomainError as assertPending(); invite_expired
 */
function assertOpen(invite: FoundInvite | null): asserts invite is FoundInvite {
  assertPending(invite);
  if (invite.isExpired) throw inviteExpired();
}
