import { createHash } from 'node:crypto';
import type { Response } from 'supertest';
import type { Caller } from './app.js';
import { type ItemBody, ok } from './builders.js';
import type { Known } from './members.js';

/** How a content was written. */
type Kind = 'create' | 'save' | 'restore';

interface Write {
  /** The number of the row's version, which the ETag is made of: it orders the writes of a page. */
  version: number;
  kind: Kind;
  by: string;
  content: string;
}

interface VersionBody {
  version: number;
  by: { _id: string } | null;
}

/**
 * What was written to one page, as its responses tell, and which versions it must have because of that (decisions
 * 14.1): the oracle of tests and storms that last less than ten minutes.
 */
export class PageHistory {
  private readonly writes: Write[] = [];

  constructor(private readonly id: string) {}

  /** The page as a create has returned it. */
  static of(page: ItemBody & { content?: object }, by: Known): PageHistory {
    const history = new PageHistory(page.id);
    const content = JSON.stringify(page.content ?? {});
    history.writes.push({ version: 1, kind: 'create', by: by.id, content });
    return history;
  }

  /** Sends a write of content, and records it if it succeeds. */
  async write(
    kind: Kind,
    by: Known,
    request: (path: string) => PromiseLike<Response>,
  ): Promise<Response> {
    const response = await request(`/collections/${this.id}`);
    if (response.status === 200) {
      const { content } = response.body as { content: object };
      const version = this.versionOf(response.headers.etag as string);
      this.writes.push({ version, kind, by: by.id, content: JSON.stringify(content) });
    }
    return response;
  }

  save(by: Known, content: object): Promise<Response> {
    return this.write('save', by, (path) => by.put(path, { content }));
  }

  /** The contents that must be kept, the oldest first, each with its author; and the present one. */
  expected(): { kept: [content: string, by: string][]; present: string } {
    const [first, ...others] = this.writes.toSorted((a, b) => a.version - b.version);
    let present = first as Write;
    const kept: [string, string][] = [];
    for (const next of others) {
      if (next.content === present.content) {
        // It stays whose it was, but what was restored is kept.
        if (next.kind === 'restore') present = { ...present, kind: 'restore' };
        continue;
      }
      const isContinued =
        present.kind === 'save' && next.kind !== 'restore' && next.by === present.by;
      if (!isContinued && present.content !== '{}') kept.push([present.content, present.by]);
      present = next;
    }
    return { kept, present: present.content };
  }

  /** The same as the service shows it to a caller. */
  async found(by: Caller): Promise<ReturnType<PageHistory['expected']>> {
    const path = `/collections/${this.id}`;
    const versions = await ok<VersionBody[]>(by.get(`${path}/versions`));
    const kept = versions.toReversed().map(async ({ version, by: author }) => {
      const read = by.get(`${path}/versions/${version}`);
      const { content } = await ok<{ content: object }>(read);
      return [JSON.stringify(content), author?._id ?? ''] as [string, string];
    });
    const { content } = await ok<{ content: object }>(by.get(path));
    return { kept: await Promise.all(kept), present: JSON.stringify(content) };
  }

  private versionOf(etag: string): number {
    for (let version = 1; version < 10_000; version++) {
      const own = createHash('sha256').update(`${this.id}:${version}`).digest('hex');
      if (etag === `"${own}"`) return version;
    }
    throw new Error(`${etag} is of no version of ${this.id}`);
  }
}
