import { Inject, Injectable } from '@nestjs/common';
import { enforceLadder } from '../../access/enforce.js';
import type { Config } from '../../config/config.js';
import { CONFIG } from '../../config/config.module.js';
import { Database, type Transaction } from '../../database/database.js';
import { isPossibleId, newId } from '../../database/ids.js';
import { conflict, notFound } from '../../errors/domain-error.js';
import { PeopleRoles } from '../members/people-roles.repository.js';
import type { Invite, NewInvite } from './invite.js';
import { type InviteRow, toInvite } from './invite-row.js';

/** The team's side of invites. */
@Injectable()
export class InvitesRepository {
  constructor(
    private readonly database: Database,
    private readonly roles: PeopleRoles,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** The invites of a team that wait for an answer, the expired ones too, oldest first. */
  async list(teamId: string): Promise<Invite[]> {
    const rows = await this.database.query<InviteRow>(LIST, [teamId]);
    return rows.map(toInvite);
  }

  /**
   * Makes all the invites, or renews those that wait for an answer, where the actor may grant the
   * roles and act on the roles that were granted before.
   * @param invites no email twice, letter case aside
   * @returns them in the order given
   * @throws DomainError forbidden; conflict: an email is a member's
   */
  send(teamId: string, actorId: string, invites: NewInvite[]): Promise<Invite[]> {
    const emails = invites.map(({ email }) => email);
    const granted = invites.map(({ role }) => role);
    return this.database.transaction(async (tx) => {
      const actorRole = await this.roles.enter(tx, teamId, actorId, 'team.managePeople');
      // Locked before the members are read: whoever is accepting one is a member then, or waits.
      const waiting = await tx.$queryRaw<InviteRow[]>`
        SELECT * FROM team_invites
        WHERE team_id = ${teamId}::uuid AND state = 'pending'
          AND lower(email) IN (SELECT lower(e) FROM unnest(${emails}::text[]) AS e)
        ORDER BY id FOR UPDATE`;
      enforceLadder(actorRole, [...granted, ...waiting.map(({ role }) => role)]);
      await assertNoMembers(tx, teamId, emails);
      const rows = await tx.$queryRaw<InviteRow[]>`
        WITH given AS (
          SELECT * FROM unnest(${emails.map(() => newId())}::uuid[], ${emails}::text[], ${granted}::text[])
            WITH ORDINALITY AS given (id, email, role, place)
        ), sent AS (
          INSERT INTO team_invites AS i (id, team_id, email, role, invited_by, expires_at)
          SELECT id, ${teamId}::uuid, email, role, ${actorId}::uuid,
            now() + make_interval(secs => ${this.config.inviteTtlSeconds}::double precision)
          FROM given
          ON CONFLICT (team_id, lower(email)) WHERE state = 'pending' DO UPDATE
            SET email = excluded.email, role = excluded.role,
              invited_by = excluded.invited_by, expires_at = excluded.expires_at
          RETURNING i.*
        )
        SELECT sent.* FROM sent JOIN given ON given.email = sent.email ORDER BY given.place`;
      return rows.map(toInvite);
    });
  }

  /**
   * Takes an invite back, where the actor may act on its role.
   * @throws DomainError forbidden; not_found: no such invite waits; conflict: accepted already
   */
  async revoke(teamId: string, actorId: string, inviteId: string): Promise<void> {
    if (!isPossibleId(inviteId)) throw notFound('invite');
    await this.database.transaction(async (tx) => {
      const actorRole = await this.roles.enter(tx, teamId, actorId, 'team.managePeople');
      const [invite] = await tx.$queryRaw<InviteRow[]>`
        SELECT * FROM team_invites
        WHERE id = ${inviteId}::uuid AND team_id = ${teamId}::uuid FOR UPDATE`;
      if (invite?.state === 'accepted') throw conflict('the invite was accepted already');
      if (invite?.state !== 'pending') throw notFound('invite');
      enforceLadder(actorRole, [invite.role]);
      await tx.teamInvite.update({
        where: { id: inviteId },
        data: { state: 'revoked' },
        select: { id: true },
      });
    });
  }
}

/** @throws DomainError conflict naming the emails that are members' */
async function assertNoMembers(tx: Transaction, teamId: string, emails: string[]): Promise<void> {
  const members = await tx.$queryRaw<{ email: string }[]>`
    SELECT given.email FROM unnest(${emails}::text[]) AS given (email)
    WHERE lower(given.email) IN (
      SELECT lower(u.email) FROM team_members m JOIN users u ON u.id = m.user_id
      WHERE m.team_id = ${teamId}::uuid)`;
  if (members.length === 0) return;
  const named = members.map(({ email }) => email).join(', ');
  throw conflict(`already in the team: ${named}`);
}

const LIST = {
  name: 'invites.list',
  text: `
    SELECT * FROM team_invites WHERE team_id = $1 AND state = 'pending' ORDER BY created_at, id`,
};
