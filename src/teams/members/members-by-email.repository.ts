import { foldEmail } from '../../auth/email.js';
import type { Transaction } from '../../database/database.js';
import type { TeamMemberWithEmail } from './team-member.js';

const FIND = {
  name: 'teamMembers.byEmail',
  text: `
    SELECT u.id, u.name, u.email, u.image, u.email_verified AS "emailVerified", m.role
    FROM team_members m JOIN users u ON u.id = m.user_id
    WHERE m.team_id = $1 AND lower(u.email COLLATE "C") = ANY ($2::text[])`,
};

/** The members of a team who have one of these emails. */
export const findMembersByEmail = (
  tx: Transaction,
  teamId: string,
  emails: string[],
): Promise<TeamMemberWithEmail[]> => tx.query(FIND, [teamId, emails.map(foldEmail)]);
