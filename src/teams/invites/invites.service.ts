import { Inject, Injectable } from '@nestjs/common';
import { enforceCanManage } from '../../access/enforce.js';
import { record } from '../../audit/audit-entries.repository.js';
import { type NewEntry, onInvite } from '../../audit/audit-entry.js';
import type { Actor } from '../../auth/actor.js';
import { isSameEmail } from '../../auth/email.js';
import { UsersService } from '../../auth/users.service.js';
import type { Config } from '../../config/config.js';
import { CONFIG } from '../../config/config.module.js';
import { Database, type Transaction } from '../../database/database.js';
import { newId } from '../../database/ids.js';
import { type ListPosition, type Page, type PageRequest, readPage } from '../../http/pagination.js';
import { withIdempotencyKey } from '../../idempotency/idempotency-keys.repository.js';
import type { IdempotentWrite } from '../../idempotency/idempotent-write.js';
import type { TeamMember } from '../members/team-member.js';
import { findMembersByEmail } from '../members/team-members.repository.js';
import { limitReached, type Team, type TeamRef } from '../team.js';
import { TeamsService } from '../teams.service.js';
import {
  assertPending,
  type FoundInvite,
  type Invite,
  inTeamAlready,
  type ListedInvite,
  type NewInvite,
  tooManyPending,
} from './invite.js';
import { InviteOutbox } from './invite-outbox.js';
import {
  countPendingInvites,
  deleteInvites,
  expiredInvites,
  findInviteOfTeam,
  PENDING,
  pendingInvitesFor,
  queueMails,
  replaceInvites,
  setInviteState,
} from './invites.repository.js';

/** Invites that may be pending if the plan allows any number of users. */
const MAX_PENDING = 2_000;

/** What a team does with its invites; MyInvitesService has what the invited person does. */
@Injectable()
export class InvitesService {
  constructor(
    private readonly database: Database,
    private readonly teams: TeamsService,
    private readonly users: UsersService,
    private readonly outbox: InviteOutbox,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** Lists pending invites, including expired ones. @throws DomainError not_found, forbidden */
  async list(actor: Actor, ref: TeamRef, page: PageRequest): Promise<Page<ListedInvite>> {
    return readPage(page, (parameters, many) =>
      this.teams.readForAction<ListedInvite & ListPosition>(actor, ref, 'team.managePeople', [
        { ...PENDING, many },
        parameters,
      ]),
    );
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
    const most = team.limit.users || MAX_PENDING;
    const isGrowing = renewed.length < given || renewed.some(({ isExpired }) => isExpired);
    const surplus = count + given - renewed.length - most;
    if (!isGrowing || surplus <= 0) return;
    const kept = renewed.map(({ id }) => id);
    const expired = await expiredInvites(tx, team.id, kept, surplus);
    if (expired.length < surplus) throw tooManyPending(team.plan, most);
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
