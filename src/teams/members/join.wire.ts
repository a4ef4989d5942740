import { ApiSchema } from '@nestjs/swagger';
import { Text } from '../../validation/fields.js';

@ApiSchema({ name: 'JoinTeamRequest', description: 'The code that the team gives out.' })
export class JoinTeamRequest {
  @Text(
    { min: 1, max: 24 },
    { description: '`inviteCode` of the team.', example: 'p3T0x1nqSbG5fZlq2mVh8KdA' },
  )
  inviteCode!: string;
}
