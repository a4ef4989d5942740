import { foldEmail } from '../../auth/email.js';
const FIND = {
    name: 'teamMembers.byEmail',
    text: `
    SELECT u.id, u.name, u.email, u.image, u.email_verified AS "emailVerified", m.role
    FROM team_members m JOIN users u ON u.id = m.user_id
    WHERE m.team_id = $1 AND lower(u.email COLLATE "C") = ANY ($2::text[])`,
};
/** The members of a team who have one of these emails. */
export const findMembersByEmail = (tx, teamId, emails) => tx.query(FIND, [teamId, emails.map(foldEmail)]);
//# sourceMappingURL=members-by-email.repository.js.map