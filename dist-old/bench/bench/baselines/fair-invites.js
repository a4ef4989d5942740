import { v7 as uuid } from 'uuid';
import { isKnown, recordCaller } from './fair-access.js';
import { ACCEPT, COUNT, DELETE_EXPIRED, FIND, GROW, JOIN, MEMBERS, OWNED, PENDING, SEND, TEAM, USER, } from './fair-invites-sql.js';
import { holdUser, inTeam, lockTeam, ROLES, transaction } from './fair-transaction.js';
import { Refusal } from './serve.js';
import { LIMITS, serializeInvites, serializeTeam } from './wire.js';
/** Pending invites of a team whose plan allows any number of users. */
const MOST_PENDING = 2_000;
const TEAMS_PER_OWNER = 1_000_000;
/** All the invites or none; a pending one is renewed and keeps its id and its age. */
export const sendInvites = (pool, caller, slug, given) => inTeam(pool, caller, slug, 'moderator', async (client, team) => {
    const most = LIMITS[team.plan].users;
    if (most !== 0 && team.users >= most)
        throw new Refusal(403, `the plan allows ${most} users`);
    const emails = given.map(({ email }) => foldEmail(email));
    const pending = await pendingFor(client, team.id, emails);
    assertManages(team.role, [...given, ...pending]);
    const members = await client.query({ ...MEMBERS, values: [team.id, emails] });
    if (members.rowCount !== 0)
        throw new Refusal(409, 'a member already');
    await makeRoom(client, team, given, pending);
    const values = [
        ...[team.id, team.user_id, given.map(() => uuid())],
        ...[given.map(({ email }) => email), given.map(({ role }) => role)],
    ];
    const { rows } = await client.query({ ...SEND, values });
    const sent = new Map(rows.map((row) => [foldEmail(row.email), row]));
    return serializeInvites(emails.map((email) => sent.get(email)));
}, holdUser);
/** Makes the caller a member of the team, in the role of the invite. */
export const acceptInvite = (pool, caller, id) => transaction(pool, async (client) => {
    const userId = await holdCaller(client, caller);
    const { team_id } = await findInvite(client, caller, id);
    await lockTeam(client, team_id);
    const invite = await findInvite(client, caller, id);
    if (invite.state === 'accepted')
        throw new Refusal(409, 'accepted already');
    if (invite.state !== 'pending')
        throw new Refusal(404, 'no such invite');
    if (invite.is_expired)
        throw new Refusal(410, 'the invite has expired');
    if (invite.role === 'owner')
        await assertMayOwn(client, userId);
    await client.query({ ...ACCEPT, values: [team_id, id] });
    const { rows } = await client.query({ ...TEAM, values: [team_id, userId] });
    const team = rows[0];
    if (team.role !== null)
        throw new Refusal(409, 'a member already');
    await client.query({ ...JOIN, values: [team_id, userId, invite.role] });
    const most = LIMITS[team.plan].users;
    const { rowCount } = await client.query({ ...GROW, values: [team_id, most] });
    if (rowCount === 0)
        throw new Refusal(403, `the plan allows ${most} users`);
    return serializeTeam({ ...team, role: invite.role, users: team.users + 1 });
});
/** The id of the caller, whose record is locked, so that their teams are counted one at a time. */
async function holdCaller(client, caller) {
    const values = [caller.issuer, caller.subject];
    const { rows } = await client.query({ ...USER, values });
    if (rows[0] && isKnown(rows[0], caller))
        return rows[0].user_id;
    await recordCaller(client, caller);
    const recorded = await client.query({ ...USER, values });
    return recorded.rows[0].user_id;
}
async function findInvite(client, caller, id) {
    const values = [id, foldEmail(caller.email)];
    const { rows } = await client.query({ ...FIND, values });
    if (!rows[0])
        throw new Refusal(404, 'no such invite');
    return rows[0];
}
async function pendingFor(client, teamId, emails) {
    return (await client.query({ ...PENDING, values: [teamId, emails] })).rows;
}
/** Owners manage everyone; moderators only people and roles below moderator. */
function assertManages(role, people) {
    if (role === 'owner')
        return;
    const isBelow = people.every((one) => ROLES.indexOf(one.role) < ROLES.indexOf('moderator'));
    if (!isBelow)
        throw new Refusal(403, 'this requires owner');
}
/** As many invites may be pending as the plan allows users; expired ones give way. */
async function makeRoom(client, team, given, renewed) {
    const { rows } = await client.query({ ...COUNT, values: [team.id] });
    const most = LIMITS[team.plan].users || MOST_PENDING;
    const surplus = (rows[0]?.count ?? 0) + given.length - renewed.length - most;
    const isGrowing = renewed.length < given.length || renewed.some((one) => one.is_expired);
    if (!isGrowing || surplus <= 0)
        return;
    const values = [team.id, renewed.map(({ id }) => id), surplus];
    const { rowCount } = await client.query({ ...DELETE_EXPIRED, values });
    if (rowCount !== surplus)
        throw new Refusal(403, `the plan allows ${most} pending invites`);
}
async function assertMayOwn(client, userId) {
    const { rows } = await client.query({ ...OWNED, values: [userId] });
    if ((rows[0]?.count ?? 0) >= TEAMS_PER_OWNER)
        throw new Refusal(403, 'too many teams');
}
/** ASCII letters only, as PostgreSQL's lower() does it in the collation "C". */
export const foldEmail = (email) => email.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
