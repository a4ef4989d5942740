import { ApiProperty, ApiSchema } from '@nestjs/swagger';

@ApiSchema({ name: 'Message', description: 'What was done.' })
export class MessageResponse {
  @ApiProperty({ default: '', description: 'One sentence.' })
  message!: string;
}
