import { Body, Controller, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type Actor, CurrentActor } from '../../auth/actor.js';
import { notFound } from '../../errors/domain-error.js';
import { IdempotencyKey, Idempotent } from '../../idempotency/idempotency.guard.js';
import { idempotentResponse, type RequestKey } from '../../idempotency/idempotent-write.js';
import { bodyErrors } from '../../openapi/example-errors.js';
import { Operation } from '../../openapi/operation.js';
import { limitReached, ON_FREE_PLAN } from '../team.js';
import { serializeTeam, TeamResponse } from '../team.wire.js';
import { JoinService } from './join.service.js';
import { JoinTeamRequest } from './join.wire.js';
import { memberAlready } from './team-member.js';

@ApiTags('me')
@Controller('teams/join')
export class JoinController {
  constructor(private readonly join: JoinService) {}

  @Post()
  @Idempotent()
  @Operation({
    summary: 'Join a team by its invite code',
    description:
      'The caller becomes a `member`. Returns 404 if no team has the code, 409 if the caller is already a member, 403 at the limit of the plan.',
    requires: 'the invite code',
    response: 'The team; the caller is a member.',
    type: TeamResponse,
    errors: [
      ...bodyErrors(JoinTeamRequest, {}),
      limitReached(ON_FREE_PLAN, 'users'),
      notFound('team with this invite code'),
      memberAlready(),
    ],
  })
  async joinTeam(
    @CurrentActor() actor: Actor,
    @Body() { inviteCode }: JoinTeamRequest,
    @IdempotencyKey() key: RequestKey | null,
  ): Promise<string> {
    return idempotentResponse(key, serializeTeam, (write) =>
      this.join.byCode(actor, inviteCode, write),
    );
  }
}
