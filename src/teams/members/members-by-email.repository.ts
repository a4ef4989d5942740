import { foldEmail } from '../../auth/email.js';
import type { Transaction } from '../../database/database.js';
import type { TeamMemberWithEmail } from './team-member.js';

/**
 * The members of a team who have one of these emails. It is SQL because Prisma compares letter case
 * by the locale of the database, and addresses are compared by foldEmail().
 */
export const findMembersByEmail = (
  tx: Transaction,
  teamId: string,
  emails: string[],
): Promise<TeamMemberWithEmail[]> => tx.$queryRaw`
  SELECT u.id, u.name, u.email, u.image, u.email_verified AS "emailVerified", m.role
  FROM team_members m JOIN users u ON u.id = m.user_id
  WHERE m.team_id = ${teamId}::uuid AND lower(u.email COLLATE "C") = ANY (${emails.map(foldEmail)})`;
