import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseJson } from './exact-json.js';
import { waitFor } from './retry-after.js';

/** A collection or page, as the API shows it in a tree: without content. */
export interface Item {
  id: string;
  name: string;
  object: 'collection' | 'item';
  children?: Item[];
}

/** The content of a page, its numbers as exact-json.ts has them. */
export interface Page {
  id: string;
  content: object;
}

/** What to create: a page has content, a collection children. */
export interface NewItem {
  name: string;
  object: Item['object'];
  content?: object;
  children?: NewItem[];
}

/** Siblings to create, all or none: 1 to 1,000 with those below them, in a body of at most 2 MiB. */
export interface NewItems {
  parent: string | null;
  /** Zero-based position of the first one; absent: all at the end. */
  index: number | undefined;
  items: NewItem[];
}

/** An answer that says no. */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}

/** No answer, or one of 500 and above: whether the request was carried out is not known. */
export class NoAnswerError extends Error {}

const CONFLICT = 409;
const TOO_MANY = 429;
const SERVER_ERROR = 500;
const NOT_FOUND = 404;

/** How often a request is sent that gets no answer: none does anything twice. */
const ATTEMPTS = 6;

/** Items of a list that come with their contents in one answer: at most 1 MiB each. */
const AT_ONCE = 50;

/** A client of the public API, for one workspace. */
export class WorkspaceClient {
  private readonly team: string;
  private readonly workspace: string;

  constructor(
    private readonly url: string,
    private readonly token: string,
    teamSlug: string,
    workspaceSlug: string,
    /** Milliseconds before a request without an answer is sent again; doubles each time. */
    private readonly pause = 200,
  ) {
    this.team = `/teams/${encodeURIComponent(teamSlug)}`;
    this.workspace = `${this.team}/workspaces/${encodeURIComponent(workspaceSlug)}`;
  }

  /** What the token's bearer may do with the workspace's content. */
  async access(): Promise<'full' | 'read-only'> {
    const path = this.workspace;
    return (await this.call<{ access: 'full' | 'read-only' }>('GET', path)).answer.access;
  }

  /** How many more pages the team may hold. */
  async room(): Promise<number> {
    type Counters = { pages: number };
    type Team = { usage: Counters; limit: Counters };
    const { usage, limit } = (await this.call<Team>('GET', this.team)).answer;
    return limit.pages === 0 ? Number.POSITIVE_INFINITY : limit.pages - usage.pages;
  }

  /** The whole tree, in order, without contents. */
  async tree(): Promise<Item[]> {
    return (await this.call<Item[]>('GET', `${this.workspace}/collections`)).answer;
  }

  /** The pages directly in a collection, or at the top level, with their contents. */
  async *pagesIn(parent: string | null): AsyncGenerator<Page> {
    const query = new URLSearchParams({ depth: '1', include: 'content', limit: String(AT_ONCE) });
    if (parent !== null) query.set('parent', parent);
    for (let cursor: string | null = ''; cursor !== null; ) {
      if (cursor !== '') query.set('cursor', cursor);
      const path = `${this.workspace}/collections?${query}`;
      const { answer, next } = await this.call<(Item & Page)[]>('GET', path);
      for (const item of answer) if (item.object === 'item') yield item;
      cursor = next;
    }
  }

  /** One page with its content; null where there is no such page (any more). */
  async page(id: string): Promise<Page | null> {
    try {
      return (await this.call<Page>('GET', `${this.workspace}/collections/${id}`)).answer;
    } catch (error) {
      if (error instanceof ApiError && error.status === NOT_FOUND) return null;
      throw error;
    }
  }

  /** Creates items; answers those at the top of `items`, in their order. */
  async create(items: NewItems): Promise<Item[]> {
    return (await this.call<Item[]>('POST', `${this.workspace}/collections/batch`, items)).answer;
  }

  /**
   * One request, sent again for as long as the service asks for patience (429, or a 409 that says
   * when), and a few times where it gets no answer: a write has an Idempotency-Key, the same each
   * time. `next` is the cursor of the Link header.
   *
   * @throws ApiError the answer is an error
   * @throws NoAnswerError there is none
   */
  private async call<T>(
    method: string,
    path: string,
    body?: object,
  ): Promise<{ answer: T; next: string | null }> {
    const request = {
      method,
      headers: {
        authorization: `Bearer ${this.token}`,
        ...(body && { 'content-type': 'application/json', 'idempotency-key': randomUUID() }),
      },
      ...(body && { body: JSON.stringify(body) }),
    };
    for (;;) {
      const { status, text, retryAfter, link } = await this.sendRepeatedly(path, request);
      if (status === TOO_MANY || (status === CONFLICT && retryAfter !== null)) {
        await sleep(waitFor(retryAfter, Date.now()));
        continue;
      }
      const answer = parse(text) as (T & { error?: { message?: string } }) | null;
      if (status === 200 && answer !== null) return { answer, next: cursorOf(link) };
      const message = answer?.error?.message ?? 'the answer is not one of this service';
      throw new ApiError(status, message);
    }
  }

  private async sendRepeatedly(path: string, request: RequestInit) {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.send(path, request);
      } catch (error) {
        if (attempt >= ATTEMPTS) throw error;
        await sleep(this.pause * 2 ** (attempt - 1));
      }
    }
  }

  private async send(path: string, request: RequestInit) {
    try {
      const answer = await fetch(`${this.url}${path}`, request);
      const { status, headers } = answer;
      const text = await answer.text();
      if (status >= SERVER_ERROR) throw new Error(`status ${status}`);
      const [retryAfter, link] = [headers.get('retry-after'), headers.get('link')];
      return { status, text, retryAfter, link };
    } catch (error) {
      const { message, cause } = error as Error & { cause?: { code?: string } };
      throw new NoAnswerError(`${this.url} does not answer: ${cause?.code ?? message}`);
    }
  }
}

/** The cursor in a header `Link: <…?cursor=…>; rel="next"`. */
function cursorOf(link: string | null): string | null {
  const [, url] = /<([^>]*)>; rel="next"/.exec(link ?? '') ?? [];
  return url === undefined ? null : new URL(url, 'http://localhost').searchParams.get('cursor');
}

function parse(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return null;
  }
}
