var __decorate = (this && this.__decorate) || function (decorators, target, key, desc) {
    var c = arguments.length, r = c < 3 ? target : desc === null ? desc = Object.getOwnPropertyDescriptor(target, key) : desc, d;
    if (typeof Reflect === "object" && typeof Reflect.decorate === "function") r = Reflect.decorate(decorators, target, key, desc);
    else for (var i = decorators.length - 1; i >= 0; i--) if (d = decorators[i]) r = (c < 3 ? d(r) : c > 3 ? d(target, key, r) : d(target, key)) || r;
    return c > 3 && r && Object.defineProperty(target, key, r), r;
};
import { Module } from '@nestjs/common';
import { TeamsModule } from '../../teams/teams.module.js';
import { AuditLogController } from './audit-log.controller.js';
import { AuditLogRepository } from './audit-log.repository.js';
import { AuditLogService } from './audit-log.service.js';
import { AuditPurge } from './audit-purge.js';
import { AuditPurgeRepository } from './audit-purge.repository.js';
let AuditModule = class AuditModule {
};
AuditModule = __decorate([
    Module({
        imports: [TeamsModule],
        controllers: [AuditLogController],
        providers: [AuditLogService, AuditLogRepository, AuditPurge, AuditPurgeRepository],
    })
], AuditModule);
export { AuditModule };
//# sourceMappingURL=audit.module.js.map