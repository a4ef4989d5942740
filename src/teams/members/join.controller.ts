import { Body, Controller, Post } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { type Actor, CurrentActor } from '../../auth/actor.js';
import { Idempotent } from '../../idempotency/idempotency.interceptor.js';
import { IdempotencyKey } from '../../idempotency/idempotency-key.js';
import { idempotentResponse, type RequestKey } from '../../idempotency/idempotent-write.js';
import { presentTeam, TeamResponse } from '../team.wire.js';
import { JoinService } from './join.service.js';
import { JoinTeamRequest } from './join.wire.js';

@ApiTags('people')
@Controller('teams/join')
export class JoinController {
  constructor(private readonly join: JoinService) {}

  @Post()
  @Idempotent()
  @ApiOperation({
    summary: 'Join a team by its invite code',
    description:
      'The caller becomes a `member`. 404 when no team has the code, 409 when the caller is a member already, 403 at the limit of the plan.',
  })
  @ApiOkResponse({ type: TeamResponse })
  async joinTeam(
    @CurrentActor() actor: Actor,
    @Body() { inviteCode }: JoinTeamRequest,
    @IdempotencyKey() key: RequestKey | null,
  ): Promise<string> {
    return idempotentResponse(key, presentTeam, (write) =>
      this.join.byCode(actor, inviteCode, write),
    );
  }
}
