import { record } from '../../audit/audit-entries.repository.js';
import { OPERATOR, onTeam } from '../../audit/audit-entry.js';
import { Database } from '../../database/database.js';
/**
 * Sets the plan of a team, and records that it changed.
 * @throws Error with a sentence: no such team
 */
export async function setPlan(config, slug, plan) {
    const database = new Database(config);
    try {
        await database.transaction(async (tx) => {
            const [team] = await tx.query(LOCK, [slug]);
            if (!team)
                throw new Error(`There is no team with the slug "${slug}".`);
            tx.write(SET_PLAN, [team.id, plan]);
            if (team.plan === plan)
                return;
            const details = { from: team.plan, to: plan };
            record(tx, team.id, OPERATOR, { action: 'team.plan_changed', ...onTeam(team), details });
        }, { purpose: 'plan' });
    }
    finally {
        await database.onApplicationShutdown();
    }
}
/** The membership lock of the team: see teams/membership-lock. */
const LOCK = {
    name: 'plan.lock',
    text: 'SELECT id, name, plan FROM teams WHERE slug = $1 FOR NO KEY UPDATE',
};
const SET_PLAN = {
    name: 'plan.set',
    text: 'UPDATE teams SET plan = $2, updated_at = now() WHERE id = $1',
};
//# sourceMappingURL=plan-change.js.map