import { Injectable } from '@nestjs/common';
import type { TeamRole } from '../../access/roles.js';
import { Database } from '../../database/database.js';
import { type Page, type PageRequest, pageOf } from '../../http/pagination.js';
import type { ListedInvite } from './invite.js';

/** Reads the invites of a team by Prisma's models: the list is read rarely. */
@Injectable()
export class InviteListRepository {
  constructor(private readonly database: Database) {}

  /** The pending invites of a team, including expired ones, oldest first. */
  async pending(callerId: string, teamId: string, page: PageRequest): Promise<Page<ListedInvite>> {
    const { limit, after } = page;
    const rows = await this.database.models({ callerId, teamId }, (prisma) =>
      prisma.teamInvite.findMany({
        select: { id: true, email: true, role: true, expiresAt: true, createdAt: true },
        where: {
          teamId,
          state: 'pending',
          ...(after && {
            OR: [{ createdAt: { gt: after.at } }, { createdAt: after.at, id: { gt: after.id } }],
          }),
        },
        orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
        ...(limit !== undefined && { take: limit + 1 }),
      }),
    );
    const invites = rows.map(({ role, ...invite }) => ({ ...invite, role: role as TeamRole }));
    return pageOf(invites, page, 'createdAt');
  }
}
