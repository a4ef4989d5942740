import { Injectable } from '@nestjs/common';
import type { Actor } from '../../auth/actor.js';
import { forbidden } from '../../errors/domain-error.js';
import type { Team, TeamRef } from '../team.js';
import { TeamsService } from '../teams.service.js';
import type { Invite } from './invite.js';
import { JoiningRepository } from './joining.repository.js';
import { MyInvitesRepository } from './my-invites.repository.js';

/** How people come into a team: by an invite to their email, or by the team's code. */
@Injectable()
export class JoiningService {
  constructor(
    private readonly teams: TeamsService,
    private readonly invites: MyInvitesRepository,
    private readonly joining: JoiningRepository,
  ) {}

  /** The invites that the caller can accept; none where the email is not known to be theirs. */
  async list(actor: Actor): Promise<Invite[]> {
    return actor.emailVerified ? this.invites.list(actor.email) : [];
  }

  /**
   * @throws DomainError forbidden: email not verified, or plan limit; not_found; invite_expired;
   *   conflict: accepted already, or a member already
   */
  async accept(actor: Actor, inviteId: string): Promise<Team> {
    assertVerified(actor);
    const id = await this.invites.accept(inviteId, actor);
    return this.teams.forAction(actor, { id }, 'team.read');
  }

  /** @throws DomainError as accept(), of the invite */
  async decline(actor: Actor, inviteId: string): Promise<void> {
    assertVerified(actor);
    await this.invites.decline(inviteId, actor.email);
  }

  /** @throws DomainError not_found: no such code; conflict: a member already; forbidden: plan limit */
  async join(actor: Actor, inviteCode: string): Promise<Team> {
    const id = await this.joining.join(inviteCode, actor.id);
    return this.teams.forAction(actor, { id }, 'team.read');
  }

  /** Gives the team a new code and takes the old one's power. @throws DomainError not_found, forbidden */
  async renewCode(actor: Actor, ref: TeamRef): Promise<Team> {
    const { id } = await this.teams.forAction(actor, ref, 'team.renewInviteCode');
    await this.joining.renewCode(id, actor.id);
    return this.teams.forAction(actor, { id }, 'team.renewInviteCode');
  }
}

function assertVerified(actor: Actor): void {
  if (!actor.emailVerified) throw forbidden('your email is not verified by the identity provider');
}
