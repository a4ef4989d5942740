import { Injectable } from '@nestjs/common';
import type { ListRead } from '@teamspaces/pg-lanes/list-reads';
import type { ManyRows, PreparedRead, ReadStatement } from '@teamspaces/pg-lanes/statements';
import { type AccessContext, decide, enforce } from '../access/decide.js';
import type { WorkspaceAction } from '../access/roles.js';
import { onWorkspace, record } from '../audit/audit-entries.repository.js';
import type { Actor } from '../auth/actor.js';
import { Database, type Transaction } from '../database/database.js';
import { given } from '../database/fields.js';
import { isPossibleSlug, slugsFor } from '../database/identifiers.js';
import { timeOf } from '../database/time.js';
import { notFound } from '../errors/domain-error.js';
import { assertSettings } from '../http/etag.js';
import {
  checkFirst,
  type Listed,
  type ListPosition,
  type ListSource,
  mapList,
  mapPortions,
  ownPosition,
  type PageRequest,
  readList,
} from '../http/pagination.js';
import { withIdempotencyKey } from '../idempotency/idempotency-keys.repository.js';
import type { IdempotentWrite } from '../idempotency/idempotent-write.js';
import type { TeamRef } from '../teams/team.js';
import { growUsage, shrinkUsage } from '../teams/team-usage.repository.js';
import { takeMembershipLock } from '../teams/teams.repository.js';
import { TeamsService } from '../teams/teams.service.js';
import { setWorkspaceRoles } from './members/workspace-members.repository.js';
import { moveToTrash } from './trash/workspace-trash.repository.js';
import {
  accessIn,
  asSeenIn,
  type FoundWorkspace,
  type ListedWorkspace,
  type NewWorkspace,
  newWorkspace,
  updateEntries,
  type Workspace,
  type WorkspaceChanges,
  type WorkspaceKey,
  type WorkspaceRecord,
  type WorkspaceRef,
  workspaceSettings,
} from './workspace.js';
import {
  countItems,
  FIND,
  type FoundListed,
  findWorkspace,
  type InWorkspace,
  insertWorkspace,
  LIST,
  lockWorkspace,
  setArchived,
  takenSlugs,
  updateWorkspace,
} from './workspaces.repository.js';

@Injectable()
export class WorkspacesService {
  constructor(
    private readonly database: Database,
    private readonly teams: TeamsService,
  ) {}

  /**
   * Loads a workspace for an action: this and readForAction() are the only ways to a workspace from
   * outside.
   * @throws DomainError not_found, forbidden; bad_request where teamId and team_slug differ
   */
  async forAction(actor: Actor, ref: WorkspaceRef, action: WorkspaceAction): Promise<Workspace> {
    const [row] = await this.readForAction<WorkspaceRecord>(actor, ref, action);
    return asSeenIn(row);
  }

  /**
   * Reads something of a workspace for an action, in one statement with what decides on it.
   * @param statement one of inWorkspace(), and its values from $5 on
   * @returns its rows, at least one
   * @throws DomainError as forAction()
   */
  async readForAction<Columns>(
    actor: Actor,
    ref: WorkspaceRef,
    action: WorkspaceAction,
    [statement, values]: PreparedRead<InWorkspace<Columns>> = [FIND as ReadStatement<never>, []],
  ): Promise<[InWorkspace<Columns>, ...InWorkspace<Columns>[]]> {
    const [first, ...others] = await this.teams.readForAction<InWorkspace<Columns>>(
      actor,
      ref.team,
      'team.read',
      [statement, [slugOf(ref), ...values]],
    );
    authorizeRow(action, first);
    return [first, ...others];
  }

  /**
   * The same, of a workspace that is known by its id.
   * @throws DomainError not_found, forbidden
   */
  async forActionById(
    actor: Actor,
    workspace: WorkspaceKey,
    action: WorkspaceAction,
  ): Promise<Workspace> {
    return asSeenIn(authorized(await findWorkspace(this.database, workspace, actor.id), action));
  }

  /**
   * Takes the membership lock of the team and loads the workspace for an action as it is then:
   * what was read before the lock may have changed since.
   * @throws DomainError not_found, forbidden
   */
  async lockForAction(
    tx: Transaction,
    actor: Actor,
    workspace: WorkspaceKey,
    action: WorkspaceAction,
  ): Promise<FoundWorkspace> {
    takeMembershipLock(tx, workspace.teamId);
    return authorized(await findWorkspace(tx, workspace, actor.id), action);
  }

  /** The workspaces that the caller can see, oldest first. @throws DomainError as forAction() */
  async list(actor: Actor, team: TeamRef): Promise<Listed<ListedWorkspace>> {
    const found = await this.listEachForAction<FoundListed>(actor, team, 'workspace.read', LIST);
    return mapList(found, (workspace) => ({
      json: workspace.json,
      access: accessIn(workspace),
    }));
  }

  /**
   * Reads something of each workspace of a team for which the caller may do this, oldest first.
   * @param list one of inEachWorkspace()
   * @throws DomainError as forAction()
   */
  listEachForAction<Columns>(
    actor: Actor,
    team: TeamRef,
    action: WorkspaceAction,
    list: ListRead<InWorkspace<Columns>>,
  ): Promise<Listed<InWorkspace<Columns>>> {
    const source = this.teams.listSource<InWorkspace<Columns>>(actor, team, 'workspace.list', list);
    return readList(list, {}, source, null, (found) => decide(action, found) === 'allow');
  }

  /**
   * Reads a list of a workspace's for an action.
   * @param list its parameters are those of readForAction(), and a page
   * @param toItem returns null for the row that stands for none
   * @throws DomainError as forAction()
   */
  listForAction<Columns, Item extends ListPosition>(
    actor: Actor,
    ref: WorkspaceRef,
    action: WorkspaceAction,
    list: ListRead<InWorkspace<Columns>>,
    page: PageRequest,
    toItem: (row: Columns) => Item | null,
  ): Promise<Listed<Item>> {
    const toItems = (rows: Columns[]) => rows.flatMap((row) => toItem(row) ?? []);
    const source: ListSource<Item> = {
      read: async (kind, values) =>
        toItems(await this.readForAction<Columns>(actor, ref, action, [list[kind], values])),
      stream: (values) => {
        const read: [ManyRows<InWorkspace<Columns>>, unknown[]] = [
          list.long,
          [slugOf(ref), ...values],
        ];
        const rows = this.teams.streamForAction<InWorkspace<Columns>>(
          actor,
          ref.team,
          'team.read',
          read,
        );
        return mapPortions(
          checkFirst(rows, (first) => authorizeRow(action, first)),
          toItems,
        );
      },
    };
    return readList(list, page, source, ownPosition);
  }

  /**
   * Makes a workspace whose first editor is the caller.
   * @throws DomainError forbidden: role, or plan limit; not_found: team
   */
  async create(
    actor: Actor,
    ref: TeamRef,
    given: NewWorkspace,
    write: IdempotentWrite<Workspace> | null,
  ): Promise<Workspace> {
    const { id } = await this.teams.forAction(actor, ref, 'team.read');
    const work = withIdempotencyKey(write, { teamId: id }, async (tx) => {
      const [team, slug, now] = await Promise.all([
        this.teams.lockForAction(tx, actor, id, 'workspace.create'),
        this.freeSlug(tx, id, given.name),
        timeOf(tx),
      ]);
      const workspace = newWorkspace(team, slug, given, now);
      insertWorkspace(tx, workspace);
      setWorkspaceRoles(tx, workspace, [{ userId: actor.id, role: 'editor' }]);
      const { visibility, defaultAccess } = workspace;
      const details = { slug, visibility, defaultAccess };
      record(tx, id, actor, { action: 'workspace.created', ...onWorkspace(workspace), details });
      growUsage(tx, team, 'workspaces');
      return asSeenIn({
        ...workspace,
        workspaceName: workspace.name,
        teamRole: team.role,
        workspaceRole: 'editor',
      });
    });
    return this.database.transaction(work, { callerId: actor.id, teamId: id });
  }

  /**
   * Changes what `changes` names. The caller that makes a workspace private becomes an editor of it.
   * @throws DomainError forbidden, not_found; conflict: slug taken, or ifMatch
   */
  async update(
    actor: Actor,
    ref: WorkspaceRef,
    changes: WorkspaceChanges,
    ifMatch?: string,
  ): Promise<Workspace> {
    const workspace = await this.forAction(actor, ref, 'workspace.update');
    const by = { callerId: actor.id, teamId: workspace.teamId };
    return this.database.transaction(async (tx) => {
      const [found, updatedAt] = await Promise.all([
        this.lockForAction(tx, actor, workspace, 'workspace.update'),
        timeOf(tx),
      ]);
      assertSettings('workspace', ifMatch, workspaceSettings(found));
      const named = given(changes);
      if (Object.keys(named).length === 0) return asSeenIn(found);
      // The change of a setting may change what the caller can do.
      const updated: FoundWorkspace = { ...found, ...named, updatedAt };
      if (changes.visibility === 'private') {
        setWorkspaceRoles(tx, workspace, [{ userId: actor.id, role: 'editor' }]);
        updated.workspaceRole = 'editor';
      }
      updateWorkspace(tx, updated);
      record(tx, workspace.teamId, actor, ...updateEntries(found, updated));
      return asSeenIn(updated);
    }, by);
  }

  /**
   * Archives the workspace, or ends that. When this returns, no write of its content that began before is committed
   * any more: it waits for the row, and the stamp of an archived tree cannot change.
   * @throws DomainError forbidden, not_found
   */
  async setArchived(
    actor: Actor,
    ref: WorkspaceRef,
    isArchived: boolean,
    write: IdempotentWrite<Workspace> | null,
  ): Promise<Workspace> {
    const workspace = await this.forAction(actor, ref, 'workspace.update');
    const scope = { teamId: workspace.teamId, workspaceId: workspace.id };
    const work = withIdempotencyKey(write, scope, async (tx) => {
      takeMembershipLock(tx, workspace.teamId);
      lockWorkspace(tx, workspace);
      const [row, now] = await Promise.all([findWorkspace(tx, workspace, actor.id), timeOf(tx)]);
      const found = authorized(row, 'workspace.update');
      if ((found.archivedAt !== null) === isArchived) return asSeenIn(found);
      const updated = { ...found, archivedAt: isArchived ? now : null, updatedAt: now };
      setArchived(tx, updated);
      const action = isArchived ? 'workspace.archived' : 'workspace.unarchived';
      record(tx, workspace.teamId, actor, { action, ...onWorkspace(found), details: {} });
      return asSeenIn(updated);
    });
    return this.database.transaction(work, { callerId: actor.id, teamId: workspace.teamId });
  }

  /**
   * Moves the workspace to the trash of its team: one row and the counters, however much it holds.
   * @throws DomainError forbidden, not_found; conflict: ifMatch
   */
  async delete(actor: Actor, ref: WorkspaceRef, ifMatch?: string): Promise<void> {
    const workspace = await this.forAction(actor, ref, 'workspace.delete');
    const by = { callerId: actor.id, teamId: workspace.teamId };
    await this.database.transaction(async (tx) => {
      takeMembershipLock(tx, workspace.teamId);
      lockWorkspace(tx, workspace);
      const [found, items] = await Promise.all([
        findWorkspace(tx, workspace, actor.id),
        countItems(tx, workspace),
      ]);
      const workspaceNow = authorized(found, 'workspace.delete');
      assertSettings('workspace', ifMatch, workspaceSettings(workspaceNow));
      moveToTrash(tx, workspace, actor.id, items);
      const action = 'workspace.deleted';
      record(tx, workspace.teamId, actor, {
        action,
        ...onWorkspace(workspaceNow),
        details: items,
      });
      shrinkUsage(tx, workspace.teamId, { ...items, workspaces: 1 });
    }, by);
  }

  /** Under the membership lock nobody else takes the slug. */
  private async freeSlug(tx: Transaction, teamId: string, name: string): Promise<string> {
    for (;;) {
      const { wanted, fallback } = slugsFor(name);
      const slugs = [wanted, fallback];
      const taken = await takenSlugs(tx, teamId, slugs);
      const free = slugs.find((slug) => !taken.includes(slug));
      if (free !== undefined) return free;
    }
  }
}

/** The slug '' is no workspace's: what cannot exist is looked up as what does not. */
const slugOf = ({ slug }: WorkspaceRef): string => (isPossibleSlug(slug) ? slug : '');

/** @throws DomainError not_found, forbidden */
function authorizeRow<Row extends AccessContext>(
  action: WorkspaceAction,
  row: Row | undefined,
): asserts row is Row {
  if (!row) throw notFound('workspace');
  enforce(action, row, 'workspace');
}

/** @throws DomainError not_found, forbidden */
function authorized(found: FoundWorkspace | null, action: WorkspaceAction): FoundWorkspace {
  if (!found) throw notFound('workspace');
  enforce(action, found, 'workspace');
  return found;
}
