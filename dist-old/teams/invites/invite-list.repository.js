var __decorate = (this && this.__decorate) || function (decorators, target, key, desc) {
    var c = arguments.length, r = c < 3 ? target : desc === null ? desc = Object.getOwnPropertyDescriptor(target, key) : desc, d;
    if (typeof Reflect === "object" && typeof Reflect.decorate === "function") r = Reflect.decorate(decorators, target, key, desc);
    else for (var i = decorators.length - 1; i >= 0; i--) if (d = decorators[i]) r = (c < 3 ? d(r) : c > 3 ? d(target, key, r) : d(target, key)) || r;
    return c > 3 && r && Object.defineProperty(target, key, r), r;
};
var __metadata = (this && this.__metadata) || function (k, v) {
    if (typeof Reflect === "object" && typeof Reflect.metadata === "function") return Reflect.metadata(k, v);
};
import { Injectable } from '@nestjs/common';
import { Database } from '../../database/database.js';
import { pageOf } from '../page.js';
/** Reads the invites of a team by Prisma's models: the list is read rarely. */
let InviteListRepository = class InviteListRepository {
    database;
    constructor(database) {
        this.database = database;
    }
    /** The pending invites of a team, including expired ones, oldest first. */
    async pending(callerId, teamId, page) {
        const { limit, after } = page;
        const rows = await this.database.models({ callerId, teamId }, (prisma) => prisma.teamInvite.findMany({
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
        }));
        const invites = rows.map(({ role, ...invite }) => ({ ...invite, role: role }));
        return pageOf(invites, page, ({ createdAt, id }) => ({ at: createdAt, id }));
    }
};
InviteListRepository = __decorate([
    Injectable(),
    __metadata("design:paramtypes", [Database])
], InviteListRepository);
export { InviteListRepository };
//# sourceMappingURL=invite-list.repository.js.map