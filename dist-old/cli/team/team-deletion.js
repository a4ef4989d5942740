import { connect } from '../../database/connection.js';
/**
 * One statement a table, each for the rows of one team: on a database that is distributed by team
 * each runs on one node. `mail_outbox` has no team: its rows are deleted by the ids of the invites.
 */
const DELETIONS = [
    'DELETE FROM mail_sends WHERE team_id = $1',
    'DELETE FROM workspaces WHERE team_id = $1',
    // After the workspaces: who writes to one of them records it.
    'DELETE FROM audit_entries WHERE team_id = $1',
    'DELETE FROM team_usage WHERE team_id = $1',
    'DELETE FROM team_invites WHERE team_id = $1',
    'DELETE FROM team_members WHERE team_id = $1',
    'DELETE FROM teams WHERE id = $1',
];
/** Deletes one team, on a connection of its own: a large one takes longer than a request may. */
export class TeamDeletion {
    client;
    id;
    name;
    constructor(client, id, name) {
        this.client = client;
        this.id = id;
        this.name = name;
    }
    /** @throws Error with a sentence: no such team, or no connection */
    static async open(databaseUrl, slug) {
        const client = await connect(databaseUrl, 'team delete');
        try {
            const { rows } = await client.query('SELECT id, name FROM teams WHERE slug = $1', [slug]);
            const [team] = rows;
            if (!team)
                throw new Error(`There is no team with the slug "${slug}".`);
            return new TeamDeletion(client, team.id, team.name);
        }
        catch (error) {
            await client.end();
            throw error;
        }
    }
    /** What the team has now. */
    async summary() {
        const count = async (from) => {
            const text = `SELECT count(*)::int AS count FROM ${from}`;
            return (await this.client.query(text, [this.id])).rows[0]?.count ?? 0;
        };
        return {
            members: await count('team_members WHERE team_id = $1'),
            invites: await count("team_invites WHERE team_id = $1 AND state = 'pending'"),
            workspaces: await count('workspaces WHERE team_id = $1'),
            collections: await count("collections WHERE team_id = $1 AND object = 'collection'"),
            pages: await count("collections WHERE team_id = $1 AND object = 'item'"),
        };
    }
    /**
     * Deletes all of it, or nothing. It waits for concurrent writers; later ones find no team.
     * @returns what was deleted
     */
    async delete() {
        await this.client.query('BEGIN');
        try {
            // The membership lock, and the workspaces as a writer of content locks them.
            await this.client.query('SELECT 1 FROM teams WHERE id = $1 FOR UPDATE', [this.id]);
            await this.client.query('SELECT 1 FROM workspaces WHERE team_id = $1 ORDER BY id FOR UPDATE', [this.id]);
            const summary = await this.summary();
            const invites = await this.client.query('SELECT id FROM team_invites WHERE team_id = $1', [this.id]);
            await this.client.query('DELETE FROM mail_outbox WHERE invite_id = ANY ($1::uuid[])', [
                invites.rows.map(({ id }) => id),
            ]);
            for (const text of DELETIONS)
                await this.client.query(text, [this.id]);
            await this.client.query('COMMIT');
            return summary;
        }
        catch (error) {
            await this.client.query('ROLLBACK').catch(() => undefined);
            throw error;
        }
    }
    close() {
        return this.client.end();
    }
}
//# sourceMappingURL=team-deletion.js.map