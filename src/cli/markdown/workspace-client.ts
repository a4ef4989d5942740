import { setTimeout as sleep } from 'node:timers/promises';

/** A collection or page, as the API shows it. */
export interface Item {
  id: string;
  name: string;
  object: 'collection' | 'item';
  content?: object;
  children?: Item[];
}

/** What to create. */
export interface NewItem {
  name: string;
  object: Item['object'];
  parent: string | null;
  content?: object;
}

/** An answer that says no. */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
  }

  /** The same, saying which file it is about. */
  about(path: string): ApiError {
    return new ApiError(this.status, `${path}: ${this.message}`);
  }
}

/** No answer: whether the request was carried out is not known. */
export class NoAnswerError extends Error {}

const TOO_MANY = 429;

/** A client of the public API, for one workspace. */
export class WorkspaceClient {
  private readonly team: string;
  private readonly workspace: string;

  constructor(
    private readonly url: string,
    private readonly token: string,
    teamSlug: string,
    workspaceSlug: string,
  ) {
    this.team = `/teams/${encodeURIComponent(teamSlug)}`;
    this.workspace = `${this.team}/workspaces/${encodeURIComponent(workspaceSlug)}`;
  }

  /** How many more pages the team may hold. */
  async room(): Promise<number> {
    type Counters = { pages: number };
    const { usage, limit } = await this.call<{ usage: Counters; limit: Counters }>(
      'GET',
      this.team,
    );
    return limit.pages === 0 ? Number.POSITIVE_INFINITY : limit.pages - usage.pages;
  }

  /** The whole tree with all contents, in order. */
  tree(): Promise<Item[]> {
    return this.call('GET', `${this.workspace}/collections?include=content`);
  }

  /** Creates an item at the end of its siblings. */
  create(item: NewItem): Promise<Item> {
    return this.call('POST', `${this.workspace}/collections`, item);
  }

  /** Moves an item among its siblings, to a zero-based position. */
  async place(id: string, index: number): Promise<void> {
    await this.call('POST', `${this.workspace}/collections/reorder`, { id, index });
  }

  /**
   * One request, sent again for as long as the service asks for patience (429).
   *
   * @throws ApiError the answer is an error
   * @throws NoAnswerError there is none
   */
  private async call<T>(method: string, path: string, body?: object): Promise<T> {
    for (;;) {
      const { status, text, retryAfter } = await this.send(method, path, body);
      if (status === TOO_MANY) {
        await sleep(1000 * Number(retryAfter ?? 1));
        continue;
      }
      const answer = parse(text) as (T & { error?: { message?: string } }) | null;
      if (status === 200 && answer !== null) return answer;
      const message = answer?.error?.message ?? 'the answer is not one of this service';
      throw new ApiError(status, message);
    }
  }

  private async send(method: string, path: string, body?: object) {
    try {
      const answer = await fetch(`${this.url}${path}`, {
        method,
        headers: {
          authorization: `Bearer ${this.token}`,
          ...(body && { 'content-type': 'application/json' }),
        },
        ...(body && { body: JSON.stringify(body) }),
      });
      const text = await answer.text();
      return { status: answer.status, text, retryAfter: answer.headers.get('retry-after') };
    } catch (error) {
      const { message, cause } = error as Error & { cause?: { code?: string } };
      throw new NoAnswerError(`${this.url} does not answer: ${cause?.code ?? message}`);
    }
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
