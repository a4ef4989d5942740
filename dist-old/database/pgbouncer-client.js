import { neverDiscardPlans } from './generic-plans.js';
/** What a pooler such as PgBouncer refuses at the start of a connection. */
const OF_A_SESSION = [
    'options',
    'statement_timeout',
    'lock_timeout',
    'idle_in_transaction_session_timeout',
];
/**
 * The same kind of client for a pooler in transaction mode (DATABASE_PREPARED_STATEMENTS=off), where
 * each transaction may get another session of PostgreSQL: it names no prepared statement, sets
 * nothing for the session, and keeps no plans. The role's own settings (ALTER ROLE … SET) take the
 * place of what it leaves out: docs/deploy.md.
 */
export function withoutSession(Client) {
    return class extends Client {
        constructor(config) {
            super(typeof config === 'object' ? withoutSettings(config) : config);
            neverDiscardPlans(this);
        }
        query(...[query, ...rest]) {
            const send = super.query;
            return send.call(this, unnamed(query), ...rest);
        }
    };
}
function withoutSettings(config) {
    const left = { ...config };
    for (const setting of OF_A_SESSION)
        delete left[setting];
    return left;
}
/** Our own statements are plain objects; what node-postgres made of one before has no name either. */
function unnamed(query) {
    return typeof query === 'object' && query !== null && 'name' in query && !('submit' in query)
        ? { ...query, name: undefined }
        : query;
}
//# sourceMappingURL=pgbouncer-client.js.map