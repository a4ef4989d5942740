import { Inject, Injectable } from '@nestjs/common';
import type { Actor } from '../../auth/actor.js';
import type { Config } from '../../config/config.js';
import { CONFIG } from '../../config/config.module.js';
import { forbidden } from '../../errors/domain-error.js';
import { Mailer } from '../../mail/mailer.js';
import type { Team, TeamRef } from '../team.js';
import { TeamsService } from '../teams.service.js';
import type { Invite, NewInvite } from './invite.js';
import { inviteMail } from './invite-mail.js';
import { InvitesRepository } from './invites.repository.js';

/** What a team does with its invites. */
@Injectable()
export class InvitesService {
  constructor(
    private readonly teams: TeamsService,
    private readonly invites: InvitesRepository,
    private readonly mailer: Mailer,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** Those that wait for an answer, expired ones too. @throws DomainError not_found, forbidden */
  async list(actor: Actor, ref: TeamRef): Promise<Invite[]> {
    const team = await this.teams.forAction(actor, ref, 'team.managePeople');
    return this.invites.list(team.id);
  }

  /**
   * Sends all the invites, or none; one that waits for an answer already is renewed. The mails go
   * out afterwards and cannot fail this.
   * @throws DomainError not_found; forbidden: role, or plan limit; conflict: a member already
   */
  async send(actor: Actor, ref: TeamRef, given: NewInvite[]): Promise<Invite[]> {
    const team = await this.teams.forAction(actor, ref, 'team.managePeople');
    assertRoom(team);
    const invites = await this.invites.send(team.id, actor.id, given);
    for (const invite of invites) {
      this.mailer.post(inviteMail(invite, team, actor, this.config.publicUrl));
    }
    return invites;
  }

  /** @throws DomainError not_found, forbidden; conflict: accepted already */
  async revoke(actor: Actor, ref: TeamRef, inviteId: string): Promise<void> {
    const team = await this.teams.forAction(actor, ref, 'team.managePeople');
    await this.invites.revoke(team.id, actor.id, inviteId);
  }
}

/** A courtesy: accepting is where the limit is held. */
function assertRoom({ plan, limit, usage }: Team): void {
  if (limit.users === 0 || usage.users < limit.users) return;
  throw forbidden(`the ${plan} plan's limit of ${limit.users} users (limit.users) is reached`);
}
