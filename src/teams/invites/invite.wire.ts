import { TEAM_ROLES, type TeamRole } from '../../access/roles.js';
import { isoTime } from '../../http/record.wire.js';
import { Property, Schema, Time } from '../../openapi/property.js';
import { Email, OneOf } from '../../validation/fields.js';
import { ListOf } from '../../validation/lists.js';
import { MAX_INVITES } from '../limits.js';
import type { ListedInvite } from './invites.repository.js';

@Schema('Whom to invite, and as what.', 'NewTeamInvite')
export class NewInviteRequest {
  @Email('Whom to invite; letter case does not matter.') email!: string;
  @OneOf(TEAM_ROLES, 'Role that accepting gives.') role!: TeamRole;
}

@Schema('All invites are sent, or none.')
export class SendInviteRequest {
  @ListOf(
    () => NewInviteRequest,
    { max: MAX_INVITES, distinct: 'email' },
    'The invites; no email twice.',
  )
  invites!: NewInviteRequest[];
}

@Schema('A pending invite.')
export class TeamInviteResponse {
  @Property('Unique id.') _id!: string;
  @Property('Who is invited.', { format: 'email' }) email!: string;
  @Property('Role that accepting gives.', { enum: TEAM_ROLES }) role!: TeamRole;
  @Time('When it expires, or did') expires!: string;
  @Time('When it was sent first') createdAt!: string;
}

@Schema('Pending invites.')
export class TeamInvitesListResponse {
  @Property('The invites.', { type: [TeamInviteResponse] }) users!: TeamInviteResponse[];
}

/** Invites, as sender or invited person read them. */
export const serializeInvite = (invite: ListedInvite): TeamInviteResponse => ({
  _id: invite.id,
  email: invite.email,
  role: invite.role,
  expires: isoTime(invite.expiresAt),
  createdAt: isoTime(invite.createdAt),
});

export const serializeInvites = (invites: readonly ListedInvite[]): TeamInvitesListResponse => ({
  users: invites.map(serializeInvite),
});
