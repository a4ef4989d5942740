import Fastify from 'fastify';
import pg from 'pg';
import { verifyHeader } from './hs256.js';
/** A response other than 200. */
export class Refusal extends Error {
    statusCode;
    constructor(statusCode, message) {
        super(message);
        this.statusCode = statusCode;
    }
}
const ALL = Number.MAX_SAFE_INTEGER;
/**
 * A baseline's process: bare Fastify and a pool of node-postgres. DATABASE_URL, PORT,
 * DATABASE_POOL_SIZE and AUTH_JWT_SECRET come from the environment.
 */
export async function serve(operations, people) {
    const { DATABASE_URL = '', PORT = '0', AUTH_JWT_SECRET = '' } = process.env;
    const max = Number(process.env.DATABASE_POOL_SIZE);
    const pool = new pg.Pool({ connectionString: DATABASE_URL, max, idleTimeoutMillis: 60_000 });
    pool.on('error', () => undefined);
    const run = operations(pool);
    const app = Fastify({ logger: false });
    const callerOf = (request) => {
        const caller = verifyHeader(AUTH_JWT_SECRET, request.headers.authorization);
        if (!caller)
            throw new Refusal(401, 'the token is missing or not valid');
        return caller;
    };
    app.get('/teams', (request) => run.getTeams(callerOf(request)));
    app.get('/teams/:team_slug', (request) => run.getTeamInfo(callerOf(request), request.params.team_slug));
    app.get('/teams/:team_slug/workspaces', (request) => run.getWorkspaces(callerOf(request), request.params.team_slug));
    app.get('/collections', async (request, reply) => {
        const { parent, limit = ALL } = request.query;
        const caller = callerOf(request);
        if (parent === undefined)
            return run.getCollections(caller, request.query);
        const { body, cursor } = await run.getPart(caller, request.query, parent, Number(limit));
        if (cursor !== null)
            reply.header('link', `<${request.url}&cursor=${cursor}>; rel="next"`);
        return body;
    });
    app.get('/collections/:id', (request) => run.getCollection(callerOf(request), request.params.id));
    app.get('/collections/by-slug/:slug', (request) => run.getCollectionBySlug(callerOf(request), request.query, request.params.slug));
    app.get('/teams/:team_slug/members', (request) => run.getTeamMembers(callerOf(request), request.params.team_slug));
    app.get('/invites', (request) => run.getMyInvites(callerOf(request)));
    app.post('/collections', (request) => run.createCollection(callerOf(request), request.query, request.body));
    app.post('/collections/reorder', (request) => run.reorderItem(callerOf(request), request.query, request.body));
    app.put('/collections/:id', (request) => run.updateCollection(callerOf(request), request.query, request.params.id, request.body));
    if (people)
        routePeople(app, callerOf, people(pool));
    app.setErrorHandler((error, _request, reply) => {
        if (error.statusCode === undefined)
            console.error(error);
        reply.status(error.statusCode ?? 500).send({ error: { message: error.message } });
    });
    // Whoever started this process is gone: so is its purpose.
    process.once('disconnect', () => process.exit());
    await app.listen({ port: Number(PORT), host: '127.0.0.1' });
}
function routePeople(app, callerOf, run) {
    app.put('/teams/:team_slug', (request) => run.updateTeam(callerOf(request), request.params.team_slug, request.body));
    app.post('/teams/:team_slug/workspaces', (request) => run.createWorkspace(callerOf(request), request.params.team_slug, request.body));
    app.post('/teams/:team_slug/invites', (request) => run.sendTeamInvites(callerOf(request), request.params.team_slug, request.body.invites));
    app.post('/invites/:id/accept', (request) => run.acceptInvite(callerOf(request), request.params.id));
    app.delete('/teams/:team_slug/members', (request) => run.leaveTeam(callerOf(request), request.params.team_slug));
}
