import { Inject, Injectable } from '@nestjs/common';
import type { Actor } from '../../auth/actor.js';
import type { Config } from '../../config/config.js';
import { CONFIG } from '../../config/config.module.js';
import { Database } from '../../database/database.js';
import { isUuid } from '../../database/identifiers.js';
import { notFound } from '../../errors/domain-error.js';
import type { ApplyReport, WorkspaceSelector } from '../items/collection.js';
import { alreadyAuthorized, ItemAccess, idsOf } from '../items/item-access.js';
import { TreeWriter } from '../writer/tree-writer.js';
import { applyManifest, prepareManifest } from './apply.repository.js';
import { isNothing, type Manifest } from './apply-rules.js';

/** Makes a tree equal to a manifest. */
@Injectable()
export class ApplyService {
  constructor(
    private readonly access: ItemAccess,
    private readonly database: Database,
    private readonly writer: TreeWriter,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /**
   * Makes what lies below a collection equal to a manifest, in one transaction. Where it is equal already, nothing
   * is locked or written.
   * @throws DomainError bad_request: no workspace; not_found, forbidden, conflict, unprocessable_entity
   */
  async apply(actor: Actor, selector: WorkspaceSelector, manifest: Manifest): Promise<ApplyReport> {
    const ids = idsOf(await this.access.workspaceFor(actor, selector, 'content.write'));
    const { parentId } = manifest;
    if (parentId !== null && !isUuid(parentId)) throw notFound('parent');
    const prepared = await prepareManifest(this.database, actor.id, ids, manifest);
    const { plan } = prepared;
    if (plan && isNothing(plan)) return plan.report;
    const trashedBy = this.config.trashTtlSeconds > 0 ? actor.id : null;
    const command = applyManifest(manifest, prepared, trashedBy);
    const { applied } = await this.writer.run(actor, alreadyAuthorized(ids), command);
    return applied as ApplyReport;
  }
}
