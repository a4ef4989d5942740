import { teamOf } from './fair-access.js';
import { Refusal } from './serve.js';
export async function transaction(pool, work) {
    const client = await pool.connect();
    try {
        await client.query('BEGIN');
        const result = await work(client);
        await client.query('COMMIT');
        return result;
    }
    catch (error) {
        await client.query('ROLLBACK');
        throw error;
    }
    finally {
        client.release();
    }
}
export const ROLES = ['guest', 'member', 'moderator', 'owner'];
/**
 * A transaction that holds the lock of a team, in which the caller has at least this role. Nobody else
 * waits for the lock; and the role is read again behind it, since it may have changed.
 * @param hold called before the lock is taken: users come before teams in the order of locks
 */
export const inTeam = (pool, caller, slug, least, work, hold) => transaction(pool, async (client) => {
    const found = await teamOf(client, caller, slug);
    assertRole(found.role, least);
    await hold?.(client, found.user_id);
    await lockTeam(client, found.id);
    const team = await teamOf(client, caller, slug);
    assertRole(team.role, least);
    return work(client, team);
});
export async function lockTeam(client, id) {
    await client.query({ ...LOCK, values: [id] });
}
/** Keeps a user's record from being erased until the transaction ends. */
export async function holdUser(client, id) {
    const { rowCount } = await client.query({ ...HOLD, values: [id] });
    if (rowCount === 0)
        throw new Refusal(409, 'the record of the caller was erased');
}
function assertRole(role, least) {
    if (ROLES.indexOf(role) < ROLES.indexOf(least))
        throw new Refusal(403, `this requires ${least}`);
}
const LOCK = { name: 'lock.team', text: 'SELECT FROM teams WHERE id = $1 FOR NO KEY UPDATE' };
const HOLD = {
    name: 'hold.user',
    text: `SELECT FROM users WHERE id = $1 AND issuer <> 'urn:teamspaces:erased' FOR KEY SHARE`,
};
