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
import { pageOf } from '../../teams/page.js';
import { TeamsService } from '../../teams/teams.service.js';
import { toEntry } from './audit-log.js';
import { AuditLogRepository } from './audit-log.repository.js';
/** Who did what in a team. */
let AuditLogService = class AuditLogService {
    teams;
    log;
    constructor(teams, log) {
        this.teams = teams;
        this.log = log;
    }
    /**
     * The entries that the caller may see, newest first: none about a private workspace that the caller is
     * not a member of. The pages are as if there were no others.
     * @throws DomainError not_found, forbidden
     */
    async list(actor, ref, filter, page) {
        const rows = await this.teams.readForAction(actor, ref, 'team.readAuditLog', this.log.list(filter, page));
        return pageOf(rows.map(toEntry), page, ({ at, id }) => ({ at, id }));
    }
};
AuditLogService = __decorate([
    Injectable(),
    __metadata("design:paramtypes", [TeamsService,
        AuditLogRepository])
], AuditLogService);
export { AuditLogService };
//# sourceMappingURL=audit-log.service.js.map