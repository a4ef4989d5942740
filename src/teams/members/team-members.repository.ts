import { Injectable } from '@nestjs/common';
import type { TeamRole } from '../../access/roles.js';
import { Database, type Transaction } from '../../database/database.js';
import { isUuid } from '../../database/ids.js';
import { type Page, type PageRequest, pageOf, rowsFor } from '../page.js';
import type { TeamMember } from './team-member.js';

const PERSON = { id: true, name: true, email: true, image: true } as const;

/** Who is in a team. */
@Injectable()
export class TeamMembersRepository {
  constructor(private readonly database: Database) {}

  /** The members of a team, the longest-standing first. */
  list(callerId: string, teamId: string, page: PageRequest): Promise<Page<TeamMember>> {
    return this.database.models({ callerId, teamId }, (prisma) => this.read(prisma, teamId, page));
  }

  private async read(
    prisma: Transaction,
    teamId: string,
    page: PageRequest,
  ): Promise<Page<TeamMember>> {
    const { after } = page;
    const rows = await prisma.teamMember.findMany({
      where: {
        teamId,
        ...(after && {
          OR: [{ joinedAt: { gt: after.at } }, { joinedAt: after.at, userId: { gt: after.id } }],
        }),
      },
      include: { user: { select: PERSON } },
      orderBy: [{ joinedAt: 'asc' }, { userId: 'asc' }],
      ...rowsFor(page),
    });
    const { items, next } = pageOf(rows, page, (row) => ({ at: row.joinedAt, id: row.userId }));
    return { items: items.map(({ user, role }) => ({ ...user, role: role as TeamRole })), next };
  }

  /** The role of someone in the team; null: not in it. */
  async roleOf(tx: Transaction, teamId: string, userId: string): Promise<TeamRole | null> {
    if (!isUuid(userId)) return null;
    const member = await tx.teamMember.findUnique({
      where: { teamId_userId: { teamId, userId } },
      select: { role: true },
    });
    return (member?.role as TeamRole | undefined) ?? null;
  }

  /** The email of somebody, member or not; null where it is not known to be theirs. */
  async verifiedEmailOf(tx: Transaction, userId: string): Promise<string | null> {
    const where = { id: userId, emailVerified: true };
    const user = await tx.user.findFirst({ where, select: { email: true } });
    return user?.email ?? null;
  }

  /** How many teams somebody owns. */
  countOwned(tx: Transaction, userId: string): Promise<number> {
    return tx.teamMember.count({ where: { userId, role: 'owner' } });
  }

  /** The id of the longest-standing owner; null: the team has none. */
  async firstOwner(tx: Transaction, teamId: string): Promise<string | null> {
    const owner = await tx.teamMember.findFirst({
      where: { teamId, role: 'owner' },
      orderBy: [{ joinedAt: 'asc' }, { userId: 'asc' }],
      select: { userId: true },
    });
    return owner?.userId ?? null;
  }

  async add(tx: Transaction, teamId: string, userId: string, role: TeamRole): Promise<void> {
    await tx.teamMember.create({ data: { teamId, userId, role }, select: { userId: true } });
  }

  async setRole(tx: Transaction, teamId: string, userId: string, role: TeamRole): Promise<void> {
    const where = { teamId_userId: { teamId, userId } };
    await tx.teamMember.update({ where, data: { role }, select: { userId: true } });
  }

  /** Takes someone out of the team; their roles in its workspaces go along (a foreign key). */
  async remove(tx: Transaction, teamId: string, userId: string): Promise<void> {
    const where = { teamId_userId: { teamId, userId } };
    await tx.teamMember.delete({ where, select: { userId: true } });
  }
}
