var __decorate = (this && this.__decorate) || function (decorators, target, key, desc) {
    var c = arguments.length, r = c < 3 ? target : desc === null ? desc = Object.getOwnPropertyDescriptor(target, key) : desc, d;
    if (typeof Reflect === "object" && typeof Reflect.decorate === "function") r = Reflect.decorate(decorators, target, key, desc);
    else for (var i = decorators.length - 1; i >= 0; i--) if (d = decorators[i]) r = (c < 3 ? d(r) : c > 3 ? d(target, key, r) : d(target, key)) || r;
    return c > 3 && r && Object.defineProperty(target, key, r), r;
};
var __metadata = (this && this.__metadata) || function (k, v) {
    if (typeof Reflect === "object" && typeof Reflect.metadata === "function") return Reflect.metadata(k, v);
};
var __param = (this && this.__param) || function (paramIndex, decorator) {
    return function (target, key) { decorator(target, key, paramIndex); }
};
import { Controller, Get, Inject, Query, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { CurrentActor } from '../../auth/actor.js';
import { RequiresManage } from '../../auth/token.guard.js';
import { CONFIG } from '../../config/config.module.js';
import { queryErrors, teamErrors } from '../../openapi/example-errors.js';
import { AUDIT_LOG } from '../../openapi/examples.js';
import { Operation } from '../../openapi/operation.js';
import { linkNextPage } from '../../teams/page.wire.js';
import { Team } from '../../teams/team-ref.js';
import { AuditLogService } from './audit-log.service.js';
import { AuditEntryResponse, AuditLogQuery, serializeEntry, toAuditQuery, } from './audit-log.wire.js';
let AuditLogController = class AuditLogController {
    log;
    config;
    constructor(log, config) {
        this.log = log;
        this.config = config;
    }
    async getAuditLog(actor, team, query, reply) {
        const { filter, page } = toAuditQuery(query);
        const entries = await this.log.list(actor, team, filter, page);
        linkNextPage(reply, this.config.publicUrl, entries);
        return entries.items.map(serializeEntry);
    }
};
__decorate([
    Get(),
    RequiresManage(),
    Operation({
        summary: 'Read the audit log of a team',
        description: 'Who did what, newest first: changes of the team, its people, invites and workspaces, deletions, restores and purges; neither reads nor edits of content. Entries about a private workspace are shown only to its members.',
        requires: '`owner` of the team',
        response: 'The entries, newest first.',
        type: [AuditEntryResponse],
        example: AUDIT_LOG,
        headers: ['Link'],
        errors: [
            ...queryErrors(AuditLogQuery, { limit: '0' }, { action: 'team.read' }, { since: 'today' }),
            ...teamErrors('team.readAuditLog'),
        ],
    }),
    __param(0, CurrentActor()),
    __param(1, Team()),
    __param(2, Query()),
    __param(3, Res({ passthrough: true })),
    __metadata("design:type", Function),
    __metadata("design:paramtypes", [Object, Object, AuditLogQuery, Object]),
    __metadata("design:returntype", Promise)
], AuditLogController.prototype, "getAuditLog", null);
AuditLogController = __decorate([
    ApiTags('teams'),
    Controller('teams/:team_slug/audit-log'),
    __param(1, Inject(CONFIG)),
    __metadata("design:paramtypes", [AuditLogService, Object])
], AuditLogController);
export { AuditLogController };
//# sourceMappingURL=audit-log.controller.js.map