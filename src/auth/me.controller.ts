import { Controller, Get } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { type Actor, CurrentActor } from './actor.js';
import { PersonResponse, presentPerson } from './person.wire.js';

@ApiTags('people')
@Controller('me')
export class MeController {
  @Get()
  @ApiOperation({
    summary: 'Retrieve the caller',
    description: 'Name, email and picture as the token has them.',
  })
  @ApiOkResponse({ type: PersonResponse })
  getMe(@CurrentActor() actor: Actor): PersonResponse {
    return presentPerson(actor);
  }
}
