import { Injectable } from '@nestjs/common';
import { Database, type Transaction } from '../../database/database.js';
import { isPossibleId } from '../../database/ids.js';
import { conflict, inviteExpired, notFound } from '../../errors/domain-error.js';
import type { Invite } from './invite.js';
import { type InviteRow, toInvite } from './invite-row.js';
import { JoiningRepository } from './joining.repository.js';

/** The invited person's side of invites. Emails are compared without regard to letter case. */
@Injectable()
export class MyInvitesRepository {
  constructor(
    private readonly database: Database,
    private readonly joining: JoiningRepository,
  ) {}

  /** The invites of an email that can be accepted, oldest first. */
  async list(email: string): Promise<Invite[]> {
    const rows = await this.database.query<InviteRow>(LIST, [email]);
    return rows.map(toInvite);
  }

  /**
   * Takes an invite that is for `email`, and the user into its team.
   * @returns the id of the team
   * @throws DomainError not_found: none for this email waits; conflict: accepted already, or a member
   *   already; invite_expired; forbidden: plan limit
   */
  async accept(inviteId: string, user: { id: string; email: string }): Promise<string> {
    return this.database.transaction(async (tx) => {
      const { teamId, role } = await this.answer(tx, inviteId, user.email, 'accepted');
      await this.joining.enter(tx, teamId, user.id, role);
      return teamId;
    });
  }

  /** @throws DomainError as accept(), of the invite */
  async decline(inviteId: string, email: string): Promise<void> {
    await this.database.transaction((tx) => this.answer(tx, inviteId, email, 'declined'));
  }

  /** One answer wins: the others wait for the row, and then find the condition false. */
  private async answer(
    tx: Transaction,
    inviteId: string,
    email: string,
    state: 'accepted' | 'declined',
  ): Promise<Invite> {
    if (!isPossibleId(inviteId)) throw notFound('invite');
    const [answered] = await tx.$queryRaw<InviteRow[]>`
      UPDATE team_invites SET state = ${state}
      WHERE id = ${inviteId}::uuid AND lower(email) = lower(${email})
        AND state = 'pending' AND expires_at > now()
      RETURNING *`;
    if (answered) return toInvite(answered);
    const [invite] = await tx.$queryRaw<InviteRow[]>`
      SELECT * FROM team_invites WHERE id = ${inviteId}::uuid AND lower(email) = lower(${email})`;
    if (invite?.state === 'accepted') throw conflict('the invite was accepted already');
    if (invite?.state !== 'pending') throw notFound('invite');
    throw inviteExpired('the invite has expired: ask for a new one');
  }
}

const LIST = {
  name: 'myInvites.list',
  text: `
    SELECT * FROM team_invites
    WHERE lower(email) = lower($1) AND state = 'pending' AND expires_at > now()
    ORDER BY created_at, id`,
};
