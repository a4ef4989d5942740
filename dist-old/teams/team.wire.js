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
import { TEAM_ROLES } from '../access/roles.js';
import { PLANS } from '../config/plan-limits.js';
import { isoTime, MetaResponse, TimestampsResponse } from '../http/record.wire.js';
import { Description, Id, Name, Slug } from '../validation/fields.js';
/** `teamId`: a client-level parameter of the contract, accepted everywhere, required nowhere. */
export class TeamQuery {
    teamId;
}
__decorate([
    Id({ optional: true, hidden: true, description: 'Id of the team; must agree with the path.' }),
    __metadata("design:type", String)
], TeamQuery.prototype, "teamId", void 0);
let CreateTeamRequest = class CreateTeamRequest {
    name;
    slug;
    description;
};
__decorate([
    Name({ description: 'Team name.', example: 'Acme' }),
    __metadata("design:type", String)
], CreateTeamRequest.prototype, "name", void 0);
__decorate([
    Slug({
        description: 'Address of the team, unique over all teams.',
        example: 'acme',
    }),
    __metadata("design:type", String)
], CreateTeamRequest.prototype, "slug", void 0);
__decorate([
    Description({
        optional: true,
        nullable: true,
        description: 'What the team is about; null is the same as absent.',
        example: 'Rockets and anvils',
    }),
    __metadata("design:type", Object)
], CreateTeamRequest.prototype, "description", void 0);
CreateTeamRequest = __decorate([
    ApiSchema({ name: 'CreateTeamRequest', description: 'A new team.' })
], CreateTeamRequest);
export { CreateTeamRequest };
let UpdateTeamRequest = class UpdateTeamRequest {
    name;
    description;
    slug;
};
__decorate([
    Name({ optional: true, description: 'Team name.', example: 'Acme' }),
    __metadata("design:type", String)
], UpdateTeamRequest.prototype, "name", void 0);
__decorate([
    Description({
        optional: true,
        nullable: true,
        description: 'What the team is about; null clears it.',
        example: 'Rockets and anvils',
    }),
    __metadata("design:type", Object)
], UpdateTeamRequest.prototype, "description", void 0);
__decorate([
    Slug({
        optional: true,
        description: 'Address of the team, unique over all teams; only an owner changes it.',
        example: 'acme',
    }),
    __metadata("design:type", String)
], UpdateTeamRequest.prototype, "slug", void 0);
UpdateTeamRequest = __decorate([
    ApiSchema({ name: 'UpdateTeamRequest', description: 'Absent properties are left unchanged.' })
], UpdateTeamRequest);
export { UpdateTeamRequest };
let UsageResponse = class UsageResponse {
    pages;
    users;
    workspaces;
};
__decorate([
    ApiProperty({ type: 'integer', default: 0, minimum: 0, description: 'Pages.', example: 42 }),
    __metadata("design:type", Number)
], UsageResponse.prototype, "pages", void 0);
__decorate([
    ApiProperty({ type: 'integer', default: 0, minimum: 0, description: 'Members.', example: 3 }),
    __metadata("design:type", Number)
], UsageResponse.prototype, "users", void 0);
__decorate([
    ApiProperty({ type: 'integer', default: 0, minimum: 0, description: 'Workspaces.', example: 2 }),
    __metadata("design:type", Number)
], UsageResponse.prototype, "workspaces", void 0);
UsageResponse = __decorate([
    ApiSchema({
        name: 'TeamUsage',
        description: 'What the team uses; always exact.',
    })
], UsageResponse);
export { UsageResponse };
let LimitResponse = class LimitResponse {
    pages;
    users;
    workspaces;
};
__decorate([
    ApiProperty({ type: 'integer', default: 0, minimum: 0, description: 'Pages.', example: 1000 }),
    __metadata("design:type", Number)
], LimitResponse.prototype, "pages", void 0);
__decorate([
    ApiProperty({ type: 'integer', default: 0, minimum: 0, description: 'Members.', example: 20 }),
    __metadata("design:type", Number)
], LimitResponse.prototype, "users", void 0);
__decorate([
    ApiProperty({ type: 'integer', default: 0, minimum: 0, description: 'Workspaces.', example: 10 }),
    __metadata("design:type", Number)
], LimitResponse.prototype, "workspaces", void 0);
LimitResponse = __decorate([
    ApiSchema({ name: 'TeamLimit', description: 'What the plan allows; 0 means unlimited.' })
], LimitResponse);
export { LimitResponse };
let TeamResponse = class TeamResponse extends TimestampsResponse {
    _id;
    name;
    logo;
    description;
    role;
    membersCount;
    meta;
    inviteCode;
    plan;
    billingCycleStart;
    usage;
    limit;
};
__decorate([
    ApiProperty({ description: 'Unique id.', example: '019a3f0e-6c1f-7cc3-9d0b-2f6f7a8b9c0d' }),
    __metadata("design:type", String)
], TeamResponse.prototype, "_id", void 0);
__decorate([
    ApiProperty({ description: 'Team name.', example: 'Acme' }),
    __metadata("design:type", String)
], TeamResponse.prototype, "name", void 0);
__decorate([
    ApiProperty({
        type: String,
        nullable: true,
        default: null,
        description: 'Address of the logo.',
        example: null,
    }),
    __metadata("design:type", Object)
], TeamResponse.prototype, "logo", void 0);
__decorate([
    ApiProperty({
        type: String,
        nullable: true,
        maxLength: 120,
        description: 'What the team is about.',
        example: 'Rockets and anvils',
    }),
    __metadata("design:type", Object)
], TeamResponse.prototype, "description", void 0);
__decorate([
    ApiProperty({
        enum: TEAM_ROLES,
        required: false,
        description: "The caller's role in the team.",
        example: 'owner',
    }),
    __metadata("design:type", String)
], TeamResponse.prototype, "role", void 0);
__decorate([
    ApiProperty({ type: 'integer', description: 'Count of members.', example: 3 }),
    __metadata("design:type", Number)
], TeamResponse.prototype, "membersCount", void 0);
__decorate([
    ApiProperty({ description: 'Title, description and slug.' }),
    __metadata("design:type", MetaResponse)
], TeamResponse.prototype, "meta", void 0);
__decorate([
    ApiProperty({
        maxLength: 24,
        description: 'Anyone who has it can join; "" for those who may not see it.',
        example: 'p3T0x1nqSbG5fZlq2mVh8KdA',
    }),
    __metadata("design:type", String)
], TeamResponse.prototype, "inviteCode", void 0);
__decorate([
    ApiProperty({ enum: PLANS, description: 'Plan of the team.', example: 'free' }),
    __metadata("design:type", String)
], TeamResponse.prototype, "plan", void 0);
__decorate([
    ApiProperty({
        description: 'Start of the billing cycle, in Unix epoch milliseconds.',
        example: 1767225600000,
    }),
    __metadata("design:type", Number)
], TeamResponse.prototype, "billingCycleStart", void 0);
__decorate([
    ApiProperty({ description: 'Resource usage of the team.' }),
    __metadata("design:type", UsageResponse)
], TeamResponse.prototype, "usage", void 0);
__decorate([
    ApiProperty({ description: 'Plan limits of the team.' }),
    __metadata("design:type", LimitResponse)
], TeamResponse.prototype, "limit", void 0);
TeamResponse = __decorate([
    ApiSchema({ name: 'Team', description: 'A team, as the caller sees it.' })
], TeamResponse);
export { TeamResponse };
/** A team as its member reads it. */
export function serializeTeam(team) {
    return {
        _id: team.id,
        name: team.name,
        logo: team.logo,
        description: team.description,
        role: team.role,
        membersCount: team.usage.users,
        meta: { title: team.name, description: team.description ?? '', slug: team.slug },
        inviteCode: team.inviteCode,
        plan: team.plan,
        billingCycleStart: team.billingCycleStart.getTime(),
        usage: team.usage,
        limit: team.limit,
        createdAt: isoTime(team.createdAt),
        updatedAt: isoTime(team.updatedAt),
    };
}
//# sourceMappingURL=team.wire.js.map