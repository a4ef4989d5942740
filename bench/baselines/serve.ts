import Fastify, { type FastifyRequest } from 'fastify';
import pg from 'pg';
import { type Caller, verifyHeader } from './hs256.js';

export interface Place {
  team_slug: string;
  workspace_slug: string;
}

export interface NewItem {
  name?: string;
  object?: 'collection' | 'item';
  parent?: string | null;
  content?: object;
}

export interface Move {
  id: string;
  index: number;
  parent?: string | null;
  newParent?: string | null;
  object?: string;
}

export interface Changes {
  name?: string;
  content?: object;
}

/** What a baseline answers; each method returns the body. */
export interface Operations {
  getTeams(caller: Caller): Promise<unknown>;
  getTeamInfo(caller: Caller, teamSlug: string): Promise<unknown>;
  getWorkspaces(caller: Caller, teamSlug: string): Promise<unknown>;
  getCollections(caller: Caller, place: Place): Promise<unknown>;
  createCollection(caller: Caller, place: Place, body: NewItem): Promise<unknown>;
  reorderItem(caller: Caller, place: Place, body: Move): Promise<unknown>;
  updateCollection(caller: Caller, place: Place, id: string, body: Changes): Promise<unknown>;
}

/** An answer other than 200. */
export class Refusal extends Error {
  constructor(
    readonly statusCode: number,
    message: string,
  ) {
    super(message);
  }
}

type TeamPath = { Params: { team_slug: string } };
type InPlace<Body = unknown> = { Querystring: Place; Body: Body };

/**
 * A baseline's process: bare Fastify and a pool of node-postgres. DATABASE_URL, PORT,
 * DATABASE_POOL_SIZE and AUTH_JWT_SECRET come from the environment.
 */
export async function serve(operations: (pool: pg.Pool) => Operations): Promise<void> {
  const { DATABASE_URL = '', PORT = '0', AUTH_JWT_SECRET = '' } = process.env;
  const max = Number(process.env.DATABASE_POOL_SIZE);
  const pool = new pg.Pool({ connectionString: DATABASE_URL, max, idleTimeoutMillis: 60_000 });
  pool.on('error', () => undefined);
  const run = operations(pool);
  const app = Fastify({ logger: false });
  const callerOf = (request: FastifyRequest): Caller => {
    const caller = verifyHeader(AUTH_JWT_SECRET, request.headers.authorization);
    if (!caller) throw new Refusal(401, 'the token is missing or not valid');
    return caller;
  };

  app.get('/teams', (request) => run.getTeams(callerOf(request)));
  app.get<TeamPath>('/teams/:team_slug', (request) =>
    run.getTeamInfo(callerOf(request), request.params.team_slug),
  );
  app.get<TeamPath>('/teams/:team_slug/workspaces', (request) =>
    run.getWorkspaces(callerOf(request), request.params.team_slug),
  );
  app.get<InPlace>('/collections', (request) =>
    run.getCollections(callerOf(request), request.query),
  );
  app.post<InPlace<NewItem>>('/collections', (request) =>
    run.createCollection(callerOf(request), request.query, request.body),
  );
  app.post<InPlace<Move>>('/collections/reorder', (request) =>
    run.reorderItem(callerOf(request), request.query, request.body),
  );
  app.put<InPlace<Changes> & { Params: { id: string } }>('/collections/:id', (request) =>
    run.updateCollection(callerOf(request), request.query, request.params.id, request.body),
  );
  app.setErrorHandler((error: Error & { statusCode?: number }, _request, reply) => {
    if (error.statusCode === undefined) console.error(error);
    reply.status(error.statusCode ?? 500).send({ error: { message: error.message } });
  });

  // Whoever started this process is gone: so is its purpose.
  process.once('disconnect', () => process.exit());
  await app.listen({ port: Number(PORT), host: '127.0.0.1' });
}
