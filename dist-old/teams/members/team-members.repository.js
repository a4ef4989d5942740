var __decorate = (this && this.__decorate) || function (decorators, target, key, desc) {
    var c = arguments.length, r = c < 3 ? target : desc === null ? desc = Object.getOwnPropertyDescriptor(target, key) : desc, d;
    if (typeof Reflect === "object" && typeof Reflect.decorate === "function") r = Reflect.decorate(decorators, target, key, desc);
    else for (var i = decorators.length - 1; i >= 0; i--) if (d = decorators[i]) r = (c < 3 ? d(r) : c > 3 ? d(target, key, r) : d(target, key)) || r;
    return c > 3 && r && Object.defineProperty(target, key, r), r;
};
import { Injectable } from '@nestjs/common';
import { isUuid } from '../../database/ids.js';
/** Who is in a team. */
let TeamMembersRepository = class TeamMembersRepository {
    /** The role of someone in the team; null: not in it. */
    async roleOf(tx, teamId, userId) {
        if (!isUuid(userId))
            return null;
        const [member] = await tx.query(ROLE_OF, [teamId, userId]);
        return member?.role ?? null;
    }
    /** How many teams somebody owns. */
    async countOwned(tx, userId) {
        const [row] = await tx.query(COUNT_OWNED, [userId]);
        return row?.count ?? 0;
    }
    /** The id of the longest-standing owner but this one; null: the team has no other. */
    async otherOwner(tx, teamId, userId) {
        if (!isUuid(userId))
            return null;
        const [owner] = await tx.query(OTHER_OWNER, [teamId, userId]);
        return owner?.id ?? null;
    }
    add(tx, teamId, userId, role) {
        tx.write(ADD, [teamId, userId, role, new Date()]);
    }
    setRole(tx, teamId, userId, role) {
        tx.write(SET_ROLE, [teamId, userId, role]);
    }
    /** Takes someone out of the team; their roles in its workspaces go along (a foreign key). */
    remove(tx, teamId, userId) {
        tx.write(REMOVE, [teamId, userId]);
    }
};
TeamMembersRepository = __decorate([
    Injectable()
], TeamMembersRepository);
export { TeamMembersRepository };
const ROLE_OF = {
    name: 'teamMembers.roleOf',
    text: 'SELECT role FROM team_members WHERE team_id = $1 AND user_id = $2',
};
const COUNT_OWNED = {
    name: 'teamMembers.countOwned',
    text: "SELECT count(*)::int AS count FROM team_members WHERE user_id = $1 AND role = 'owner'",
};
const OTHER_OWNER = {
    name: 'teamMembers.otherOwner',
    text: `
    SELECT user_id AS id FROM team_members
    WHERE team_id = $1 AND role = 'owner' AND user_id <> $2
    ORDER BY joined_at, user_id LIMIT 1`,
};
const ADD = {
    name: 'teamMembers.add',
    text: 'INSERT INTO team_members (team_id, user_id, role, joined_at) VALUES ($1, $2, $3, $4)',
};
const SET_ROLE = {
    name: 'teamMembers.setRole',
    text: 'UPDATE team_members SET role = $3 WHERE team_id = $1 AND user_id = $2',
};
const REMOVE = {
    name: 'teamMembers.remove',
    text: 'DELETE FROM team_members WHERE team_id = $1 AND user_id = $2',
};
//# sourceMappingURL=team-members.repository.js.map