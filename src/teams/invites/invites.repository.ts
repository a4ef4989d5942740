import { Injectable } from '@nestjs/common';
import type { TeamRole } from '../../access/roles.js';
import { Database, type Transaction } from '../../database/database.js';
import { isUuid, newId } from '../../database/ids.js';
import { type Page, type PageRequest, pageOf, rowsFor } from '../page.js';
import type { Invite, InviteState } from './invite.js';

/** The invites of a team; InvitesByEmailRepository finds them by email, and the expired ones. */
@Injectable()
export class InvitesRepository {
  constructor(private readonly database: Database) {}

  /** The pending invites of a team, the expired ones too, oldest first. */
  async list(callerId: string, teamId: string, page: PageRequest): Promise<Page<Invite>> {
    const { after } = page;
    const rows = await this.database.models({ callerId, teamId }, (prisma) =>
      prisma.teamInvite.findMany({
        where: {
          teamId,
          state: 'pending',
          ...(after && {
            OR: [{ createdAt: { gt: after.at } }, { createdAt: after.at, id: { gt: after.id } }],
          }),
        },
        orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
        ...rowsFor(page),
      }),
    );
    return pageOf(rows.map(toInvite), page, ({ createdAt, id }) => ({ at: createdAt, id }));
  }

  /** The team of an invite, without any lock; null: no such invite. */
  async find(callerId: string, id: string): Promise<{ teamId: string } | null> {
    if (!isUuid(id)) return null;
    return this.database.models({ callerId }, (prisma) =>
      prisma.teamInvite.findFirst({ where: { id }, select: { teamId: true } }),
    );
  }

  /** An invite of this team, in any state. */
  async findOfTeam(tx: Transaction, teamId: string, id: string): Promise<Invite | null> {
    if (!isUuid(id)) return null;
    const row = await tx.teamInvite.findFirst({ where: { id, teamId } });
    return row && toInvite(row);
  }

  /** The pending invites of a team that this person sent or renewed last. */
  async pendingSentBy(tx: Transaction, teamId: string, invitedBy: string): Promise<Invite[]> {
    const rows = await tx.teamInvite.findMany({ where: { teamId, state: 'pending', invitedBy } });
    return rows.map(toInvite);
  }

  async delete(tx: Transaction, teamId: string, invites: { id: string }[]): Promise<void> {
    const ids = invites.map(({ id }) => id);
    await tx.teamInvite.deleteMany({ where: { teamId, id: { in: ids } } });
  }

  /** Writes invites of a team in place of others. */
  async replace(
    tx: Transaction,
    teamId: string,
    old: Invite[],
    invites: Invite[],
    invitedBy: string,
  ): Promise<void> {
    await this.delete(tx, teamId, old);
    await tx.teamInvite.createMany({ data: invites.map((invite) => ({ ...invite, invitedBy })) });
  }

  /** Queues a mail for each; one that still waits for the same invite gives way. */
  async queueMails(tx: Transaction, invites: Invite[]): Promise<void> {
    const inviteIds = invites.map(({ id }) => id);
    await tx.mailOutbox.deleteMany({ where: { inviteId: { in: inviteIds } } });
    await tx.mailOutbox.createMany({
      data: inviteIds.map((inviteId) => ({ id: newId(), inviteId })),
    });
  }

  async revoke(tx: Transaction, teamId: string, invites: Invite[]): Promise<void> {
    if (invites.length === 0) return;
    const where = { teamId, id: { in: invites.map(({ id }) => id) } };
    await tx.teamInvite.updateMany({ where, data: { state: 'revoked' } });
  }

  async setState(tx: Transaction, { id, teamId }: Invite, state: InviteState): Promise<void> {
    await tx.teamInvite.update({ where: { id, teamId }, data: { state }, select: { id: true } });
  }
}

function toInvite(
  row: Omit<Invite, 'role' | 'state'> & { role: string; state: string; invitedBy: string },
): Invite {
  const { invitedBy: _, role, state, ...invite } = row;
  return { ...invite, role: role as TeamRole, state: state as InviteState };
}
