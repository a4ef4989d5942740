import { record } from '../../audit/audit-entries.repository.js';
import { OPERATOR, onInvite, onUser } from '../../audit/audit-entry.js';
import { Database } from '../../database/database.js';
import { DomainError } from '../../errors/domain-error.js';
import { TeamMembersRepository } from '../../teams/members/team-members.repository.js';
import { takeMembershipLock } from '../../teams/membership-lock.repository.js';
import { newInviteCode } from '../../teams/team.js';
import { TeamUsageRepository } from '../../teams/team-usage.repository.js';
import { TeamsRepository } from '../../teams/teams.repository.js';
import { MemberRemoval } from '../../workspaces/members/member-removal.js';
import { WorkspaceMembersRepository } from '../../workspaces/members/workspace-members.repository.js';
import { deleteInvites, deleteInvitesBy, deleteResponses, eraseUser, lockForErasure, teamsInvitedBy, teamsInviting, teamsOf, } from './erased-rows.js';
const BY_OPERATOR = { purpose: 'erase' };
/** Erases people, completely or not at all, while the service runs. */
export class Erasure {
    database;
    members;
    removal;
    teams;
    constructor(config) {
        this.database = new Database(config);
        this.members = new TeamMembersRepository();
        this.removal = new MemberRemoval(this.members, new WorkspaceMembersRepository(), new TeamUsageRepository());
        this.teams = new TeamsRepository();
    }
    /**
     * Ends the memberships of a person or a service, and replaces what is recorded of them.
     * @returns null: nobody is recorded under this issuer and subject
     * @throws Error naming the teams that they are the last owner of: nothing was changed
     */
    person(issuer, subject) {
        return this.database.transaction(async (tx) => {
            // First, by the order of locks: nobody makes them a member, and they invite nobody, from now on.
            const user = await lockForErasure(tx, issuer, subject);
            if (user === null)
                return null;
            // An address that is not known to be theirs may be somebody else's, and so may its invites.
            const email = user.emailVerified ? user.email : null;
            const memberships = await teamsOf(tx, user.id);
            const inviting = await teamsInviting(tx, email);
            const invited = await teamsInvitedBy(tx, user.id);
            lockAll(tx, [...memberships, ...inviting, ...invited]);
            const left = await this.leave(tx, user.id, memberships);
            const invites = [
                ...(await deleteInvites(tx, email)),
                ...(await deleteInvitesBy(tx, user.id)),
            ];
            recordRevoked(tx, invites);
            const responses = await deleteResponses(tx, user.id);
            eraseUser(tx, user.id);
            return { memberships: left, invites: invites.length, responses };
        }, BY_OPERATOR);
    }
    /** Deletes the invites to an address, in any letter case. @returns how many */
    invitesTo(email) {
        return this.database.transaction(async (tx) => {
            lockAll(tx, await teamsInviting(tx, email));
            const invites = await deleteInvites(tx, email);
            recordRevoked(tx, invites);
            return invites.length;
        }, BY_OPERATOR);
    }
    close() {
        return this.database.onApplicationShutdown();
    }
    /** Checks all teams before it fails, so that the error names all of them. */
    async leave(tx, userId, teams) {
        const ownedAlone = [];
        let left = 0;
        for (const { id, slug } of teams) {
            // Somebody else may have removed them before the lock was acquired.
            const role = await this.members.roleOf(tx, id, userId);
            if (role === null)
                continue;
            try {
                // Everyone who could see the code still has it.
                this.teams.setInviteCode(tx, id, newInviteCode());
                const rest = await this.removal.restOf(tx, id, userId);
                const details = { role, inviteCodeRenewed: true };
                const removed = { action: 'member.removed', ...onUser(userId), details };
                this.removal.remove(tx, id, userId, rest, OPERATOR, [removed]);
                left++;
            }
            catch (error) {
                if (!(error instanceof DomainError))
                    throw error;
                ownedAlone.push(slug);
            }
        }
        if (ownedAlone.length > 0) {
            throw new Error(`Nothing was erased: they are the last owner of ${ownedAlone.join(', ')}. Make somebody else an owner first.`);
        }
        return left;
    }
}
/** Records that invites which somebody could still accept are gone. */
function recordRevoked(tx, invites) {
    for (const { id, teamId, state } of invites) {
        if (state !== 'pending')
            continue;
        record(tx, teamId, OPERATOR, { action: 'invite.revoked', ...onInvite(id), details: {} });
    }
}
/** In the order of their ids, so that two commands do not deadlock. */
function lockAll(tx, teams) {
    const ids = new Set(teams.map(({ id }) => id));
    for (const id of [...ids].sort())
        takeMembershipLock(tx, id);
}
//# sourceMappingURL=erasure.js.map