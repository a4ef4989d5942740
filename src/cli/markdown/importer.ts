import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { Creator } from './creator.js';
import { ExistingTree, type Missing } from './existing-tree.js';
import { type Entry, readPage } from './folder.js';
import { sourcePath } from './page-content.js';
import { NoAnswerError, type Page, type WorkspaceClient } from './workspace-client.js';
import { readWorkspace } from './workspace-reader.js';

/** What is told while an import goes on. */
export interface ImportWatcher {
  /** Something was created; `path` is its file or folder. */
  created(path: string): void;
  /** The service does not answer; the import goes on in a moment. */
  waiting(reason: string): void;
}

/** What an import is about to do. */
export interface Plan extends Missing {
  /** Files that are pages already, whose content is another one by now. */
  different: string[];
}

/** What an import did. */
export interface Outcome {
  pages: number;
  collections: number;
  /** Paths of folders that are in another order in the workspace, as somebody has moved things. */
  outOfOrder: string[];
  /** Files that are more than one page. */
  duplicates: string[];
}

/** Failures in a row, with nothing created between them, before an import gives up. */
const MAX_FAILURES = 6;

/**
 * Creates what is not there yet. What is there is read from the workspace itself: a page by the path
 * that its content names, a collection by the pages in it or by its name. So an import that ended
 * half-way, also one whose last answer was lost, goes on where it was.
 */
export class Importer {
  private existing = new ExistingTree([]);
  private readonly created = { pages: 0, collections: 0 };

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
   * @throws Error the token gives no right to write here, or the team's plan has no room for it
   */
  async plan(): Promise<Plan> {
    if ((await this.client.access()) === 'read-only') {
      throw new Error('The token gives read-only access to the workspace; an import takes full.');
    }
    const files = new Set(pathsOf(this.entries));
    const different: string[] = [];
    await this.look(async (path, content) => {
      if (files.has(path) && !isDeepStrictEqual(await readPage(this.root, path), content)) {
        different.push(path);
      }
    });
    const missing = this.existing.missing(this.entries, this.existing.tree);
    const room = Math.max(0, await this.client.room());
    if (missing.pages <= room) return { ...missing, different };
    throw new Error(
      `The team's plan has room for ${room} more pages, and ${missing.pages} are to be imported.`,
    );
  }

  /**
   * Creates it, each folder's in order.
   *
   * @throws ApiError the service refuses something
   * @throws NoAnswerError it does not answer, several times
   */
  async run(): Promise<Outcome> {
    const total = () => this.created.pages + this.created.collections;
    for (let failures = 0; ; ) {
      const before = total();
      try {
        await this.look();
        await this.creator().createAll(this.entries);
        await this.look();
        const { tree, duplicates } = this.existing;
        const outOfOrder = this.existing.outOfOrder(this.entries, tree);
        return { ...this.created, outOfOrder, duplicates };
      } catch (error) {
        failures = total() > before ? 1 : failures + 1;
        if (!(error instanceof NoAnswerError) || failures === MAX_FAILURES) throw error;
        this.watcher.waiting(error.message);
        await sleep(this.pause * 2 ** (failures - 1));
      }
    }
  }

  private creator(): Creator {
    return new Creator(this.client, this.root, this.existing, ({ path, entries }) => {
      this.created[entries ? 'collections' : 'pages']++;
      this.watcher.created(path);
    });
  }

  private async look(
    compare: (path: string, content: object) => Promise<void> = async () => undefined,
  ): Promise<void> {
    const tree = await readWorkspace(this.client, async ({ content }: Page) => {
      const path = sourcePath(content);
      if (path !== null) await compare(path, content);
      return { path };
    });
    this.existing = new ExistingTree(tree);
  }
}

/** The paths of all files. */
const pathsOf = (entries: readonly Entry[]): string[] =>
  entries.flatMap(({ path, entries: inside }) => (inside ? pathsOf(inside) : [path]));
