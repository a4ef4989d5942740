import type { Transaction } from '../database/database.js';

/**
 * Waits for the membership lock of a team and holds it until the transaction ends. Every write
 * about people and settings takes it before it reads what it decides on, so that roles, last
 * owners, last editors, invites and slugs are judged by one transaction at a time. It is the lock
 * of the team's own row, which holds for all processes, whichever node of a distributed database
 * they are connected to.
 *
 * Order of locks: the record of a user, this one (of several teams by id), then the workspace's row, then its collections, then `team_usage`.
 */
export async function takeMembershipLock(tx: Transaction, teamId: string): Promise<void> {
  await tx.$queryRaw`SELECT 1 FROM teams WHERE id = ${teamId}::uuid FOR NO KEY UPDATE`;
}
