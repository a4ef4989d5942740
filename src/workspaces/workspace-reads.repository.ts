import { Injectable } from '@nestjs/common';
import type { AccessContext } from '../access/decide.js';
import type { TeamRole } from '../access/roles.js';
import {
  Database,
  type PreparedRead,
  type PreparedStatement,
  type Reader,
} from '../database/database.js';
import { isPossibleSlug } from '../database/ids.js';
import { jsonTime } from '../database/pipelined-transaction.js';
import type { TeamRef } from '../teams/team.js';
import { TeamReadsRepository } from '../teams/team-reads.repository.js';
import type { WorkspaceMember } from './members/workspace-members.repository.js';
import type { FoundWorkspace, WorkspaceKey, WorkspaceRef } from './workspace.js';

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

/** A workspace as a statement of inWorkspace() finds it, with what else that statement reads. */
export type InWorkspace<Columns> = Columns & AccessContext & WorkspaceKey;

/** A team beside one of its workspaces, or beside nothing (no id). */
type Row<Found> = { teamId: string; teamRole: TeamRole | null } & (
  | (Found & { id: string })
  | { id: null }
);

/** The reads of workspaces that are called all the time: prepared SQL, roles included. */
@Injectable()
export class WorkspaceReadsRepository {
  constructor(
    private readonly database: Database,
    private readonly teams: TeamReadsRepository,
  ) {}

  /**
   * The workspace, all that decides on access to it, and what the statement reads of it, in one
   * round trip (two if the slug of the team is new to this process); null: no such team.
   * @param statement one of inWorkspace(), and its values from $5 on
   * @returns a row for each that the statement finds in the workspace, at least one
   */
  find<Columns>(
    { team, slug }: WorkspaceRef,
    userId: string,
    [statement, values]: PreparedRead = [FIND, []],
  ): Promise<FoundInTeam<InWorkspace<Columns>> | null> {
    // The slug '' is no workspace's: what cannot exist is looked up as what does not.
    const workspaceSlug = isPossibleSlug(slug) ? slug : '';
    return this.teams.resolve(team, async (id, teamSlug) => {
      const all = [id, teamSlug, userId, workspaceSlug, ...values];
      const by = { callerId: userId, teamId: id };
      return toFound(await this.database.query<Row<InWorkspace<Columns>>>(statement, all, by));
    });
  }

  /**
   * The workspaces of a team, oldest first, without the private ones that the user has no role in;
   * null: no such team.
   */
  list(team: TeamRef, userId: string): Promise<FoundInTeam<FoundListed> | null> {
    return this.teams.resolve(team, async (id, teamSlug) =>
      toFound(await this.database.query<Row<FoundListed>>(LIST, [id, teamSlug, userId])),
    );
  }
}

/** The same by id: within a transaction slugs may change. @returns null: it is gone */
export async function findWorkspace(
  reader: Reader,
  { teamId, id }: WorkspaceKey,
  userId: string,
): Promise<FoundWorkspace | null> {
  const rows = await reader.query<Row<FoundWorkspace>>(FIND_BY_ID, [teamId, null, userId, id]);
  return toFound(rows)?.workspaces[0] ?? null;
}

function toFound<Found>(rows: readonly Row<Found>[]): FoundInTeam<Found> | null {
  const [first] = rows;
  if (!first) return null;
  const workspaces: Found[] = [];
  for (const row of rows) if (row.id !== null) workspaces.push(row);
  return { teamId: first.teamId, teamRole: first.teamRole, workspaces };
}

const TEAM = 't.id AS "teamId", tm.role AS "teamRole", w.id';
const CONTEXT = 'w.visibility, w.default_access AS "defaultAccess"';

/** By id, an index that leaves out the deleted ones must not look useful: the planner would read a team's workspaces. */
const ALIVE = {
  slug: 'w.slug = $4 AND w.deleted_at IS NULL',
  id: 'w.id = $4 AND num_nulls(w.deleted_at) = 1',
};

/**
 * A statement for find(). $1 is compared in every table: it runs on the one node that has the team.
 * @param columns to read beside the access to the workspace `w`
 * @param joins where they come from; parameters from $5 on
 */
export const inWorkspace = (
  name: string,
  columns: string,
  joins = '',
  order = '',
  by: 'slug' | 'id' = 'slug',
): PreparedStatement => ({
  name,
  text: `
    SELECT ${TEAM}, ${CONTEXT}, wm.role AS "workspaceRole", ${columns}
    FROM teams t
    LEFT JOIN team_members tm ON tm.team_id = $1 AND tm.user_id = $3
    LEFT JOIN workspaces w ON w.team_id = $1 AND ${ALIVE[by]}
    LEFT JOIN workspace_members wm
      ON wm.team_id = $1 AND wm.workspace_id = w.id AND wm.user_id = $3${joins}
    WHERE t.id = $1 AND t.slug = coalesce($2, t.slug)${order}`,
});

const RECORD = `t.plan, w.slug, w.name, w.description, w.tree_stamp AS "treeStamp", w.rebalances,
      w.created_at AS "createdAt", w.updated_at AS "updatedAt"`;
const FIND = inWorkspace('workspaces.find', RECORD);
const FIND_BY_ID = inWorkspace('workspaces.findById', RECORD, '', '', 'id');

/** A row of MEMBERS; nobody has a role of their own where `userId` is null. */
export type WorkspaceMemberRow = Omit<WorkspaceMember, 'id'> & { userId: string | null; at: Date };

/** A page of the members, the longest-standing first, as readPage() asks for it. */
export const MEMBERS = inWorkspace(
  'workspaces.members',
  'm."userId", m.at, p.name, p.email, p.image, m.role',
  `
    LEFT JOIN LATERAL (
      SELECT user_id AS "userId", created_at AS at, role FROM workspace_members
      WHERE team_id = $1 AND workspace_id = w.id
        AND ($5::timestamptz IS NULL OR (created_at, user_id) > ($5, $6::uuid))
      ORDER BY created_at, user_id LIMIT $7
    ) m ON true
    LEFT JOIN users p ON p.id = m."userId"`,
  ' ORDER BY m.at, m."userId"',
);

const JSON_TEXT = `
  '{"_id":"' || w.id || '","name":' || to_json(w.name) || ',"description":'
    || to_json(w.description) || ',"defaultAccess":"' || w.default_access
    || '","meta":{"title":' || to_json(w.name) || ',"description":' || to_json(w.description)
    || ',"slug":"' || w.slug || '"},"Visibility":"' || w.visibility
    || '","version":"' || w.tree_stamp
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
      WHERE w.team_id = $1 AND w.deleted_at IS NULL
        AND (w.visibility = 'public' OR wm.role IS NOT NULL)
    ) w ON true
    WHERE t.id = $1 AND t.slug = coalesce($2, t.slug)
    ORDER BY w.created_at, w.id`,
};
