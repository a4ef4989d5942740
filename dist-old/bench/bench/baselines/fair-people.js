import { v7 as uuid } from 'uuid';
import { recordCaller, teamOf } from './fair-access.js';
import { acceptInvite, foldEmail, sendInvites } from './fair-invites.js';
import { inTeam, ROLES } from './fair-transaction.js';
import { Refusal, } from './serve.js';
import { freeSlug } from './slug.js';
import { LIMITS, serializeInvites, serializeMembers, serializeTeam, serializeWorkspace, } from './wire.js';
/** Lists of people. */
export const peopleReads = (pool) => ({
    async getTeamMembers(caller, slug) {
        const team = await teamOf(pool, caller, slug);
        if (ROLES.indexOf(team.role) < ROLES.indexOf('member')) {
            throw new Refusal(403, 'this requires member');
        }
        const { rows } = await pool.query({ ...MEMBERS, values: [team.id] });
        return serializeMembers(rows);
    },
    async getMyInvites(caller) {
        const { issuer, subject, email, name } = caller;
        const values = [issuer, subject, foldEmail(email)];
        const { rows } = await pool.query({ ...MY_INVITES, values });
        const [first] = rows;
        if (first?.known_email !== email || first.known_name !== name)
            await recordCaller(pool, caller);
        return serializeInvites(rows.filter(({ id }) => id !== null));
    },
});
/** Writes about people and settings: each in a transaction that holds the lock of the team. */
export const fairPeople = (pool) => ({
    updateTeam: (caller, slug, body) => inTeam(pool, caller, slug, 'moderator', (client, team) => update(client, team, body)),
    createWorkspace: (caller, slug, body) => inTeam(pool, caller, slug, 'member', (client, team) => createWorkspace(client, team, body)),
    sendTeamInvites: (caller, slug, invites) => sendInvites(pool, caller, slug, invites),
    acceptInvite: (caller, id) => acceptInvite(pool, caller, id),
    leaveTeam: (caller, slug) => inTeam(pool, caller, slug, 'guest', async (client, team) => {
        const values = [team.id, team.user_id];
        const { rowCount } = await client.query({ ...LEAVE, values });
        if (rowCount === 0)
            throw new Refusal(409, 'the team or a workspace needs this member');
        await client.query({ ...SHRINK, values: [team.id] });
        return { message: 'The member was removed from the team.' };
    }),
});
async function update(client, team, body) {
    const { name = team.name, slug = team.slug, description = team.description } = body;
    if (slug !== team.slug && team.role !== 'owner')
        throw new Refusal(403, 'this requires owner');
    const values = [team.id, name, slug, description];
    try {
        const { rows } = await client.query({ ...UPDATE, values });
        return serializeTeam({ ...team, ...rows[0] });
    }
    catch (error) {
        if (error.constraint !== 'teams_slug_key')
            throw error;
        throw new Refusal(409, 'the slug is taken');
    }
}
async function createWorkspace(client, team, body) {
    const { name, description = '', visibility = 'public', defaultAccess = 'full' } = body;
    const slug = await freeSlug(name, async (wanted) => {
        const { rowCount } = await client.query({ ...TAKEN, values: [team.id, wanted] });
        return rowCount !== 0;
    });
    const values = [team.id, uuid(), slug, name, description, visibility, defaultAccess];
    const { rows } = await client.query({ ...INSERT, values });
    const workspace = rows[0];
    await client.query({ ...EDITOR, values: [team.id, workspace.id, team.user_id] });
    const limit = LIMITS[team.plan].workspaces;
    const { rowCount } = await client.query({ ...GROW, values: [team.id, limit] });
    if (rowCount === 0)
        throw new Refusal(403, `the plan allows ${limit} workspaces`);
    return serializeWorkspace(workspace, 'full');
}
const MEMBERS = {
    name: 'members',
    text: `
    SELECT u.id, u.name, u.email, u.image, m.role
    FROM team_members m JOIN users u ON u.id = m.user_id
    WHERE m.team_id = $1 ORDER BY m.joined_at, m.user_id`,
};
/** The invites, with what is recorded of the caller; one row if there is none of them. */
const MY_INVITES = {
    name: 'myInvites',
    text: `
    SELECT me.email AS known_email, me.name AS known_name,
      i.id, i.email, i.role, i.expires_at, i.created_at
    FROM (VALUES (true)) AS always
    LEFT JOIN users me ON me.issuer = $1 AND me.subject = $2
    LEFT JOIN team_invites i ON lower(i.email COLLATE "C") = $3 AND i.state = 'pending'
      AND i.expires_at > statement_timestamp()
    ORDER BY i.created_at, i.id`,
};
const UPDATE = {
    name: 'team.update',
    text: `
    UPDATE teams SET name = $2, slug = $3, description = $4, updated_at = clock_timestamp()
    WHERE id = $1 RETURNING name, slug, description, updated_at`,
};
const TAKEN = {
    name: 'workspace.taken',
    text: 'SELECT FROM workspaces WHERE team_id = $1 AND slug = $2',
};
const INSERT = {
    name: 'workspace.insert',
    text: `
    INSERT INTO workspaces (team_id, id, slug, name, description, visibility, default_access)
    VALUES ($1, $2, $3, $4, $5, $6, $7) RETURNING *`,
};
const EDITOR = {
    name: 'workspace.editor',
    text: `
    INSERT INTO workspace_members (team_id, workspace_id, user_id, role) VALUES ($1, $2, $3, 'editor')`,
};
const GROW = {
    name: 'workspace.count',
    text: `
    UPDATE team_usage SET workspaces = workspaces + 1
    WHERE team_id = $1 AND ($2 = 0 OR workspaces < $2)`,
};
/** Only those leave whose place nobody has to take: the load has no others. */
const LEAVE = {
    name: 'leave',
    text: `
    DELETE FROM team_members m WHERE team_id = $1 AND user_id = $2 AND role <> 'owner'
      AND NOT EXISTS (
        SELECT FROM workspace_members w WHERE w.team_id = m.team_id AND w.user_id = m.user_id)`,
};
const SHRINK = {
    name: 'leave.count',
    text: 'UPDATE team_usage SET users = users - 1 WHERE team_id = $1',
};
