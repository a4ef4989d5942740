import type { FastifyReply } from 'fastify';
import { TEAM_ROLES, type TeamRole } from '../access/roles.js';
import { PLANS, type Plan } from '../config/plan-limits.js';
import { recordEtagOf } from '../http/etag.js';
import { MetaResponse, serializerOf, TimestampsResponse } from '../http/record.wire.js';
import { Property, Schema } from '../openapi/property.js';
import { Description, Id, Name, Slug } from '../validation/fields.js';
import { TEAM } from './team.fields.js';
import { type Team, teamSettings } from './team.js';

/** `teamId`: a client-level parameter of the contract, accepted everywhere, required nowhere. */
export const TeamId = () =>
  Id('Id of the team; must agree with the path.', { optional: true, hidden: true });

export class TeamQuery {
  @TeamId() teamId?: string;
}

@Schema('A new team.')
export class CreateTeamRequest {
  @Name('Team name.') name!: string;
  @Slug('Address of the team, unique over all teams.') slug!: string;

  @Description('What the team is about; null is the same as absent.', {
    optional: true,
    nullable: true,
  })
  description?: string | null;
}

@Schema('Absent properties are left unchanged.')
export class UpdateTeamRequest {
  @Name('Team name.', { optional: true }) name?: string;

  @Description('What the team is about; null clears it.', { optional: true, nullable: true })
  description?: string | null;

  @Slug('Address of the team, unique over all teams; only an owner changes it.', { optional: true })
  slug?: string;
}

@Schema('What the team uses; always exact.')
export class TeamUsageResponse {
  @Property('Pages.', { type: 'integer', default: 0, minimum: 0 }) pages!: number;
  @Property('Members.', { type: 'integer', default: 0, minimum: 0 }) users!: number;
  @Property('Workspaces.', { type: 'integer', default: 0, minimum: 0 }) workspaces!: number;
}

@Schema('What the plan allows; 0 means unlimited.')
export class TeamLimitResponse extends TeamUsageResponse {}

@Schema('A team, as the caller sees it.')
export class TeamResponse extends TimestampsResponse {
  @Property('Unique id.') _id!: string;
  @Property('Team name.') name!: string;
  @Property('Address of the logo.', { nullable: true, default: null }) logo!: string | null;

  @Property('What the team is about.', { nullable: true, maxLength: 120 })
  description!: string | null;

  @Property("The caller's role in the team.", { optional: true, enum: TEAM_ROLES }) role!: TeamRole;
  @Property('Count of members.', { type: 'integer' }) membersCount!: number;
  @Property('Title, description and slug.') meta!: MetaResponse;

  @Property('Anyone who has it can join; "" for those who may not see it.', { maxLength: 24 })
  inviteCode!: string;

  @Property('Plan of the team.', { enum: PLANS }) plan!: Plan;
  @Property('Start of the billing cycle, in Unix epoch milliseconds.') billingCycleStart!: number;
  @Property('Resource usage of the team.') usage!: TeamUsageResponse;
  @Property('Plan limits of the team.') limit!: TeamLimitResponse;
}

const serialize = serializerOf(TEAM);

/** A team as its member reads it. */
export function serializeTeam(team: Team): TeamResponse {
  const { role, billingCycleStart, usage, limit } = team;
  return serialize(team, {
    role,
    billingCycleStart: billingCycleStart.getTime(),
    membersCount: usage.users,
    usage,
    limit,
  });
}

/** Names a team's ETag in the response that shows it. @returns the team */
export function withTeamEtag(reply: FastifyReply, team: Team): Team {
  const text = JSON.stringify(serializeTeam(team));
  reply.header('etag', recordEtagOf(teamSettings(team), text));
  return team;
}
