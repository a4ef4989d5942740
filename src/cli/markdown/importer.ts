import { setTimeout as sleep } from 'node:timers/promises';
import pLimit from 'p-limit';
import { type Entry, readPage } from './folder.js';
import {
  type Missing,
  match,
  missingOf,
  outOfOrder,
  type Present,
  pathsOf,
  presenceOf,
} from './presence.js';
import { ApiError, type Item, NoAnswerError, type WorkspaceClient } from './workspace-client.js';

/** What is told while an import goes on. */
export interface ImportWatcher {
  /** Something was created; `path` is its file or folder. */
  created(path: string): void;
  /** The service does not answer; the import goes on in a moment. */
  waiting(reason: string): void;
}

/** Requests at once: collections are filled side by side, each of them in order. */
const PARALLEL = 4;
/** Failures in a row, with nothing created between them, before an import gives up. */
const MAX_FAILURES = 6;

/**
 * Creates what is not there yet. What is there is read from the workspace itself: a page by the path
 * that its content names, a collection by its name and place. So an import that ended half-way, also
 * one whose last answer was lost, goes on where it was.
 */
export class Importer {
  private readonly limit = pLimit(PARALLEL);
  private tree: Present[] = [];
  private paths = new Set<string>();
  private created = 0;
  private failure: unknown = null;

  constructor(
    private readonly client: WorkspaceClient,
    private readonly root: string,
    private readonly entries: readonly Entry[],
    private readonly watcher: ImportWatcher,
    /** Milliseconds to wait after a failure; each further one doubles it. */
    private readonly pause = 1000,
  ) {}

  /**
   * What is to be created, as the workspace is now.
   *
   * @throws Error the team's plan has no room for it
   */
  async missing(): Promise<Missing> {
    await this.look();
    const missing = missingOf(this.entries, this.tree, this.paths);
    const room = Math.max(0, await this.client.room());
    if (missing.pages <= room) return missing;
    throw new Error(
      `The team's plan has room for ${room} more pages, and ${missing.pages} are to be imported.`,
    );
  }

  /**
   * Creates it, each folder's in order. Answers the paths of folders whose order in the workspace is
   * another than on the disk, as somebody has moved things.
   *
   * @throws ApiError the service refuses something
   * @throws NoAnswerError it does not answer, several times
   */
  async run(): Promise<string[]> {
    for (let failures = 0; ; ) {
      const before = this.created;
      try {
        await this.look();
        await this.createMissing();
        await this.look();
        return outOfOrder(this.entries, this.tree);
      } catch (error) {
        failures = this.created > before ? 1 : failures + 1;
        if (!isPassing(error) || failures === MAX_FAILURES) throw error;
        this.watcher.waiting((error as Error).message);
        await sleep(this.pause * 2 ** (failures - 1));
      }
    }
  }

  private async look(): Promise<void> {
    this.tree = presenceOf(await this.client.tree());
    this.paths = pathsOf(this.tree);
  }

  /** Ends when every request that it sent has ended, so that the next look sees what they did. */
  private async createMissing(): Promise<void> {
    this.failure = null;
    await this.fill(null, this.entries, this.tree);
    if (this.failure !== null) throw this.failure;
  }

  private async fill(
    parent: string | null,
    entries: readonly Entry[],
    siblings: readonly Present[],
  ): Promise<void> {
    const matched = match(entries, siblings);
    const lastMatched = entries.findLastIndex((entry) => matched.has(entry));
    const order = siblings.map(({ id }) => id);
    const below: Promise<void>[] = [];
    /** Where the entry before this one is among its siblings. */
    let behind = -1;
    for (const [n, entry] of entries.entries()) {
      const item = matched.get(entry);
      let id = item?.id;
      if (id !== undefined) {
        behind = Math.max(behind, order.indexOf(id, behind + 1));
      } else if (this.isMissing(entry)) {
        // Last, unless what comes behind it is there already.
        const index = n < lastMatched ? behind + 1 : null;
        id = await this.create(entry, parent, index);
        if (id === undefined) break;
        if (index !== null) order.splice(++behind, 0, id);
      }
      if (id !== undefined && entry.entries) {
        below.push(this.fill(id, entry.entries, item?.children ?? []));
      }
    }
    await Promise.all(below);
  }

  /** Creates an item, last or at `index`. Answers nothing once the import has failed. */
  private create(
    entry: Entry,
    parent: string | null,
    index: number | null,
  ): Promise<string | undefined> {
    return this.limit(async () => {
      if (this.failure !== null) return undefined;
      try {
        const { id } = await this.send(entry, parent);
        this.created++;
        this.watcher.created(entry.path);
        if (index !== null) await this.client.place(id, index);
        return id;
      } catch (error) {
        this.failure ??= error instanceof ApiError ? error.about(entry.path) : error;
        return undefined;
      }
    });
  }

  private async send({ name, path, entries }: Entry, parent: string | null): Promise<Item> {
    if (entries) return this.client.create({ name, object: 'collection', parent });
    const content = await readPage(this.root, path);
    return this.client.create({ name, object: 'item', parent, content });
  }

  private isMissing(entry: Entry): boolean {
    const { pages, collections } = missingOf([entry], [], this.paths);
    return pages + collections > 0;
  }
}

/** What may be otherwise in a moment. */
const isPassing = (error: unknown): boolean =>
  error instanceof NoAnswerError || (error instanceof ApiError && error.status >= 500);
