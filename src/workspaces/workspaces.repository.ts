import { Injectable } from '@nestjs/common';
import { type WorkspaceFacts } from '../access/decide.js';
import type { AccessLevel, TeamRole, Visibility, WorkspaceRole } from '../access/roles.js';
import { Database } from '../database/database.js';
import { isPossibleSlug } from '../database/ids.js';
import type { TeamRef } from '../teams/team.js';
import { isPossible } from '../teams/teams.repository.js';
import type { WorkspaceRef } from './workspace.js';

/** A workspace without a caller. */
export interface WorkspaceRow {
  id: string;
  team_id: string;
  slug: string;
  name: string;
  description: string;
  visibility: Visibility;
  default_access: AccessLevel;
  tree_stamp: string;
  created_at: Date;
  updated_at: Date;
}

/** What a look-up found: the team, the caller's place in it, and the workspace, if there is one. */
export interface FoundWorkspace {
  teamId: string;
  teamRole: TeamRole | null;
  workspace: WorkspaceRow | null;
  facts: WorkspaceFacts | null;
}

type FoundRow = { found_team_id: string; team_role: TeamRole | null } & (
  | (WorkspaceRow & { workspace_role: WorkspaceRole | null })
  | { id: null }
);

/** Reads of workspaces: each is one prepared statement, roles included. */
@Injectable()
export class WorkspacesRepository {
  constructor(private readonly database: Database) {}

  /** The workspace and all that decides on it, in one round trip; null: no such team. */
  async find({ team, slug }: WorkspaceRef, userId: string): Promise<FoundWorkspace | null> {
    if (!isPossible(team)) return null;
    // The slug '' is no workspace's: what cannot exist is looked up as what does not.
    const workspaceSlug = isPossibleSlug(slug) ? slug : '';
    const [row] = await this.database.query<FoundRow>(
      team.slug === undefined ? FIND_BY_TEAM_ID : FIND_BY_TEAM_SLUG,
      [team.slug ?? team.id, workspaceSlug, userId],
    );
    return row ? toFound(row) : null;
  }

  /**
   * The workspaces of a team, oldest first, without the private ones that the user has no role in;
   * null: no such team.
   */
  async list(team: TeamRef, userId: string): Promise<FoundWorkspace[] | null> {
    if (!isPossible(team)) return null;
    const rows = await this.database.query<FoundRow>(
      team.slug === undefined ? LIST_BY_TEAM_ID : LIST_BY_TEAM_SLUG,
      [team.slug ?? team.id, userId],
    );
    return rows.length === 0 ? null : rows.map(toFound);
  }
}

function toFound(row: FoundRow): FoundWorkspace {
  const found = { teamId: row.found_team_id, teamRole: row.team_role };
  if (row.id === null) return { ...found, workspace: null, facts: null };
  return {
    ...found,
    workspace: row,
    facts: {
      teamRole: row.team_role,
      workspaceRole: row.workspace_role,
      visibility: row.visibility,
      defaultAccess: row.default_access,
    },
  };
}

const FIND = `
  SELECT t.id AS found_team_id, tm.role AS team_role, w.*, wm.role AS workspace_role
  FROM teams t
  LEFT JOIN team_members tm ON tm.team_id = t.id AND tm.user_id = $3
  LEFT JOIN workspaces w ON w.team_id = t.id AND w.slug = $2
  LEFT JOIN workspace_members wm ON wm.workspace_id = w.id AND wm.user_id = $3`;
const FIND_BY_TEAM_SLUG = { name: 'workspaces.findBySlug', text: `${FIND} WHERE t.slug = $1` };
const FIND_BY_TEAM_ID = { name: 'workspaces.findById', text: `${FIND} WHERE t.id = $1` };

const LIST = (by: string) => `
  SELECT t.id AS found_team_id, tm.role AS team_role, v.*
  FROM teams t
  LEFT JOIN team_members tm ON tm.team_id = t.id AND tm.user_id = $2
  LEFT JOIN LATERAL (
    SELECT w.*, wm.role AS workspace_role FROM workspaces w
    LEFT JOIN workspace_members wm ON wm.workspace_id = w.id AND wm.user_id = $2
    WHERE w.team_id = t.id AND (w.visibility = 'public' OR wm.role IS NOT NULL)
  ) v ON true
  WHERE ${by} = $1 ORDER BY v.created_at, v.id`;
const LIST_BY_TEAM_SLUG = { name: 'workspaces.listBySlug', text: LIST('t.slug') };
const LIST_BY_TEAM_ID = { name: 'workspaces.listById', text: LIST('t.id') };
