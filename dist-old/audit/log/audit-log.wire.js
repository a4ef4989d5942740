var __decorate = (this && this.__decorate) || function (decorators, target, key, desc) {
    var c = arguments.length, r = c < 3 ? target : desc === null ? desc = Object.getOwnPropertyDescriptor(target, key) : desc, d;
    if (typeof Reflect === "object" && typeof Reflect.decorate === "function") r = Reflect.decorate(decorators, target, key, desc);
    else for (var i = decorators.length - 1; i >= 0; i--) if (d = decorators[i]) r = (c < 3 ? d(r) : c > 3 ? d(target, key, r) : d(target, key)) || r;
    return c > 3 && r && Object.defineProperty(target, key, r), r;
};
var __metadata = (this && this.__metadata) || function (k, v) {
    if (typeof Reflect === "object" && typeof Reflect.metadata === "function") return Reflect.metadata(k, v);
};
import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { PageCursor, PageLimit } from '../../http/pagination.js';
import { isoTime } from '../../http/record.wire.js';
import { toPageRequest } from '../../teams/page.wire.js';
import { Id, OneOf, QueryTime } from '../../validation/fields.js';
import { AUDIT_ACTIONS, TARGET_TYPES } from '../audit-entry.js';
/** Entries of a page if the query does not say. */
const USUAL_LIMIT = 100;
const ID = '019a3f0e-6c1f-7cc3-9d0b-2f6f7a8b9c0a';
const TIME = '2026-01-01T00:00:00.000Z';
/** Query of getAuditLog. */
export class AuditLogQuery {
    limit;
    cursor;
    action;
    actor;
    since;
    until;
}
__decorate([
    PageLimit(`How many entries to show at most; ${USUAL_LIMIT} by default. \`Link: rel=next\` leads to older ones.`),
    __metadata("design:type", Number)
], AuditLogQuery.prototype, "limit", void 0);
__decorate([
    PageCursor(),
    __metadata("design:type", String)
], AuditLogQuery.prototype, "cursor", void 0);
__decorate([
    OneOf(AUDIT_ACTIONS, { optional: true, description: 'Only entries of this action.' }),
    __metadata("design:type", String)
], AuditLogQuery.prototype, "action", void 0);
__decorate([
    Id({ optional: true, description: 'Only what this person did: their `_id`.' }),
    __metadata("design:type", String)
], AuditLogQuery.prototype, "actor", void 0);
__decorate([
    QueryTime({
        optional: true,
        description: 'Only entries of this moment or later: ISO 8601, such as `2026-01-31T12:00:00Z`.',
    }),
    __metadata("design:type", String)
], AuditLogQuery.prototype, "since", void 0);
__decorate([
    QueryTime({
        optional: true,
        description: 'Only entries of before this moment: ISO 8601, such as `2026-01-31T12:00:00Z`.',
    }),
    __metadata("design:type", String)
], AuditLogQuery.prototype, "until", void 0);
let AuditActorResponse = class AuditActorResponse {
    _id;
    name;
};
__decorate([
    ApiProperty({ description: 'Id of the user.', example: ID }),
    __metadata("design:type", String)
], AuditActorResponse.prototype, "_id", void 0);
__decorate([
    ApiProperty({ description: 'Name, as it is now.', example: 'Ada' }),
    __metadata("design:type", String)
], AuditActorResponse.prototype, "name", void 0);
AuditActorResponse = __decorate([
    ApiSchema({ name: 'AuditActor', description: 'Who did it.' })
], AuditActorResponse);
export { AuditActorResponse };
let AuditTargetResponse = class AuditTargetResponse {
    type;
    id;
    name;
};
__decorate([
    ApiProperty({
        enum: TARGET_TYPES,
        description: 'What it is; `item` is a page.',
        example: 'user',
    }),
    __metadata("design:type", String)
], AuditTargetResponse.prototype, "type", void 0);
__decorate([
    ApiProperty({ description: 'Its id; it may be gone.', example: ID }),
    __metadata("design:type", String)
], AuditTargetResponse.prototype, "id", void 0);
__decorate([
    ApiProperty({
        type: String,
        nullable: true,
        description: 'Its name when it happened; of a user, the name as it is now; null for an invite.',
        example: 'Ada',
    }),
    __metadata("design:type", Object)
], AuditTargetResponse.prototype, "name", void 0);
AuditTargetResponse = __decorate([
    ApiSchema({ name: 'AuditTarget', description: 'What an entry of the audit log is about.' })
], AuditTargetResponse);
export { AuditTargetResponse };
let AuditEntryResponse = class AuditEntryResponse {
    _id;
    at;
    actor;
    action;
    target;
    details;
    requestId;
};
__decorate([
    ApiProperty({ description: 'Unique id.', example: ID }),
    __metadata("design:type", String)
], AuditEntryResponse.prototype, "_id", void 0);
__decorate([
    ApiProperty({
        format: 'date-time',
        description: 'When: ISO 8601 UTC with milliseconds.',
        example: TIME,
    }),
    __metadata("design:type", String)
], AuditEntryResponse.prototype, "at", void 0);
__decorate([
    ApiProperty({
        type: AuditActorResponse,
        nullable: true,
        description: "Who; null for the operator's command line, and for what the service does by itself.",
    }),
    __metadata("design:type", Object)
], AuditEntryResponse.prototype, "actor", void 0);
__decorate([
    ApiProperty({
        description: 'What was done: a value of the query parameter `action`.',
        example: 'member.role_changed',
    }),
    __metadata("design:type", String)
], AuditEntryResponse.prototype, "action", void 0);
__decorate([
    ApiProperty({ description: 'What it was done to.' }),
    __metadata("design:type", AuditTargetResponse)
], AuditEntryResponse.prototype, "target", void 0);
__decorate([
    ApiProperty({
        type: 'object',
        additionalProperties: true,
        description: 'Details of the action. `workspaceId`: the workspace in which it was done; `via: "cli"`: by the operator.',
        example: { from: 'member', to: 'moderator', inviteCodeRenewed: false },
    }),
    __metadata("design:type", Object)
], AuditEntryResponse.prototype, "details", void 0);
__decorate([
    ApiProperty({
        type: String,
        nullable: true,
        description: '`X-Request-Id` of the request that did it; null if there was none.',
        example: '019a3f0e-6c1f-7cc3-9d0b-2f6f7a8b9c0f',
    }),
    __metadata("design:type", Object)
], AuditEntryResponse.prototype, "requestId", void 0);
AuditEntryResponse = __decorate([
    ApiSchema({ name: 'AuditEntry', description: 'Who did what in a team, and when.' })
], AuditEntryResponse);
export { AuditEntryResponse };
const toTime = (text) => (text === undefined ? undefined : new Date(text));
/** @throws DomainError bad_request: the cursor is none that a Link header gave */
export function toAuditQuery({ action, actor, since, until, limit, cursor }) {
    const page = toPageRequest({ ...(cursor !== undefined && { cursor }) });
    return {
        filter: { action, actorId: actor, since: toTime(since), until: toTime(until) },
        page: { ...page, limit: limit ?? USUAL_LIMIT },
    };
}
export function serializeEntry(entry) {
    const { id, at, actor, action, target, workspaceId, details, requestId } = entry;
    const isInWorkspace = workspaceId !== null && target.type !== 'workspace';
    return {
        _id: id,
        at: isoTime(at),
        actor: actor && { _id: actor.id, name: actor.name },
        action,
        target: { type: target.type, id: target.id, name: target.name },
        details: { ...(isInWorkspace && { workspaceId }), ...details },
        requestId,
    };
}
//# sourceMappingURL=audit-log.wire.js.map