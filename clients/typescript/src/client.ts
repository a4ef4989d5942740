import createFetchClient, { defaultPathSerializer, type Middleware } from 'openapi-fetch';
import { type ChangesOptions, changesOf } from './changes.js';
import { toError } from './errors.js';
import { elementsOf, nextCursor } from './lists.js';
import type { Init, Transport } from './resource.js';
import { Resources } from './resources.js';
import { type RetryOptions, retrying } from './retry.js';
import type { Change, paths } from './schema.js';
import type {
  Call,
  ElementAt,
  InitOf,
  InitParam,
  ListPath,
  PathsOfKnownTeam,
  RawCall,
  WorkspaceOf,
} from './types.js';

export type { ChangesOptions } from './changes.js';
export * from './errors.js';
export { type List, nextCursor } from './lists.js';
export {
  etagOf,
  type ItemRef,
  type RecordRef,
  type SlugRef,
  secondsBehind,
  titleOf,
} from './records.js';
export type { RetryOptions } from './retry.js';
export type * from './schema.js';

/** What a client is made of. */
export interface ClientOptions {
  /**
   * Address of the service, such as `https://teamspaces.example.com`. In a browser, `location.origin` is the address
   * that the page came from.
   */
  baseUrl: string;
  /** The bearer token, or a function that gets one; it is asked before each request. */
  token: string | (() => string | Promise<string>);
  /** Id of the team in which `/collections` looks for a workspace, where a call names no team. */
  teamId?: string;
  retry?: RetryOptions;
  /** Used instead of the global fetch. */
  fetch?: (request: Request) => Promise<Response>;
}

/** The API, typed by its OpenAPI document: as methods (`client.teams.create()`), and by path. */
export interface TeamspacesClient<Paths extends Record<keyof paths, object> = paths>
  extends Resources {
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
  /** The changes of a workspace: see `workspace().tree.changes()`. */
  changes(
    workspace: WorkspaceOf<Paths>,
    options?: ChangesOptions,
  ): AsyncGenerator<Change, void, undefined>;
  /** The same calls, which return `{ data, error, response }`: for headers. */
  raw: Raw<Paths>;
}

export interface Raw<Paths extends Record<keyof paths, object> = paths> {
  GET: RawCall<'get', Paths>;
  POST: RawCall<'post', Paths>;
  PUT: RawCall<'put', Paths>;
  PATCH: RawCall<'patch', Paths>;
  DELETE: RawCall<'delete', Paths>;
}

/** A client whose calls on `/collections` may leave `team_slug` out: it has a default team. */
export type TeamClient = TeamspacesClient<PathsOfKnownTeam>;

/**
 * A client of the service at `baseUrl`. It holds no connection and needs no closing.
 * @throws TypeError `baseUrl` is not an address that begins with http:// or https://
 */
export function createClient(options: ClientOptions & { teamId: string }): TeamClient;
export function createClient(options: ClientOptions): TeamspacesClient;
export function createClient(options: ClientOptions): TeamspacesClient | TeamClient {
  const { baseUrl, token, teamId, retry, fetch = globalThis.fetch } = options;
  assertAddress(baseUrl);
  const client = createFetchClient<paths, 'application/json'>({
    baseUrl,
    pathSerializer: pathOf,
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

  const transport: Transport = {
    request: async (method, path, init) => success(await send(method as Method, path, init)),
    list,
  };

  // The types of the calls follow from the document; what runs is the same for each of them.
  return Object.assign(new Resources(transport), {
    GET: call('GET'),
    POST: call('POST'),
    PUT: call('PUT'),
    PATCH: call('PATCH'),
    DELETE: call('DELETE'),
    list,
    changes: (workspace: Record<string, unknown>, options?: ChangesOptions) =>
      changesOf(transport, workspace, options),
    raw: {
      GET: raw('GET'),
      POST: raw('POST'),
      PUT: raw('PUT'),
      PATCH: raw('PATCH'),
      DELETE: raw('DELETE'),
    },
  }) as unknown as TeamspacesClient;
}

/** URL alone is not enough: `localhost:3000` has the scheme `localhost:`, and paths are appended to the address. */
function assertAddress(baseUrl: string): void {
  if (/^https?:\/\/[^/?#][^?#]*$/i.test(baseUrl) && URL.canParse(`${baseUrl}/`)) return;
  throw new TypeError(
    `baseUrl must be an address that begins with http:// or https:// and has no query, such as https://teamspaces.example.com; it is ${JSON.stringify(baseUrl)}`,
  );
}

type Method = keyof Raw;
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

/** Segments that a URL drops, also percent-encoded: the rest would name another resource. */
const DROPPED: unknown[] = ['', '.', '..'];

/** @throws TypeError a parameter would lead to another path */
function pathOf(path: string, parameters: Record<string, unknown>): string {
  for (const [, name = ''] of path.matchAll(/\{(\w+)\}/g)) {
    if (DROPPED.includes(parameters[name])) {
      throw new TypeError(`${name} must not be empty, "." or ".."`);
    }
  }
  return defaultPathSerializer(path, parameters);
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
