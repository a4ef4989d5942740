import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { TEAM_ROLES, type TeamRole } from '../access/roles.js';
import { PLANS, type Plan } from '../config/plan-limits.js';
import { recordEtagOf } from '../http/etag.js';
import { MetaResponse, serializerOf, TimestampsResponse } from '../http/record.wire.js';
import { Description, Id, Name, Slug } from '../validation/fields.js';
import { TEAM } from './team.fields.js';
import { type Team, teamSettings } from './team.js';

/** `teamId`: a client-level parameter of the contract, accepted everywhere, required nowhere. */
export const TeamId = () =>
  Id({ optional: true, hidden: true, description: 'Id of the team; must agree with the path.' });

export class TeamQuery {
  @TeamId()
  teamId?: string;
}

@ApiSchema({ name: 'CreateTeamRequest', description: 'A new team.' })
export class CreateTeamRequest {
  @Name({ description: 'Team name.' })
  name!: string;

  @Slug({
    description: 'Address of the team, unique over all teams.',
  })
  slug!: string;

  @Description({
    optional: true,
    nullable: true,
    description: 'What the team is about; null is the same as absent.',
  })
  description?: string | null;
}

@ApiSchema({ name: 'UpdateTeamRequest', description: 'Absent properties are left unchanged.' })
export class UpdateTeamRequest {
  @Name({ optional: true, description: 'Team name.' })
  name?: string;

  @Description({
    optional: true,
    nullable: true,
    description: 'What the team is about; null clears it.',
  })
  description?: string | null;

  @Slug({
    optional: true,
    description: 'Address of the team, unique over all teams; only an owner changes it.',
  })
  slug?: string;
}

@ApiSchema({
  name: 'TeamUsage',
  description: 'What the team uses; always exact.',
})
export class UsageResponse {
  @ApiProperty({ type: 'integer', default: 0, minimum: 0, description: 'Pages.' })
  pages!: number;

  @ApiProperty({ type: 'integer', default: 0, minimum: 0, description: 'Members.' })
  users!: number;

  @ApiProperty({ type: 'integer', default: 0, minimum: 0, description: 'Workspaces.' })
  workspaces!: number;
}

@ApiSchema({ name: 'TeamLimit', description: 'What the plan allows; 0 means unlimited.' })
export class LimitResponse extends UsageResponse {}

@ApiSchema({ name: 'Team', description: 'A team, as the caller sees it.' })
export class TeamResponse extends TimestampsResponse {
  @ApiProperty({ description: 'Unique id.' })
  _id!: string;

  @ApiProperty({ description: 'Team name.' })
  name!: string;

  @ApiProperty({
    type: String,
    nullable: true,
    default: null,
    description: 'Address of the logo.',
  })
  logo!: string | null;

  @ApiProperty({
    type: String,
    nullable: true,
    maxLength: 120,
    description: 'What the team is about.',
  })
  description!: string | null;

  @ApiProperty({
    enum: TEAM_ROLES,
    required: false,
    description: "The caller's role in the team.",
  })
  role!: TeamRole;

  @ApiProperty({ type: 'integer', description: 'Count of members.' })
  membersCount!: number;

  @ApiProperty({ description: 'Title, description and slug.' })
  meta!: MetaResponse;

  @ApiProperty({
    maxLength: 24,
    description: 'Anyone who has it can join; "" for those who may not see it.',
  })
  inviteCode!: string;

  @ApiProperty({ enum: PLANS, description: 'Plan of the team.' })
  plan!: Plan;

  @ApiProperty({
    description: 'Start of the billing cycle, in Unix epoch milliseconds.',
  })
  billingCycleStart!: number;

  @ApiProperty({ description: 'Resource usage of the team.' })
  usage!: UsageResponse;

  @ApiProperty({ description: 'Plan limits of the team.' })
  limit!: LimitResponse;
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
