import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { TEAM_ROLES, type TeamRole } from '../../access/roles.js';
import { isoTime, Time } from '../../http/record.wire.js';
import { Email, OneOf } from '../../validation/fields.js';
import { ListOf } from '../../validation/lists.js';
import { MAX_INVITES } from '../limits.js';
import type { ListedInvite } from './invites.repository.js';

@ApiSchema({ name: 'NewTeamInvite', description: 'Whom to invite, and as what.' })
export class NewInviteRequest {
  @Email({
    description: 'Whom to invite; letter case does not matter.',
  })
  email!: string;

  @OneOf(TEAM_ROLES, { description: 'Role that accepting gives.' })
  role!: TeamRole;
}

@ApiSchema({ name: 'SendInviteRequest', description: 'All invites are sent, or none.' })
export class SendInvitesRequest {
  @ListOf(
    () => NewInviteRequest,
    { max: MAX_INVITES, distinct: 'email' },
    { description: 'The invites; no email twice.' },
  )
  invites!: NewInviteRequest[];
}

@ApiSchema({ name: 'TeamInvite', description: 'A pending invite.' })
export class InviteResponse {
  @ApiProperty({ description: 'Unique id.' })
  _id!: string;

  @ApiProperty({ format: 'email', description: 'Who is invited.' })
  email!: string;

  @ApiProperty({ enum: TEAM_ROLES, description: 'Role that accepting gives.' })
  role!: TeamRole;

  @Time('When it expires, or did')
  expires!: string;

  @Time('When it was sent first')
  createdAt!: string;
}

@ApiSchema({ name: 'TeamInvitesList', description: 'Pending invites.' })
export class InvitesListResponse {
  @ApiProperty({ type: [InviteResponse], description: 'The invites.' })
  users!: InviteResponse[];
}

/** Invites, as sender or invited person read them. */
export const serializeInvite = (invite: ListedInvite): InviteResponse => ({
  _id: invite.id,
  email: invite.email,
  role: invite.role,
  expires: isoTime(invite.expiresAt),
  createdAt: isoTime(invite.createdAt),
});

export const serializeInvites = (invites: readonly ListedInvite[]): InvitesListResponse => ({
  users: invites.map(serializeInvite),
});
