import { createHash } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import {
  type ApplyCollectionsRequest,
  type ApplyReport,
  type Changes,
  type Collection,
  type CreateCollectionsRequest,
  NotFoundError,
  nextCursor,
  type TeamspacesClient,
  toError,
} from 'teamspaces-client';
import { parseJson } from './exact-json.js';

/** A workspace, by the slugs of its team and its own. */
export interface Place {
  team: string;
  workspace: string;
  /** Ends what is going on, with the signal's reason. */
  signal?: AbortSignal | undefined;
}

/** The caller sees no such workspace. */
export class WorkspaceNotFoundError extends Error {
  readonly team: string;
  readonly workspace: string;

  constructor({ team, workspace }: Place, cause: NotFoundError) {
    super(cause.message, { cause });
    this.name = new.target.name;
    this.team = team;
    this.workspace = workspace;
  }
}

/** Which part of a list: below `parent`, after `cursor`. */
interface ListQuery {
  parent?: string;
  cursor?: string;
  limit: number;
  depth?: number;
}

interface Listed {
  items: Collection[];
  /** Characters of the response. */
  size: number;
  /** Where the list continues; null at its end. */
  cursor: string | null;
}

const WORKSPACE = '/teams/{team_slug}/workspaces/{workspace_slug}';

/** The calls about one workspace. */
export class Workspace {
  private readonly init: {
    params: { path: { team_slug: string; workspace_slug: string } };
    signal: AbortSignal | null;
  };
  /** Known after room(); a workspace that was deleted and created again has another one. */
  private id = '';

  constructor(
    private readonly client: TeamspacesClient,
    private readonly place: Place,
  ) {
    const { signal } = place;
    // Each request listens to it until it is collected as garbage: thousands are no leak.
    if (signal) setMaxListeners(0, signal);
    const path = { team_slug: place.team, workspace_slug: place.workspace };
    this.init = { params: { path }, signal: signal ?? null };
  }

  /**
   * How many more pages may be created here.
   * @throws WorkspaceNotFoundError; Error: the token gives no right to write
   */
  async room(): Promise<number> {
    const { _id, access } = await this.found(this.client.GET(WORKSPACE, this.init));
    this.id = _id;
    if (access === 'read-only') {
      throw new Error('The token gives read-only access to the workspace; an import takes full.');
    }
    const { usage, limit } = await this.client.GET('/teams/{team_slug}', this.init);
    return limit.pages === 0 ? Number.POSITIVE_INFINITY : Math.max(0, limit.pages - usage.pages);
  }

  /** The whole tree, in order, without contents. @throws WorkspaceNotFoundError */
  tree(): Promise<Collection[]> {
    return this.found(this.client.GET(`${WORKSPACE}/collections`, this.init));
  }

  /** A part of the tree with contents, whose numbers are as parseJson() has them. */
  async list(part: ListQuery): Promise<Listed> {
    const query = { ...part, include: 'content' } as const;
    const params = { ...this.init.params, query };
    const call = { ...this.init, params, parseAs: 'text' } as const;
    const { data, error, response } = await this.client.raw.GET(`${WORKSPACE}/collections`, call);
    if (data === undefined) throw toError(response, error);
    const cursor = nextCursor(response.headers.get('link'));
    return { items: parseJson(data) as Collection[], size: data.length, cursor };
  }

  /**
   * The next page of the feed of changes, with contents whose numbers are as parseJson() has them.
   * @param cursor null: from the whole workspace on
   * @throws WorkspaceNotFoundError
   */
  async changes(cursor: string | null): Promise<Changes> {
    const query = { include: 'content', limit: 1000, ...(cursor && { cursor }) } as const;
    const params = { ...this.init.params, query };
    const call = { ...this.init, params, parseAs: 'text' } as const;
    const path = `${WORKSPACE}/collections/changes` as const;
    const { data, error, response } = await this.client.raw.GET(path, call);
    if (data === undefined) return this.found(Promise.reject(toError(response, error)));
    return parseJson(data) as Changes;
  }

  /** One item with its content; null where there is none (any more). */
  async item(id: string): Promise<Collection | null> {
    const params = { path: { ...this.init.params.path, id } };
    const call = { ...this.init, params, parseAs: 'text' } as const;
    const path = `${WORKSPACE}/collections/{id}` as const;
    const { data, error, response } = await this.client.raw.GET(path, call);
    if (response.status === 404) return null;
    if (data === undefined) throw toError(response, error);
    return parseJson(data) as Collection;
  }

  /**
   * Creates items, all or none, and returns those at the top. The Idempotency-Key follows from what
   * is created and from `source`: an import that is started again while the service still processes
   * the last batch of the one before gets the response of that.
   */
  async create(body: CreateCollectionsRequest, source: string): Promise<Collection[]> {
    const path = `${WORKSPACE}/collections/batch` as const;
    const key = createHash('sha256').update(JSON.stringify([this.id, source, body]));
    const headers = { 'idempotency-key': key.digest('base64url') };
    const call = { ...this.init, body, headers };
    const { data, error, response } = await this.client.raw.POST(path, call);
    if (data === undefined) throw toError(response, error);
    const isReplayed = response.headers.get('idempotent-replayed') === 'true';
    if (!isReplayed || (await this.item(data[0]?.id ?? ''))) return data;
    // Somebody has deleted what the first request created.
    return this.client.POST(path, { ...this.init, body });
  }

  /** Makes what lies below a collection equal to a manifest. */
  apply(body: ApplyCollectionsRequest): Promise<ApplyReport> {
    return this.client.PUT(`${WORKSPACE}/collections/apply`, { ...this.init, body });
  }

  private async found<T>(call: Promise<T>): Promise<T> {
    try {
      return await call;
    } catch (error) {
      throw error instanceof NotFoundError ? new WorkspaceNotFoundError(this.place, error) : error;
    }
  }
}
