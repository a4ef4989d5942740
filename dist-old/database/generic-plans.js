import { TIMEOUTS } from './timeouts.js';
/** Statements after which a connection discards its plans for the first and for the last time. */
const FIRST = 16;
const LAST = 65_536;
const connections = new WeakMap();
/** Makes PostgreSQL plan all statements of a connection again, those of foreign keys included. */
export const DISCARD_PLANS = 'DISCARD PLANS';
/**
 * True when a connection should discard its plans: after 16, 32, 64, … statements. A plan that was made
 * while the tables were nearly empty takes any index whose first column fits, since all cost the same
 * then, and scans whole workspaces with it later. Autovacuum brings better plans after a minute or two;
 * until then, in a database that grew from nothing to 4,000 items, a move took 71 ms instead of 16, a
 * delete 94 instead of 14, a save 62 instead of 22 (medians). It costs a dozen refreshes in the life of a
 * connection.
 */
export function shouldDiscardPlans(connection, statements) {
    let known = connections.get(connection);
    if (!known) {
        known = { statements: 0, next: FIRST };
        connections.set(connection, known);
    }
    known.statements += statements;
    if (known.statements < known.next || known.next > LAST)
        return false;
    known.next = known.statements * 2;
    return true;
}
/** For connections whose statements are planned each time. */
export function neverDiscardPlans(connection) {
    connections.set(connection, { statements: 0, next: Number.POSITIVE_INFINITY });
}
/**
 * Lets PostgreSQL keep one plan for each statement instead of planning each time, which is a third of
 * the cost of a small one. Not where the tables are distributed: Citus plans by the values, which
 * tell the node.
 */
export async function useGenericPlans(client) {
    await client.query(KEEP);
}
const KEEP_TEXT = `
  SELECT set_config('plan_cache_mode', CASE
    WHEN EXISTS (SELECT FROM pg_extension WHERE extname = 'citus') THEN 'auto'
    ELSE 'force_generic_plan' END, false)`;
const KEEP = { text: KEEP_TEXT, query_timeout: TIMEOUTS.connect };
//# sourceMappingURL=generic-plans.js.map