import { Injectable } from '@nestjs/common';
import { Database, type Transaction } from '../database/database.js';
import { violatedConstraint } from '../database/database-errors.js';
import { newId } from '../database/ids.js';
import { conflict, forbidden, notFound } from '../errors/domain-error.js';
import { PeopleGate } from '../teams/people-gate.repository.js';
import { UsageRepository } from '../teams/usage.repository.js';
import { slugsFor } from './slug.js';
import type { NewWorkspace, WorkspaceChanges } from './workspace.js';
import type { WorkspaceRow } from './workspaces.repository.js';

/** Writes of workspaces; each method is atomic. */
@Injectable()
export class WorkspaceWritesRepository {
  constructor(
    private readonly database: Database,
    private readonly usage: UsageRepository,
    private readonly gate: PeopleGate,
  ) {}

  /**
   * Makes a workspace whose first editor is the user.
   * @throws DomainError forbidden: plan limit reached, or no member any more
   */
  async create(teamId: string, userId: string, workspace: NewWorkspace): Promise<WorkspaceRow> {
    try {
      return await this.database.transaction(async (tx) => {
        const row = await this.insert(tx, teamId, workspace);
        await tx.workspaceMember.create({
          data: { teamId, workspaceId: row.id, userId, role: 'editor' },
        });
        await this.usage.change(tx, teamId, 'workspaces', 1);
        return row;
      });
    } catch (error) {
      if (violatedConstraint(error) !== 'workspace_members_member_fkey') throw error;
      throw forbidden('you are not a member of this team');
    }
  }

  private async insert(
    tx: Transaction,
    teamId: string,
    given: NewWorkspace,
  ): Promise<WorkspaceRow> {
    const { name, description = '', visibility = 'public', defaultAccess = 'full' } = given;
    for (;;) {
      const { wanted, fallback } = slugsFor(name);
      for (const slug of new Set([wanted, fallback])) {
        const [row] = await tx.$queryRaw<WorkspaceRow[]>`
          INSERT INTO workspaces (id, team_id, slug, name, description, visibility, default_access)
          VALUES (${newId()}::uuid, ${teamId}::uuid, ${slug}, ${name}, ${description}, ${visibility}, ${defaultAccess})
          ON CONFLICT (team_id, slug) DO NOTHING RETURNING *`;
        if (row) return row;
      }
    }
  }

  /**
   * Changes what `changes` names. Whoever makes a workspace private becomes an editor of it.
   * @throws DomainError conflict: slug taken; not_found: deleted meanwhile
   */
  async update(
    { id, teamId }: { id: string; teamId: string },
    userId: string,
    changes: WorkspaceChanges,
  ): Promise<WorkspaceRow> {
    const { name, slug, description, visibility, defaultAccess } = changes;
    try {
      return await this.database.transaction(async (tx) => {
        if (visibility === 'private') await this.gate.close(tx, teamId);
        const [row] = await tx.$queryRaw<WorkspaceRow[]>`
          UPDATE workspaces SET
            name = coalesce(${name ?? null}, name),
            slug = coalesce(${slug ?? null}, slug),
            description = coalesce(${description ?? null}, description),
            visibility = coalesce(${visibility ?? null}, visibility),
            default_access = coalesce(${defaultAccess ?? null}, default_access),
            updated_at = now()
          WHERE id = ${id}::uuid RETURNING *`;
        if (!row) throw notFound('workspace');
        if (visibility === 'private') {
          await tx.workspaceMember.upsert({
            where: { teamId_workspaceId_userId: { teamId, workspaceId: id, userId } },
            create: { teamId, workspaceId: id, userId, role: 'editor' },
            update: { role: 'editor' },
          });
        }
        return row;
      });
    } catch (error) {
      const constraint = violatedConstraint(error);
      if (constraint === 'workspaces_team_slug_key') {
        throw conflict(`slug ${slug} is already taken in this team`);
      }
      if (constraint === 'workspace_members_member_fkey') {
        throw forbidden('you are not a member of this team');
      }
      throw error;
    }
  }

  /**
   * Deletes a workspace with its content and members, and gives its pages back to the team.
   * @throws DomainError not_found: deleted meanwhile
   */
  async delete({ id, teamId }: { id: string; teamId: string }): Promise<void> {
    await this.database.transaction(async (tx) => {
      const locked = await tx.$queryRaw<unknown[]>`
        SELECT 1 FROM workspaces WHERE id = ${id}::uuid FOR UPDATE`;
      if (locked.length === 0) throw notFound('workspace');
      const pages = await tx.collection.count({ where: { workspaceId: id, object: 'item' } });
      await tx.workspace.delete({ where: { teamId_id: { teamId, id } }, select: { id: true } });
      await this.usage.change(tx, teamId, 'pages', -pages);
      await this.usage.change(tx, teamId, 'workspaces', -1);
    });
  }
}
