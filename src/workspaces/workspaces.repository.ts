import { Injectable } from '@nestjs/common';
import type { AccessLevel, TeamRole, Visibility, WorkspaceRole } from '../access/roles.js';
import type { Plan } from '../config/plan-limits.js';
import type { Transaction } from '../database/database.js';
import { violatedConstraint } from '../database/database-errors.js';
import { newId } from '../database/ids.js';
import {
  type FoundWorkspace,
  type NewWorkspace,
  slugTakenInTeam,
  type WorkspaceChanges,
  type WorkspaceKey,
  type WorkspaceRecord,
} from './workspace.js';

const RECORD = {
  id: true,
  teamId: true,
  slug: true,
  name: true,
  description: true,
  visibility: true,
  defaultAccess: true,
  treeStamp: true,
  rebalances: true,
  createdAt: true,
  updatedAt: true,
} as const;

/** Workspaces within a transaction. */
@Injectable()
export class WorkspacesRepository {
  /** The workspace, and what decides on the user's access to it; null: no such workspace. */
  async find(
    tx: Transaction,
    { id, teamId }: WorkspaceKey,
    userId: string,
  ): Promise<FoundWorkspace | null> {
    const role = { where: { userId }, select: { role: true } };
    const found = await tx.workspace.findUnique({
      where: { teamId_id: { teamId, id } },
      select: { ...RECORD, members: role, team: { select: { plan: true, members: role } } },
    });
    if (!found) return null;
    const { members, team, ...row } = found;
    const record = toRecord(row, team.plan as Plan);
    return {
      record,
      context: {
        teamRole: (team.members[0]?.role as TeamRole | undefined) ?? null,
        workspaceRole: (members[0]?.role as WorkspaceRole | undefined) ?? null,
        visibility: record.visibility,
        defaultAccess: record.defaultAccess,
      },
    };
  }

  async hasSlug(tx: Transaction, teamId: string, slug: string): Promise<boolean> {
    const where = { teamId_slug: { teamId, slug } };
    return (await tx.workspace.findUnique({ where, select: { id: true } })) !== null;
  }

  /** @throws DomainError conflict: the slug is taken in the team */
  async create(
    tx: Transaction,
    team: { id: string; plan: Plan },
    workspace: NewWorkspace & { slug: string },
  ): Promise<WorkspaceRecord> {
    const { name, slug, description = '', visibility = 'public' } = workspace;
    const { defaultAccess = 'full' } = workspace;
    const settings = { name, slug, description, visibility, defaultAccess };
    const row = await takingSlug(
      slug,
      tx.workspace.create({ data: { id: newId(), teamId: team.id, ...settings }, select: RECORD }),
    );
    return toRecord(row, team.plan);
  }

  /**
   * Changes what `changes` names.
   * @throws DomainError conflict: the slug is taken in the team
   */
  async update(
    tx: Transaction,
    { id, teamId, plan }: WorkspaceRecord,
    { name, slug, description, visibility, defaultAccess }: WorkspaceChanges,
  ): Promise<WorkspaceRecord> {
    const data = {
      ...(name !== undefined && { name }),
      ...(slug !== undefined && { slug }),
      ...(description !== undefined && { description }),
      ...(visibility !== undefined && { visibility }),
      ...(defaultAccess !== undefined && { defaultAccess }),
      updatedAt: new Date(),
    };
    const where = { teamId_id: { teamId, id } };
    const row = await takingSlug(slug, tx.workspace.update({ where, data, select: RECORD }));
    return toRecord(row, plan);
  }

  /** How many pages and collections it has. */
  async countItems(
    tx: Transaction,
    { id, teamId }: WorkspaceKey,
  ): Promise<{ pages: number; collections: number }> {
    const where = { teamId, workspaceId: id };
    const all = await tx.collection.count({ where });
    const pages = await tx.collection.count({ where: { ...where, object: 'item' } });
    return { pages, collections: all - pages };
  }

  /** Deletes it with its content and members (foreign keys). */
  async delete(tx: Transaction, { id, teamId }: WorkspaceKey): Promise<void> {
    await tx.workspace.delete({ where: { teamId_id: { teamId, id } }, select: { id: true } });
  }
}

function toRecord(
  row: Omit<WorkspaceRecord, 'plan' | 'visibility' | 'defaultAccess'> & {
    visibility: string;
    defaultAccess: string;
  },
  plan: Plan,
): WorkspaceRecord {
  const { visibility, defaultAccess } = row;
  return {
    ...row,
    plan,
    visibility: visibility as Visibility,
    defaultAccess: defaultAccess as AccessLevel,
  };
}

async function takingSlug<T>(slug: string | undefined, write: PromiseLike<T>): Promise<T> {
  try {
    return await write;
  } catch (error) {
    if (violatedConstraint(error) !== 'workspaces_team_slug_key') throw error;
    throw slugTakenInTeam(slug);
  }
}
