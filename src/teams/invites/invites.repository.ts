import { Injectable } from '@nestjs/common';
import type { TeamRole } from '../../access/roles.js';
import { Database, type Transaction } from '../../database/database.js';
import { isUuid, newId } from '../../database/ids.js';
import { type Page, type PageRequest, pageOf, rowsFor } from '../page.js';
import type { Invite, InviteState } from './invite.js';

/** Invites, by team and by the invited person's email. */
@Injectable()
export class InvitesRepository {
  constructor(private readonly database: Database) {}

  /** The pending invites of a team, the expired ones too, oldest first. */
  listOfTeam(teamId: string, page: PageRequest): Promise<Page<Invite>> {
    return this.list({ teamId, state: 'pending' }, page);
  }

  /** The invites of an email that can be accepted, oldest first. */
  listForEmail(email: string, page: PageRequest): Promise<Page<Invite>> {
    const expiresAt = { gt: new Date() };
    return this.list({ email: anyCase(email), state: 'pending', expiresAt }, page);
  }

  private async list(
    where: { teamId?: string; email?: object; state: InviteState; expiresAt?: object },
    page: PageRequest,
  ): Promise<Page<Invite>> {
    const { after } = page;
    const rows = await this.database.prisma.teamInvite.findMany({
      where: {
        ...where,
        ...(after && {
          OR: [{ createdAt: { gt: after.at } }, { createdAt: after.at, id: { gt: after.id } }],
        }),
      },
      orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
      ...rowsFor(page),
    });
    return pageOf(rows.map(toInvite), page, ({ createdAt, id }) => ({ at: createdAt, id }));
  }

  /** An invite of this team, in any state. */
  async findOfTeam(tx: Transaction, teamId: string, id: string): Promise<Invite | null> {
    if (!isUuid(id)) return null;
    const row = await tx.teamInvite.findFirst({ where: { id, teamId } });
    return row && toInvite(row);
  }

  /** An invite for this email, in any state. */
  async findForEmail(tx: Transaction, email: string, id: string): Promise<Invite | null> {
    if (!isUuid(id)) return null;
    const row = await tx.teamInvite.findFirst({ where: { id, email: anyCase(email) } });
    return row && toInvite(row);
  }

  /** The pending invites of a team to these emails. */
  async pendingFor(tx: Transaction, teamId: string, emails: string[]): Promise<Invite[]> {
    const rows = await tx.teamInvite.findMany({
      where: { teamId, state: 'pending', email: anyCase(...emails) },
    });
    return rows.map(toInvite);
  }

  /** Writes invites of a team in place of others. */
  async replace(
    tx: Transaction,
    teamId: string,
    old: Invite[],
    invites: Invite[],
    invitedBy: string,
  ): Promise<void> {
    await tx.teamInvite.deleteMany({ where: { teamId, id: { in: old.map(({ id }) => id) } } });
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

  async setState(tx: Transaction, { id, teamId }: Invite, state: InviteState): Promise<void> {
    await tx.teamInvite.update({ where: { id, teamId }, data: { state }, select: { id: true } });
  }
}

/** `in`, also for one: Prisma compares it by lower(), and `equals` by ILIKE, where _ is a wildcard. */
const anyCase = (...emails: string[]) => ({ in: emails, mode: 'insensitive' as const });

function toInvite(
  row: Omit<Invite, 'role' | 'state'> & { role: string; state: string; invitedBy: string },
): Invite {
  const { invitedBy: _, role, state, ...invite } = row;
  return { ...invite, role: role as TeamRole, state: state as InviteState };
}
