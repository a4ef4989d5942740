import { accessTo, recordCaller, teamOf, teamsOf } from './fair-access.js';
import { itemReads } from './fair-items.js';
import { fairPeople, peopleReads } from './fair-people.js';
import { transaction } from './fair-transaction.js';
import { create, ITEM_COLUMNS, move, update } from './fair-writes.js';
import { serve } from './serve.js';
import { serializeTeam, serializeTree, serializeWorkspace, } from './wire.js';
/**
 * The fair baseline: keeps the same promises as the service, as one would write it by hand. Each
 * write is a transaction that locks the workspace's row first; one statement after the other.
 */
function fair(pool) {
    /** The transaction in which the caller may write to the workspace, which is locked. */
    const writing = (caller, place, work) => transaction(pool, async (client) => work(client, await accessTo(client, caller, place, 'write')));
    return {
        async getTeams(caller) {
            const rows = await teamsOf(pool, caller, null);
            if (rows.length === 0)
                await recordCaller(pool, caller);
            return rows.map(serializeTeam);
        },
        getTeamInfo: async (caller, slug) => serializeTeam(await teamOf(pool, caller, slug)),
        async getWorkspaces(caller, slug) {
            const team = await teamOf(pool, caller, slug);
            const values = [team.id, team.user_id, team.role === 'guest'];
            const { rows } = await pool.query({
                ...WORKSPACES,
                values,
            });
            const manages = team.role === 'owner' || team.role === 'moderator';
            return rows.map((row) => {
                const level = manages ? 'full' : row.default_access;
                const own = row.role === 'editor' ? 'full' : 'read-only';
                return serializeWorkspace(row, row.role === null ? level : own);
            });
        },
        async getCollections(caller, place) {
            const { teamId, workspaceId } = await accessTo(pool, caller, place, 'read');
            const { rows } = await pool.query({ ...TREE, values: [teamId, workspaceId] });
            return serializeTree(rows);
        },
        ...itemReads(pool),
        ...peopleReads(pool),
        createCollection: (caller, place, body) => writing(caller, place, (client, access) => create(client, access, body)),
        reorderItem: (caller, place, body) => writing(caller, place, async (client, access) => {
            await move(client, access, body);
            return { message: 'The item was moved.' };
        }),
        updateCollection: (caller, place, id, body) => writing(caller, place, (client, access) => update(client, access, id, body)),
    };
}
const WORKSPACES = {
    name: 'workspaces',
    text: `
    SELECT w.*, m.role FROM workspaces w
    LEFT JOIN workspace_members m ON m.team_id = w.team_id AND m.workspace_id = w.id AND m.user_id = $2
    WHERE w.team_id = $1 AND (m.role IS NOT NULL OR w.visibility = 'public' AND NOT $3::boolean)
    ORDER BY w.created_at, w.id`,
};
const TREE = {
    name: 'tree',
    text: `SELECT ${ITEM_COLUMNS} FROM collections WHERE team_id = $1 AND workspace_id = $2 ORDER BY position`,
};
await serve(fair, fairPeople);
