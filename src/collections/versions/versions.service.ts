import { Inject, Injectable } from '@nestjs/common';
import type { Actor } from '../../auth/actor.js';
import type { Config } from '../../config/config.js';
import { CONFIG } from '../../config/config.module.js';
import { isUuid } from '../../database/identifiers.js';
import { notFound } from '../../errors/domain-error.js';
import type { IdempotentWrite } from '../../idempotency/idempotent-write.js';
import type { WorkspaceKey } from '../../workspaces/workspace.js';
import { ITEM } from '../errors.js';
import type { AuthorizeWorkspace, WorkspaceSelector } from '../items/collection.js';
import { ItemAccess } from '../items/item-access.js';
import { IndexWriter } from '../search/index-writer.js';
import type { CommandResult } from '../writer/tree-rules.js';
import { TreeWriter } from '../writer/tree-writer.js';
import {
  deleteVersions,
  type PageOfCaller,
  type PageVersion,
  type VersionPage,
  VersionsRepository,
} from './versions.repository.js';

/** What pages were before they were overwritten. Who may write a page may read it and bring it back. */
@Injectable()
export class VersionsService {
  constructor(
    private readonly access: ItemAccess,
    private readonly versions: VersionsRepository,
    private readonly writer: TreeWriter,
    private readonly index: IndexWriter,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /**
   * The versions of a page, newest first.
   * @param before only those that are older than this one
   * @throws DomainError not_found, forbidden; unprocessable_entity: a collection
   */
  list(
    actor: Actor,
    selector: WorkspaceSelector,
    id: string,
    limit: number | undefined,
    before?: number,
  ): Promise<VersionPage> {
    return this.withPage(actor, selector, id, (page) => this.versions.list(page, limit, before));
  }

  /** A version with its content. @throws DomainError as list(); not_found: the version */
  get(
    actor: Actor,
    selector: WorkspaceSelector,
    id: string,
    version: number,
  ): Promise<PageVersion & { content: string }> {
    return this.withPage(actor, selector, id, (page) => this.versions.get(page, version));
  }

  /**
   * Gives a page the content of one of its versions; what was there becomes a version.
   * @throws DomainError as get(); conflict: `ifMatch`
   */
  restore(
    actor: Actor,
    selector: WorkspaceSelector,
    id: string,
    version: number,
    ifMatch: string | undefined,
    write: IdempotentWrite<CommandResult> | null,
  ): Promise<CommandResult> {
    const { versionsTtlSeconds: ttlSeconds } = this.config;
    const command = { kind: 'restore' as const, id, version, ttlSeconds, ifMatch };
    return this.access.withItem(actor, selector, id, 'content.write', (authorize) =>
      this.writer.run(actor, authorize, command, write),
    );
  }

  /**
   * Deletes the versions of a page for good, and what the index of words has of them.
   * @throws DomainError as list()
   */
  async purge(actor: Actor, selector: WorkspaceSelector, id: string): Promise<void> {
    const places: WorkspaceKey[] = [];
    await this.access.withItem(actor, selector, id, 'content.purge', (authorize) => {
      const noting: AuthorizeWorkspace = async (reads) => {
        const found = await authorize(reads);
        places.push({ teamId: found.teamId, id: found.workspaceId });
        return found;
      };
      return this.writer.run(actor, noting, deleteVersions(id));
    });
    // The last one is where it was.
    const place = places.at(-1);
    if (place) await this.index.rewritePage(place, id);
  }

  private withPage<T>(
    actor: Actor,
    selector: WorkspaceSelector,
    id: string,
    read: (page: PageOfCaller) => Promise<T>,
  ): Promise<T> {
    return this.access.withItem(actor, selector, id, 'content.readHistory', async (authorize) => {
      const { teamId, workspaceId } = await authorize([]);
      if (!isUuid(id)) throw notFound(ITEM);
      return read({ teamId, workspaceId, id, callerId: actor.id });
    });
  }
}
