import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Operation } from '../openapi/operation.js';
import { type Actor, CurrentActor } from './actor.js';
import { PersonResponse, serializePerson } from './person.wire.js';

@ApiTags('me')
@Controller('me')
export class MeController {
  @Get()
  @Operation({
    summary: 'Retrieve the caller',
    description: 'Name, email and picture as the token has them.',
    requires: 'a token',
    response: 'The caller, as the token names them.',
    type: PersonResponse,
  })
  getMe(@CurrentActor() actor: Actor): PersonResponse {
    return serializePerson(actor);
  }
}
