import { isAtLeast } from 'teamspaces-service/access/decide';
import type { TeamRole } from 'teamspaces-service/access/roles';
import { OPERATOR, onUser, record } from 'teamspaces-service/audit/audit-entries.repository';
import { serviceAddress } from 'teamspaces-service/auth/email';
import type { Config } from 'teamspaces-service/config/config';
import type { Database, Transaction } from 'teamspaces-service/database/database';
import { newId } from 'teamspaces-service/database/identifiers';
import { timeOf } from 'teamspaces-service/database/time';
import { DomainError } from 'teamspaces-service/errors/domain-error';
import { lastOwner } from 'teamspaces-service/teams/errors';
import {
  addToTeam,
  findOtherOwner,
  setTeamRole,
} from 'teamspaces-service/teams/members/team-members.repository';
import {
  invitesToRevoke,
  preventReentry,
} from 'teamspaces-service/teams/members/team-members.service';
import { TeamReadsRepository } from 'teamspaces-service/teams/team-reads.repository';
import { growUsage } from 'teamspaces-service/teams/team-usage.repository';
import { takeMembershipLock } from 'teamspaces-service/teams/teams.repository';
import { noTeam } from '../with-database.js';

/** A person or service to add, and the team. */
export interface NewMember {
  /** The team's slug. */
  team: string;
  /** `iss` of their tokens; '' for tokens without one. */
  issuer: string;
  /** `sub` of their tokens. */
  subject: string;
  /** Their name until their first request. */
  name: string;
  role: TeamRole;
  /** True: an existing member gets the role, too. */
  changeRole: boolean;
}

/** Most bytes of an issuer and of a subject, as in tokens. */
const MAX_IDENTITY = 1024;

/**
 * Makes somebody a member, as joining does: under the membership lock, with exact counters.
 * @returns a sentence about what was done
 * @throws Error with a sentence: no such team, the plan's limit, another role, the last owner
 */
export async function addNewMember(
  database: Database,
  config: Config,
  member: NewMember,
): Promise<string> {
  assertPossible('subject', member.subject);
  if (member.issuer !== '') assertPossible('issuer', member.issuer);
  const teams = new TeamReadsRepository(database, config);
  try {
    return await database.transaction((tx) => add(tx, teams, member), {});
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    throw new Error(`Nothing was changed in ${member.team}: ${error.message}.`);
  }
}

async function add(
  tx: Transaction,
  teams: TeamReadsRepository,
  member: NewMember,
): Promise<string> {
  const { team: slug, issuer, subject, name, role, changeRole } = member;
  const [row] = await tx.query<{ id: string }>(TEAM, [slug]);
  if (!row) throw noTeam(slug);
  // Users come before teams in the order of locks.
  const userId = await recordUnknown(tx, { issuer, subject, name });
  takeMembershipLock(tx, row.id);
  const [team, otherOwner, inviteIds, now] = await Promise.all([
    teams.findIn(tx, row.id, userId),
    findOtherOwner(tx, row.id, userId),
    invitesToRevoke(tx, row.id, userId, role),
    timeOf(tx),
  ]);
  if (team === null) throw new Error(`There is no longer a team with the slug "${slug}".`);
  if (team.role === null) {
    addToTeam(tx, team.id, userId, role);
    const details = { role };
    record(tx, team.id, OPERATOR, { action: 'member.added', ...onUser(userId), details });
    growUsage(tx, team, 'users');
    return `${subject} is in ${slug} now, as ${role}.`;
  }
  if (team.role === role) return `${subject} is in ${slug} already, as ${role}.`;
  if (!changeRole) {
    throw new Error(
      `${subject} is in ${slug} already, as ${team.role}; --change-role makes that ${role}.`,
    );
  }
  if (role !== 'owner' && otherOwner === null) throw lastOwner();
  setTeamRole(tx, team.id, userId, role);
  const action = 'member.role_changed';
  const isDemoted = isAtLeast(team.role, role);
  const revoked = isDemoted ? preventReentry(tx, team.id, inviteIds, action, now) : [];
  const details = { from: team.role, to: role, inviteCodeRenewed: isDemoted };
  record(tx, team.id, OPERATOR, { action, ...onUser(userId), details }, ...revoked);
  return `${subject} is in ${slug} as ${role} now, and was ${team.role}.`;
}

/**
 * Records somebody before their first request, without an email, as a service is; a record that is
 * there stays as it is. It cannot be erased until the transaction ends.
 * @returns our id of the user
 */
async function recordUnknown(
  tx: Transaction,
  { issuer, subject, name }: Pick<NewMember, 'issuer' | 'subject' | 'name'>,
): Promise<string> {
  const id = newId();
  tx.write(RECORD, [id, issuer, subject, name, serviceAddress(id)]);
  const [user] = await tx.query<{ id: string }>(HOLD, [issuer, subject]);
  // Always one row: only the erasing of it could take it away, and that comes before or after.
  return (user as { id: string }).id;
}

const RECORD = {
  name: 'member.record',
  text: `
    INSERT INTO users (id, issuer, subject, name, email, email_verified)
    VALUES ($1, $2, $3, $4, $5, false) ON CONFLICT DO NOTHING`,
};

const HOLD = {
  name: 'member.hold',
  text: 'SELECT id FROM users WHERE issuer = $1 AND subject = $2 FOR KEY SHARE',
};

const TEAM = { name: 'member.team', text: 'SELECT id FROM teams WHERE slug = $1' };

function assertPossible(what: string, text: string): void {
  if (text === '' || Buffer.byteLength(text) > MAX_IDENTITY || !text.isWellFormed()) {
    throw new Error(`The ${what} must be 1 to ${MAX_IDENTITY} bytes.`);
  }
}
