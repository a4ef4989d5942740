const LOCK = {
    name: 'teams.lock',
    text: 'SELECT 1 FROM teams WHERE id = $1 FOR NO KEY UPDATE',
};
/**
 * Waits for the membership lock of a team and holds it until the transaction ends. Every write
 * about people and settings takes it before it reads what it decides on, so that roles, last
 * owners, last editors, invites and slugs are judged by one transaction at a time. It is the lock
 * of the team's own row, which holds for all processes, whichever node of a distributed database
 * they are connected to.
 *
 * It leaves with the next query, which reads what is there then.
 *
 * Order of locks: the record of a user, this one (of several teams by id), then the workspace's row, then its collections, then `team_usage`.
 */
export const takeMembershipLock = (tx, teamId) => tx.write(LOCK, [teamId]);
//# sourceMappingURL=membership-lock.repository.js.map