import createFetchClient, { type Client, type Middleware } from 'openapi-fetch';
import { toError } from './errors.js';
import { elementsOf, nextCursor } from './lists.js';
import { type RetryOptions, retrying } from './retry.js';
import type { Change, Changes, paths } from './schema.js';
import type {
  Call,
  ElementAt,
  InitOf,
  InitParam,
  ListPath,
  PathsOfKnownTeam,
  WorkspaceOf,
} from './types.js';

export * from './errors.js';
export { nextCursor } from './lists.js';
export type { RetryOptions } from './retry.js';
export type * from './schema.js';

/** What a client is made of. */
export interface ClientOptions {
  /** Address of the service, such as `https://teamspaces.example.com`. */
  baseUrl: string;
  /** The bearer token, or a function that gets one; it is asked before each request. */
  token: string | (() => string | Promise<string>);
  /** Id of the team in which `/collections` looks for a workspace, where a call names no team. */
  teamId?: string;
  retry?: RetryOptions;
  /** Used instead of the global fetch. */
  fetch?: (request: Request) => Promise<Response>;
}

/** The API, typed by its OpenAPI document. */
export interface TeamspacesClient<Paths extends Record<keyof paths, object> = paths> {
  GET: Call<'get', Paths>;
  POST: Call<'post', Paths>;
  PUT: Call<'put', Paths>;
  PATCH: Call<'patch', Paths>;
  DELETE: Call<'delete', Paths>;
  /** The elements of a list, page after page: give `limit` to set how many one request brings. */
  list<Path extends ListPath>(
    path: Path,
    ...init: InitParam<InitOf<'get', Path, Paths>>
  ): AsyncGenerator<ElementAt<Path>, void, undefined>;
  /**
   * The changes of a workspace, in the order of commits: all items first, if no cursor is given. Ends
   * when there is no more; with `wait`, waits for the next ones until its `signal` aborts.
   * @throws ConflictError the cursor is too old: start again without one, with an empty copy
   */
  changes(
    workspace: WorkspaceOf<Paths>,
    options?: ChangesOptions,
  ): AsyncGenerator<Change, void, undefined>;
  /** The same calls, which return `{ data, error, response }`: for ETags and other headers. */
  raw: Raw<Paths>;
}

/** How to follow the changes of a workspace. */
export interface ChangesOptions {
  /** Where to continue: the last one that `onCursor` was given. */
  cursor?: string | undefined;
  /** Changes that one request brings, at most. */
  limit?: number;
  /** `content` includes the content of pages. */
  include?: 'content';
  /** Seconds that a request waits for changes, up to 25. */
  wait?: number;
  /**
   * Called after each page, when the loop has taken all of its changes: store the cursor with them.
   * @param more false: the copy is the tree of one moment now
   */
  onCursor?: (cursor: string, more: boolean) => void | Promise<void>;
  signal?: AbortSignal;
}

export type Raw<Paths extends Record<keyof paths, object> = paths> = Pick<
  Client<Paths, 'application/json'>,
  'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
>;

/** A client whose calls on `/collections` may leave `team_slug` out: it has a default team. */
export type TeamClient = TeamspacesClient<PathsOfKnownTeam>;

/** A client of the service at `baseUrl`. It holds no connection and needs no closing. */
export function createClient(options: ClientOptions & { teamId: string }): TeamClient;
export function createClient(options: ClientOptions): TeamspacesClient;
export function createClient(options: ClientOptions): TeamspacesClient | TeamClient {
  const { baseUrl, token, teamId, retry, fetch = globalThis.fetch } = options;
  const client = createFetchClient<paths, 'application/json'>({
    baseUrl,
    fetch: retrying((request) => fetch(request), retry),
  });
  client.use(authorizing(token), keyed, fromTheService);

  const send = (method: Method, path: string, init: Init = {}): Promise<Result> =>
    (client[method] as Send)(path, teamId === undefined ? init : inTeam(teamId, path, init));
  const raw = (method: Method) => (path: string, init?: Init) => send(method, path, init);
  const call = (method: Method) => async (path: string, init?: Init) =>
    success(await send(method, path, init)).data;

  async function* list(path: string, init: Init = {}): AsyncGenerator<unknown, void, undefined> {
    let query = init.params?.query;
    for (;;) {
      const { data, response } = success(
        await send('GET', path, { ...init, params: { ...init.params, query } }),
      );
      yield* elementsOf(data);
      const cursor = nextCursor(response.headers.get('link'));
      if (cursor === null) return;
      query = { ...query, cursor };
    }
  }

  async function* changes(
    workspace: Record<string, unknown>,
    { onCursor, signal, ...asked }: ChangesOptions = {},
  ): AsyncGenerator<unknown, void, undefined> {
    let query: Record<string, unknown> = { ...workspace, ...asked };
    for (;;) {
      const init = { params: { query }, ...(signal && { signal }) };
      const page = success(await send('GET', '/collections/changes', init)).data as Changes;
      yield* page.changes;
      await onCursor?.(page.cursor, page.more);
      if (!page.more && !asked.wait) return;
      query = { ...query, cursor: page.cursor };
    }
  }

  // The types of the calls follow from the document; what runs is the same for each of them.
  return {
    GET: call('GET'),
    POST: call('POST'),
    PUT: call('PUT'),
    PATCH: call('PATCH'),
    DELETE: call('DELETE'),
    list,
    changes,
    raw: {
      GET: raw('GET'),
      POST: raw('POST'),
      PUT: raw('PUT'),
      PATCH: raw('PATCH'),
      DELETE: raw('DELETE'),
    },
  } as unknown as TeamspacesClient;
}

type Method = keyof Raw;
interface Init {
  params?: { query?: Record<string, unknown> | undefined };
}
interface Result {
  data?: unknown;
  error?: unknown;
  response: Response;
}
type Send = (path: string, init: Init) => Promise<Result>;

function success(result: Result): Result {
  if (!result.response.ok) throw toError(result.response, result.error);
  return result;
}

const authorizing = (token: ClientOptions['token']): Middleware => ({
  async onRequest({ request }) {
    const value = typeof token === 'function' ? await token() : token;
    request.headers.set('authorization', `Bearer ${value}`);
    return request;
  },
});

const TAKES_KEY = new Set(['POST', 'PATCH']);

/** Every POST and PATCH is safe to send again: the service knows by the key what it has done already. */
const keyed: Middleware = {
  onRequest({ request }) {
    if (TAKES_KEY.has(request.method) && !request.headers.has('idempotency-key')) {
      request.headers.set('idempotency-key', crypto.randomUUID());
    }
    return request;
  },
};

/** A success that is no JSON comes from something on the way, such as a page to log in. */
const fromTheService: Middleware = {
  onResponse({ response }) {
    const isJson = /^application\/json\b/.test(response.headers.get('content-type') ?? '');
    if (response.ok && !isJson) throw toError(response, null);
  },
};

/** Puts the default team in, where a call on collections names none. */
function inTeam(teamId: string, path: string, init: Init): Init {
  const query = init.params?.query;
  if (!path.startsWith('/collections') || query?.team_slug !== undefined) return init;
  return { ...init, params: { ...init.params, query: { teamId, ...query } } };
}
