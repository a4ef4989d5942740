import { ApiProperty, ApiPropertyOptional, ApiSchema } from '@nestjs/swagger';
import type { Actor } from './actor.js';

@ApiSchema({ name: 'Person', description: 'A person, as their identity provider names them.' })
export class PersonResponse {
  @ApiProperty({
    minLength: 1,
    description: 'Unique id of the person: the `userId` of requests.',
  })
  _id!: string;

  @ApiProperty({ minLength: 1, description: 'Name.' })
  name!: string;

  @ApiProperty({ format: 'idn-email', description: 'Email address.' })
  email!: string;

  @ApiPropertyOptional({
    format: 'uri',
    description: 'Address of a picture; absent if there is none.',
  })
  image?: string;
}

/** A person as others, or they themselves, read them. */
export function serializePerson(
  person: Pick<Actor, 'id' | 'name' | 'email' | 'image'>,
): PersonResponse {
  const { id, name, email, image } = person;
  return { _id: id, name, email, ...(image !== null && { image }) };
}
