import { Injectable } from '@nestjs/common';
import type { AccessContext } from '../access/decide.js';
import type { TeamRole } from '../access/roles.js';
import type { Plan } from '../config/plan-limits.js';
import { Database } from '../database/database.js';
import { isPossibleSlug } from '../database/ids.js';
import { jsonTime } from '../database/json-time.js';
import type { TeamRef } from '../teams/team.js';
import { TeamIds } from '../teams/team-ids.repository.js';
import type { FoundWorkspace, WorkspaceRecord, WorkspaceRef } from './workspace.js';

/** What a look-up found: the team, the caller's role in it, and its workspaces that were asked for. */
export interface FoundInTeam<Found> {
  teamId: string;
  teamRole: TeamRole | null;
  workspaces: Found[];
}

/** A workspace of a list, of which there may be many: PostgreSQL writes its JSON. */
export interface FoundListed extends AccessContext {
  /** What workspace.wire.ts makes of a single one, up to `access` and the closing brace. */
  json: string;
}

/** A team beside one of its workspaces, or beside nothing (no id). */
type Row<Found> = { teamId: string; plan: Plan; teamRole: TeamRole | null } & (
  | (Found & { id: string })
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
  find({ team, slug }: WorkspaceRef, userId: string): Promise<FoundInTeam<FoundWorkspace> | null> {
    // The slug '' is no workspace's: what cannot exist is looked up as what does not.
    const workspaceSlug = isPossibleSlug(slug) ? slug : '';
    return this.ids.resolve(team, async (id, teamSlug) => {
      const values = [id, teamSlug, userId, workspaceSlug];
      const found = toFound(
        await this.database.query<Row<WorkspaceRecord & AccessContext>>(FIND, values),
      );
      // A row is both, as it is.
      const both = (row: WorkspaceRecord & AccessContext) => ({ record: row, context: row });
      return found && { ...found, workspaces: found.workspaces.map(both) };
    });
  }

  /**
   * The workspaces of a team, oldest first, without the private ones that the user has no role in;
   * null: no such team.
   */
  list(team: TeamRef, userId: string): Promise<FoundInTeam<FoundListed> | null> {
    return this.ids.resolve(team, async (id, teamSlug) =>
      toFound(await this.database.query<Row<FoundListed>>(LIST, [id, teamSlug, userId])),
    );
  }
}

function toFound<Found>(rows: readonly Row<Found>[]): FoundInTeam<Found> | null {
  const [first] = rows;
  if (!first) return null;
  const workspaces: Found[] = [];
  for (const row of rows) if (row.id !== null) workspaces.push(row);
  return { teamId: first.teamId, teamRole: first.teamRole, workspaces };
}

const TEAM = 't.id AS "teamId", t.plan, tm.role AS "teamRole", w.id';
const CONTEXT = 'w.visibility, w.default_access AS "defaultAccess"';

// $1 is compared in every table: each statement runs on the one node that has the team.
const FIND = {
  name: 'workspaces.find',
  text: `
    SELECT ${TEAM}, ${CONTEXT}, wm.role AS "workspaceRole", w.slug, w.name, w.description,
      w.tree_stamp AS "treeStamp", w.rebalances, w.created_at AS "createdAt",
      w.updated_at AS "updatedAt"
    FROM teams t
    LEFT JOIN team_members tm ON tm.team_id = $1 AND tm.user_id = $3
    LEFT JOIN workspaces w ON w.team_id = $1 AND w.slug = $4
    LEFT JOIN workspace_members wm
      ON wm.team_id = $1 AND wm.workspace_id = w.id AND wm.user_id = $3
    WHERE t.id = $1 AND t.slug = coalesce($2, t.slug)`,
};

const JSON_TEXT = `
  '{"_id":"' || w.id || '","name":' || to_json(w.name) || ',"description":'
    || to_json(w.description) || ',"defaultAccess":"' || w.default_access
    || '","meta":{"title":' || to_json(w.name) || ',"description":' || to_json(w.description)
    || ',"slug":"' || w.slug || '"},"Visibility":"' || w.visibility
    || '","createdAt":"' || ${jsonTime('w.created_at')}
    || '","updatedAt":"' || ${jsonTime('w.updated_at')} || '"'`;

const LIST = {
  name: 'workspaces.list',
  text: `
    SELECT ${TEAM}, ${CONTEXT}, w."workspaceRole", ${JSON_TEXT} AS json
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
