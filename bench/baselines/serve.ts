import Fastify, { type FastifyInstance, type FastifyRequest } from 'fastify';
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

/** The start of a list, and whether it continues. */
export interface Part {
  body: unknown;
  /** Where it continues; null: it is complete. */
  cursor: string | null;
}

export interface TeamChanges {
  name?: string;
  slug?: string;
  description?: string | null;
}

export interface NewWorkspace {
  name: string;
  description?: string;
  visibility?: string;
  defaultAccess?: string;
}

export interface NewInvite {
  email: string;
  role: string;
}

/** What both baselines have; each method returns the body. */
export interface Operations {
  getTeams(caller: Caller): Promise<unknown>;
  getTeamInfo(caller: Caller, teamSlug: string): Promise<unknown>;
  getWorkspaces(caller: Caller, teamSlug: string): Promise<unknown>;
  getCollections(caller: Caller, place: Place): Promise<unknown>;
  getPart(caller: Caller, place: Place, parent: string, limit: number): Promise<Part>;
  getCollection(caller: Caller, id: string): Promise<unknown>;
  getCollectionBySlug(caller: Caller, place: Place, slug: string): Promise<unknown>;
  getTeamMembers(caller: Caller, teamSlug: string): Promise<unknown>;
  getMyInvites(caller: Caller): Promise<unknown>;
  createCollection(caller: Caller, place: Place, body: NewItem): Promise<unknown>;
  reorderItem(caller: Caller, place: Place, body: Move): Promise<unknown>;
  updateCollection(caller: Caller, place: Place, id: string, body: Changes): Promise<unknown>;
}

/** Writes about people and settings, which only the fair baseline has. */
export interface PeopleOperations {
  updateTeam(caller: Caller, teamSlug: string, body: TeamChanges): Promise<unknown>;
  createWorkspace(caller: Caller, teamSlug: string, body: NewWorkspace): Promise<unknown>;
  sendTeamInvites(caller: Caller, teamSlug: string, invites: NewInvite[]): Promise<unknown>;
  acceptInvite(caller: Caller, id: string): Promise<unknown>;
  /** removeTeamMember of oneself. */
  leaveTeam(caller: Caller, teamSlug: string): Promise<unknown>;
}

/** A response other than 200. */
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
type WithId = { Params: { id: string } };
type List = { Querystring: Place & { parent?: string; limit?: string } };

const ALL = Number.MAX_SAFE_INTEGER;

/**
 * A baseline's process: bare Fastify and a pool of node-postgres. DATABASE_URL, PORT,
 * DATABASE_POOL_SIZE and AUTH_JWT_SECRET come from the environment.
 */
export async function serve(
  operations: (pool: pg.Pool) => Operations,
  people?: (pool: pg.Pool) => PeopleOperations,
): Promise<void> {
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
  app.get<List>('/collections', async (request, reply) => {
    const { parent, limit = ALL } = request.query;
    const caller = callerOf(request);
    if (parent === undefined) return run.getCollections(caller, request.query);
    const { body, cursor } = await run.getPart(caller, request.query, parent, Number(limit));
    if (cursor !== null) reply.header('link', `<${request.url}&cursor=${cursor}>; rel="next"`);
    return body;
  });
  app.get<WithId>('/collections/:id', (request) =>
    run.getCollection(callerOf(request), request.params.id),
  );
  app.get<InPlace & { Params: { slug: string } }>('/collections/by-slug/:slug', (request) =>
    run.getCollectionBySlug(callerOf(request), request.query, request.params.slug),
  );
  app.get<TeamPath>('/teams/:team_slug/members', (request) =>
    run.getTeamMembers(callerOf(request), request.params.team_slug),
  );
  app.get('/invites', (request) => run.getMyInvites(callerOf(request)));
  app.post<InPlace<NewItem>>('/collections', (request) =>
    run.createCollection(callerOf(request), request.query, request.body),
  );
  app.post<InPlace<Move>>('/collections/reorder', (request) =>
    run.reorderItem(callerOf(request), request.query, request.body),
  );
  app.put<InPlace<Changes> & WithId>('/collections/:id', (request) =>
    run.updateCollection(callerOf(request), request.query, request.params.id, request.body),
  );
  if (people) routePeople(app, callerOf, people(pool));
  app.setErrorHandler((error: Error & { statusCode?: number }, _request, reply) => {
    if (error.statusCode === undefined) console.error(error);
    reply.status(error.statusCode ?? 500).send({ error: { message: error.message } });
  });

  // Whoever started this process is gone: so is its purpose.
  process.once('disconnect', () => process.exit());
  await app.listen({ port: Number(PORT), host: '127.0.0.1' });
}

function routePeople(
  app: FastifyInstance,
  callerOf: (request: FastifyRequest) => Caller,
  run: PeopleOperations,
): void {
  app.put<TeamPath & { Body: TeamChanges }>('/teams/:team_slug', (request) =>
    run.updateTeam(callerOf(request), request.params.team_slug, request.body),
  );
  app.post<TeamPath & { Body: NewWorkspace }>('/teams/:team_slug/workspaces', (request) =>
    run.createWorkspace(callerOf(request), request.params.team_slug, request.body),
  );
  app.post<TeamPath & { Body: { invites: NewInvite[] } }>('/teams/:team_slug/invites', (request) =>
    run.sendTeamInvites(callerOf(request), request.params.team_slug, request.body.invites),
  );
  app.post<WithId>('/invites/:id/accept', (request) =>
    run.acceptInvite(callerOf(request), request.params.id),
  );
  app.delete<TeamPath>('/teams/:team_slug/members', (request) =>
    run.leaveTeam(callerOf(request), request.params.team_slug),
  );
}
