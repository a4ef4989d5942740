import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Actor } from '../auth/actor.js';
import { CurrentActor } from '../auth/token.guard.js';
import { PersonResponse, serializePerson } from '../http/record.wire.js';
import { Operation } from '../openapi/operation.js';

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
