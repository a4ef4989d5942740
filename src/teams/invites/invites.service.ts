import { Inject, Injectable } from '@nestjs/common';
import { enforceCanManage } from '../../access/enforce.js';
import type { Actor } from '../../auth/actor.js';
import type { Config } from '../../config/config.js';
import { CONFIG } from '../../config/config.module.js';
import { Database, type Transaction } from '../../database/database.js';
import { newId } from '../../database/ids.js';
import { conflict, forbidden, inviteExpired, notFound } from '../../errors/domain-error.js';
import type { Once } from '../../idempotency/once.js';
import { JoinService } from '../members/join.service.js';
import { TeamMembersRepository } from '../members/team-members.repository.js';
import { takeMembershipLock } from '../membership-lock.repository.js';
import type { Page, PageRequest } from '../page.js';
import { limitReached, type Team, type TeamRef } from '../team.js';
import { TeamsRepository } from '../teams.repository.js';
import { TeamsService } from '../teams.service.js';
import type { Invite, NewInvite } from './invite.js';
import { InviteOutbox } from './invite-outbox.js';
import { InvitesRepository } from './invites.repository.js';

/** Invites: what a team does with them, and what the invited person does. */
@Injectable()
export class InvitesService {
  constructor(
    private readonly database: Database,
    private readonly teams: TeamsService,
    private readonly found: TeamsRepository,
    private readonly members: TeamMembersRepository,
    private readonly invites: InvitesRepository,
    private readonly join: JoinService,
    private readonly outbox: InviteOutbox,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** The pending ones, expired ones too. @throws DomainError not_found, forbidden */
  async list(actor: Actor, ref: TeamRef, page: PageRequest): Promise<Page<Invite>> {
    const team = await this.teams.forAction(actor, ref, 'team.managePeople');
    return this.invites.listOfTeam(team.id, page);
  }

  /**
   * Sends all the invites, or none; one that is pending already is renewed. Their mails are
   * queued with them, and go out afterwards.
   * @param given no email twice, letter case aside
   * @returns them in the order given
   * @throws DomainError not_found; forbidden: role, or plan limit; conflict: a member already
   */
  async send(
    actor: Actor,
    ref: TeamRef,
    given: NewInvite[],
    once: Once<Invite[]> | null,
  ): Promise<Invite[]> {
    const team = await this.teams.forAction(actor, ref, 'team.read');
    const invites = await this.database.transaction(async (tx) => {
      const { role, ...locked } = await this.teams.lockForAction(
        tx,
        actor,
        team.id,
        'team.managePeople',
      );
      // A courtesy: the limit is held when an invite is accepted.
      const { limit, usage } = locked;
      if (limit.users !== 0 && usage.users >= limit.users) throw limitReached(locked, 'users');
      const emails = given.map(({ email }) => email);
      const pending = await this.invites.pendingFor(tx, team.id, emails);
      enforceCanManage(
        role,
        [...given, ...pending].map((invite) => invite.role),
      );
      await this.assertNoMembers(tx, team.id, emails);
      const sent = this.renew(team.id, given, pending);
      await this.invites.replace(tx, team.id, pending, sent, actor.id);
      if (this.outbox.isOn) await this.invites.queueMails(tx, sent);
      return sent;
    }, once);
    this.outbox.wake();
    return invites;
  }

  /** @throws DomainError not_found, forbidden; conflict: accepted already */
  async revoke(actor: Actor, ref: TeamRef, inviteId: string): Promise<void> {
    const { id } = await this.teams.forAction(actor, ref, 'team.managePeople');
    await this.database.transaction(async (tx) => {
      const team = await this.teams.lockForAction(tx, actor, id, 'team.managePeople');
      const invite = await this.invites.findOfTeam(tx, id, inviteId);
      assertPending(invite);
      enforceCanManage(team.role, [invite.role]);
      await this.invites.setState(tx, invite, 'revoked');
    });
  }

  /** The caller's invites that can be accepted; none where the email is not known to be theirs. */
  async listMine(actor: Actor, page: PageRequest): Promise<Page<Invite>> {
    if (!actor.emailVerified) return { items: [], next: null };
    return this.invites.listForEmail(actor.email, page);
  }

  /**
   * Makes the caller a member of the team, in the role of the invite.
   * @throws DomainError forbidden: email not verified, or plan limit; not_found; invite_expired;
   *   conflict: accepted already, or a member already
   */
  accept(actor: Actor, inviteId: string, once: Once<Team> | null): Promise<Team> {
    return this.database.transaction(async (tx) => {
      const invite = await this.lockMine(tx, actor, inviteId);
      await this.invites.setState(tx, invite, 'accepted');
      const team = await this.found.find(tx, invite.teamId, actor.id);
      if (!team) throw notFound('team');
      return this.join.admit(tx, actor, team, invite.role);
    }, once);
  }

  /** @throws DomainError as accept(), of the invite */
  decline(actor: Actor, inviteId: string, once: Once<void> | null): Promise<void> {
    return this.database.transaction(async (tx) => {
      const invite = await this.lockMine(tx, actor, inviteId);
      await this.invites.setState(tx, invite, 'declined');
    }, once);
  }

  /** Takes the membership lock of the inviting team; answers the invite as it is then. */
  private async lockMine(tx: Transaction, actor: Actor, inviteId: string): Promise<Invite> {
    if (!actor.emailVerified) {
      throw forbidden(
        'your email is not verified by the identity provider: verify it there and get a new token',
      );
    }
    const found = await this.invites.findForEmail(tx, actor.email, inviteId);
    if (!found) throw notFound('invite');
    await takeMembershipLock(tx, found.teamId);
    const invite = await this.invites.findForEmail(tx, actor.email, inviteId);
    assertPending(invite);
    if (invite.expiresAt <= new Date()) {
      throw inviteExpired('the invite has expired: ask for a new one');
    }
    return invite;
  }

  /** @throws DomainError conflict naming the emails that are members' */
  private async assertNoMembers(tx: Transaction, teamId: string, emails: string[]): Promise<void> {
    const members = await this.members.withEmails(tx, teamId, emails);
    const taken = emails.filter((email) =>
      members.some((member) => isSameEmail(member, { email })),
    );
    if (taken.length > 0)
      throw conflict(`invites must leave out who is in the team already: ${taken.join(', ')}`);
  }

  /** The invites to write: a pending one keeps its id and its age. */
  private renew(teamId: string, given: NewInvite[], pending: Invite[]): Invite[] {
    const now = Date.now();
    return given.map(({ email, role }) => {
      const before = pending.find((invite) => isSameEmail(invite, { email }));
      return {
        id: before?.id ?? newId(),
        teamId,
        email,
        role,
        state: 'pending' as const,
        expiresAt: new Date(now + this.config.inviteTtlSeconds * 1000),
        createdAt: before?.createdAt ?? new Date(now),
      };
    });
  }
}

const isSameEmail = (a: { email: string }, b: { email: string }): boolean =>
  a.email.toLowerCase() === b.email.toLowerCase();

/** @throws DomainError conflict: accepted already; not_found: no such invite is pending */
function assertPending(invite: Invite | null): asserts invite is Invite {
  if (invite?.state === 'accepted')
    throw conflict(
      'the invite was accepted already: to undo that, remove the member from the team',
    );
  if (invite?.state !== 'pending') throw notFound('invite');
}
