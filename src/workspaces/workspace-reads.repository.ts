import { Injectable } from '@nestjs/common';
import type { TeamRole, WorkspaceRole } from '../access/roles.js';
import type { Plan } from '../config/plan-limits.js';
import { Database } from '../database/database.js';
import { isPossibleSlug } from '../database/ids.js';
import type { TeamRef } from '../teams/team.js';
import { TeamIds } from '../teams/team-ids.repository.js';
import type { FoundWorkspace, WorkspaceRecord, WorkspaceRef } from './workspace.js';

/** What a look-up found: the team, the caller's role in it, and its workspaces that were asked for. */
export interface FoundInTeam {
  teamId: string;
  teamRole: TeamRole | null;
  workspaces: FoundWorkspace[];
}

/** A team beside one of its workspaces, or beside nothing. */
type Row = { teamId: string; plan: Plan; teamRole: TeamRole | null } & (
  | (Omit<WorkspaceRecord, 'teamId' | 'plan'> & { workspaceRole: WorkspaceRole | null })
  | { id: null }
);

/** The reads of workspaces that are called all the time: prepared SQL, roles included. */
@Injectable()
export class WorkspaceReadsRepository {
  constructor(
    private readonly database: Database,
    private readonly ids: TeamIds,
  ) {}

  /**
   * The workspace and all that decides on access to it, in one round trip (two where the slug of
   * the team is new to this process); null: no such team.
   */
  find({ team, slug }: WorkspaceRef, userId: string): Promise<FoundInTeam | null> {
    // The slug '' is no workspace's: what cannot exist is looked up as what does not.
    const workspaceSlug = isPossibleSlug(slug) ? slug : '';
    return this.ids.resolve(team, async (id, teamSlug) =>
      toFound(await this.database.query<Row>(FIND, [id, teamSlug, userId, workspaceSlug])),
    );
  }

  /**
   * The workspaces of a team, oldest first, without the private ones that the user has no role in;
   * null: no such team.
   */
  list(team: TeamRef, userId: string): Promise<FoundInTeam | null> {
    return this.ids.resolve(team, async (id, teamSlug) =>
      toFound(await this.database.query<Row>(LIST, [id, teamSlug, userId])),
    );
  }
}

function toFound(rows: Row[]): FoundInTeam | null {
  const [first] = rows;
  if (!first) return null;
  return { teamId: first.teamId, teamRole: first.teamRole, workspaces: rows.flatMap(toWorkspace) };
}

function toWorkspace(row: Row): FoundWorkspace[] {
  if (row.id === null) return [];
  const { teamRole, workspaceRole, ...record } = row;
  const { visibility, defaultAccess } = record;
  return [{ record, context: { teamRole, workspaceRole, visibility, defaultAccess } }];
}

const COLUMNS = `t.id AS "teamId", t.plan, tm.role AS "teamRole", w.id, w.slug, w.name,
  w.description, w.visibility, w.default_access AS "defaultAccess", w.tree_stamp AS "treeStamp",
  w.rebalances, w.created_at AS "createdAt", w.updated_at AS "updatedAt"`;

// $1 is compared in every table: each statement runs on the one node that has the team.
const FIND = {
  name: 'workspaces.find',
  text: `
    SELECT ${COLUMNS}, wm.role AS "workspaceRole"
    FROM teams t
    LEFT JOIN team_members tm ON tm.team_id = $1 AND tm.user_id = $3
    LEFT JOIN workspaces w ON w.team_id = $1 AND w.slug = $4
    LEFT JOIN workspace_members wm
      ON wm.team_id = $1 AND wm.workspace_id = w.id AND wm.user_id = $3
    WHERE t.id = $1 AND t.slug = coalesce($2, t.slug)`,
};

const LIST = {
  name: 'workspaces.list',
  text: `
    SELECT ${COLUMNS}, w."workspaceRole"
    FROM teams t
    LEFT JOIN team_members tm ON tm.team_id = $1 AND tm.user_id = $3
    LEFT JOIN (
      SELECT w.*, wm.role AS "workspaceRole"
      FROM workspaces w
      LEFT JOIN workspace_members wm
        ON wm.team_id = $1 AND wm.workspace_id = w.id AND wm.user_id = $3
      WHERE w.team_id = $1 AND (w.visibility = 'public' OR wm.role IS NOT NULL)
    ) w ON true
    WHERE t.id = $1 AND t.slug = coalesce($2, t.slug)
    ORDER BY w.created_at, w.id`,
};
