import { Inject, Injectable } from '@nestjs/common';
import { decide } from '../../access/decide.js';
import { onWorkspace, record } from '../../audit/audit-entries.repository.js';
import type { Actor } from '../../auth/actor.js';
import type { Config } from '../../config/config.js';
import { CONFIG } from '../../config/config.module.js';
import { Database, type Transaction } from '../../database/database.js';
import { withSuffix } from '../../database/identifiers.js';
import { timeOf } from '../../database/time.js';
import { type Listed, mapList, type PageRequest } from '../../http/pagination.js';
import { withIdempotencyKey } from '../../idempotency/idempotency-keys.repository.js';
import type { IdempotentWrite } from '../../idempotency/idempotent-write.js';
import type { Team, TeamRef } from '../../teams/team.js';
import { growItems, growUsage } from '../../teams/team-usage.repository.js';
import { TeamsService } from '../../teams/teams.service.js';
import { notInTeamTrash } from '../errors.js';
import { asSeenIn, type Workspace, type WorkspaceKey } from '../workspace.js';
import { lockWorkspace } from '../workspaces.repository.js';
import {
  type Deleted,
  type DeletedWorkspace,
  deletedWorkspace,
  findDeleted,
  LIST,
  type ListedRow,
  purgeWorkspace,
  restoreWorkspace,
} from './workspace-trash.repository.js';

/** A workspace as the trash of its team shows it. */
export type ListedWorkspaceDeletion = Omit<ListedRow, 'at' | 'isShown'> & Deleted;

/** How a purged workspace wakes the purge process, which belongs to a domain downstream. */
@Injectable()
export class PurgeRequests {
  private wake: () => void = () => undefined;

  /** @param wake starts the purge process; it never fails or waits */
  onRequest(wake: () => void): void {
    this.wake = wake;
  }

  /** To be called after the commit that marked something as purged. */
  add(): void {
    this.wake();
  }
}

/**
 * The workspaces in the trash of a team. Those who could delete one if it were not
 * there may see, restore and purge it; for all others it does not exist.
 */
@Injectable()
export class WorkspaceTrashService {
  /** Seconds. */
  private readonly ttl: number;

  constructor(
    private readonly database: Database,
    private readonly teams: TeamsService,
    private readonly purgeRequests: PurgeRequests,
    @Inject(CONFIG) { trashTtlSeconds }: Config,
  ) {
    this.ttl = trashTtlSeconds;
  }

  /** Those that the caller may restore, newest first. @throws DomainError not_found, forbidden: team */
  async list(
    actor: Actor,
    ref: TeamRef,
    page: PageRequest,
  ): Promise<Listed<ListedWorkspaceDeletion>> {
    const listed = await this.teams.listForAction<ListedRow>(
      actor,
      ref,
      'workspace.list',
      LIST,
      page,
      [this.ttl],
      ({ isShown }) => isShown,
    );
    return mapList(listed, ({ at: deletedAt, isShown: _, ...row }) => {
      const expiresAt = new Date(deletedAt.getTime() + this.ttl * 1000);
      return { ...row, deletedAt, expiresAt };
    });
  }

  /**
   * Brings a workspace back with its content, its members and its own trash, under its slug or, if that
   * is taken, with a suffix.
   * @throws DomainError not_found: team or workspace; forbidden: not in the team, or the limits of
   *   the plan
   */
  async restore(
    actor: Actor,
    ref: TeamRef,
    id: string,
    write: IdempotentWrite<Workspace> | null,
  ): Promise<Workspace> {
    const key = await this.authorize(actor, ref, id);
    const scope = { teamId: key.teamId, workspaceId: key.id };
    const work = withIdempotencyKey(write, scope, async (tx) => {
      const [[team, found], updatedAt] = await Promise.all([
        this.lockAndAuthorize(tx, actor, key),
        timeOf(tx),
      ]);
      const slug = found.isSlugTaken ? withSuffix(found.slug) : found.slug;
      restoreWorkspace(tx, key, slug, updatedAt);
      const { pages, collections } = found;
      const details = { pages, collections, slug };
      const restored = { action: 'workspace.restored', ...onWorkspace(found), details } as const;
      record(tx, key.teamId, actor, restored);
      growUsage(tx, team, 'workspaces');
      growItems(tx, team, found);
      return asSeenIn({ ...found, slug, updatedAt, deletedAt: null });
    });
    return this.database.transaction(work, { callerId: actor.id, teamId: key.teamId });
  }

  /** Deletes a workspace for good. @throws DomainError not_found: team or workspace; forbidden */
  async purge(actor: Actor, ref: TeamRef, id: string): Promise<void> {
    const key = await this.authorize(actor, ref, id);
    const by = { callerId: actor.id, teamId: key.teamId };
    await this.database.transaction(async (tx) => {
      const [, found] = await this.lockAndAuthorize(tx, actor, key);
      purgeWorkspace(tx, key);
      const { pages, collections, visibility } = found;
      const details = { pages, collections, visibility };
      record(tx, key.teamId, actor, {
        action: 'workspace.purged',
        ...onWorkspace(found),
        details,
      });
    }, by);
    this.purgeRequests.add();
  }

  /** A workspace in the trash that the caller may delete. @throws DomainError not_found, forbidden */
  private async authorize(actor: Actor, ref: TeamRef, id: string): Promise<WorkspaceKey> {
    const read = deletedWorkspace(id, this.ttl);
    const [row] = await this.teams.readForAction<DeletedWorkspace>(actor, ref, 'team.read', read);
    return deletable(row ?? null);
  }

  /** The same as it is under the locks of the team and of the workspace. */
  private async lockAndAuthorize(
    tx: Transaction,
    actor: Actor,
    key: WorkspaceKey,
  ): Promise<[Team, DeletedWorkspace]> {
    const lockAndFind = () => {
      lockWorkspace(tx, key);
      return findDeleted(tx, key, actor.id, this.ttl);
    };
    const [team, found] = await Promise.all([
      this.teams.lockForAction(tx, actor, key.teamId, 'team.read'),
      lockAndFind(),
    ]);
    return [team, deletable(found)];
  }
}

/** @throws DomainError not_found: it is not there, or the caller may not delete it */
function deletable(found: DeletedWorkspace | null): DeletedWorkspace {
  if (!found || decide('workspace.restore', found) !== 'allow') throw notInTeamTrash();
  return found;
}
