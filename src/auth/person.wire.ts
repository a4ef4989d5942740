import { ApiProperty, ApiPropertyOptional, ApiSchema } from '@nestjs/swagger';
import type { Actor } from './actor.js';

@ApiSchema({ name: 'Person', description: 'A person, as their identity provider names them.' })
export class PersonResponse {
  @ApiProperty({
    minLength: 1,
    description: 'Unique id of the person: the `userId` of requests.',
    example: '019a3f0e-6c1f-7cc3-9d0b-2f6f7a8b9c0a',
  })
  _id!: string;

  @ApiProperty({ minLength: 1, description: 'Name.', example: 'Ada' })
  name!: string;

  @ApiProperty({ format: 'idn-email', description: 'Email address.', example: 'ada@example.com' })
  email!: string;

  @ApiPropertyOptional({
    format: 'uri',
    description: 'Address of a picture; absent if there is none.',
    example: 'https://example.com/ada.png',
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
