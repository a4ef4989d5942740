import { NOTES, Settings } from './settings.js';
/** The environment is not valid; `message` lists every problem. */
export class ConfigError extends Error {
    problems;
    constructor(problems) {
        super(`The configuration is wrong:\n${problems.map((p) => `  - ${p}`).join('\n')}`);
        this.problems = problems;
        this.name = 'ConfigError';
    }
}
/**
 * Reads the environment. An empty value is the same as none.
 * @throws ConfigError naming every wrong or contradictory variable at once.
 */
export function loadConfig(env) {
    const given = givenValues(env);
    const parsed = Settings.safeParse(given);
    const problems = (parsed.error?.issues ?? []).map(({ path, message }) => `${variableOf(path[0])} ${message}`);
    problems.push(...contradictions(given));
    if (!parsed.success || problems.length > 0)
        throw new ConfigError([...new Set(problems)]);
    const { port, publicUrl } = parsed.data;
    return {
        ...parsed.data,
        publicUrl: (publicUrl ?? `http://localhost:${port}`).replace(/\/+$/, ''),
    };
}
/**
 * Whether NODE_ENV says production, whatever else is set.
 * @throws ConfigError: it says something unknown
 */
export function isProduction({ NODE_ENV }) {
    const { data, error } = Settings.shape.production.safeParse(NODE_ENV?.trim() || undefined);
    if (data === undefined)
        throw new ConfigError([`NODE_ENV ${error?.issues[0]?.message}`]);
    return data;
}
const SETTINGS = Object.keys(Settings.shape);
const DEFAULT_PORT = Settings.shape.port.parse(undefined);
const notesOf = (setting) => NOTES.get(Settings.shape[setting]);
/** Every environment variable that the service reads. */
export const variables = () => SETTINGS.map(variableOf);
const variableOf = (setting) => notesOf(setting)?.variable ?? setting;
/** The values in the environment, by the names of the settings. */
function givenValues(env) {
    const given = {};
    const production = env.NODE_ENV?.trim() === 'production';
    for (const setting of SETTINGS) {
        const raw = env[variableOf(setting)] ?? '';
        const value = raw.trim() || (production && notesOf(setting)?.inProduction);
        if (value)
            given[setting] = notesOf(setting)?.verbatim ? raw : value;
    }
    return given;
}
/** Problems of combinations. Checks only whether variables are set: their formats may be wrong. */
function contradictions(given) {
    const problems = [];
    const production = given.production === 'production';
    if (production && !given.databaseUrl) {
        problems.push('DATABASE_URL must be set in production: the embedded PostgreSQL is for development');
    }
    if (given.jwtSecret && given.jwksUrl) {
        problems.push('AUTH_JWT_SECRET and AUTH_JWKS_URL are both set: set one of them');
    }
    if (production && !given.jwtSecret && !given.jwksUrl) {
        problems.push('AUTH_JWT_SECRET or AUTH_JWKS_URL must be set in production');
    }
    if (given.jwksUrl && !(given.issuer && given.audience)) {
        problems.push('AUTH_ISSUER and AUTH_AUDIENCE must be set together with AUTH_JWKS_URL');
    }
    if (given.docsOidcClientId && !given.jwksUrl) {
        problems.push('AUTH_JWKS_URL must be set together with DOCS_OIDC_CLIENT_ID');
    }
    const { port = String(DEFAULT_PORT), metricsPort } = given;
    // 0 means any free port: two of them differ.
    if (metricsPort && Number(metricsPort) !== 0 && Number(metricsPort) === Number(port)) {
        problems.push('METRICS_PORT must not be the same as PORT');
    }
    return problems;
}
//# sourceMappingURL=config.js.map