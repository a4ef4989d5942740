import { type ManyRows, manyRows, type PreparedRead } from '@teamspaces/pg-lanes/statements';
import { isListed, isOpen, MAY_READ_AUDIT_LOG } from '../access/access-sql.js';
import type { AuditAction, TargetType } from '../audit/audit-entries.repository.js';
import { isUuid, NO_ID } from '../database/identifiers.js';
import { type PageRequest, pageParameters } from '../http/pagination.js';

/** An entry of the audit log, as statements with ENTRY read it. */
export interface AuditEntry {
  id: string;
  at: Date;
  /** null: the operator, or the service by itself. */
  actorId: string | null;
  actorName: string | null;
  action: string;
  targetType: TargetType;
  targetId: string;
  /** Of a user the name that they have now. */
  targetName: string | null;
  /** The workspace that it is about; null: it is about the team. */
  workspaceId: string | null;
  details: object;
  /** null: no request did it. */
  requestId: string | null;
}

/** Which entries to read; what is absent is not filtered by. */
export interface AuditFilter {
  action?: AuditAction | undefined;
  actorId?: string | undefined;
  /** Only entries of this moment or later. */
  since?: Date | undefined;
  /** Only entries of before this moment. */
  until?: Date | undefined;
}

/**
 * Reads a page of the entries that the caller may see as an owner, newest first, for
 * TeamsService.readForAction(); one row more than the limit tells whether the list continues.
 */
export function readEntries(
  { action, actorId, since, until }: AuditFilter,
  { limit, after }: PageRequest & { limit: number },
): PreparedRead {
  const filters: unknown[] = [];
  if (action !== undefined) filters.push(action);
  if (actorId !== undefined) filters.push(isUuid(actorId) ? actorId : NO_ID);
  const statement =
    LISTS[action === undefined ? 'all' : 'action'][actorId === undefined ? 'all' : 'actor'];
  const values = [...pageParameters({ limit, after }), since ?? null, until ?? null, ...filters];
  return [statement, values];
}

/** The columns of an AuditEntry. */
export const ENTRY = `e.id, e.at, e.actor_id AS "actorId", a.name AS "actorName", e.action,
        e.target_type AS "targetType", e.target_id AS "targetId",
        coalesce(p.name, e.target_name) AS "targetName", e.workspace_id AS "workspaceId", e.details,
        e.request_id AS "requestId"`;

/** Of the entry `e`: the names of people are those that they have now. */
export const NAMES = `LEFT JOIN users a ON a.id = e.actor_id
      LEFT JOIN users p ON e.target_type = 'user' AND p.id = e.target_id`;

/**
 * The scopes of a team, $1, whose entries one of its owners may see: the team itself, and the workspaces
 * that the owner may read now. A workspace in the trash counts as if it were there;
 * after its purge only the visibility that it had counts, which the entry of the purge tells.
 * @param user the parameter with the owner's id
 */
export const scopesOf = (user: string): string => `
        SELECT t.id FROM teams t WHERE t.id = $1
        UNION
        SELECT w.id FROM workspaces w
        LEFT JOIN workspace_members wm
          ON wm.team_id = $1 AND wm.workspace_id = w.id AND wm.user_id = ${user}
        WHERE w.team_id = $1 AND num_nulls(w.purged_at) = 1
          AND ${isListed('w', 'wm')}
        UNION
        SELECT purge.workspace_id FROM audit_entries purge
        WHERE purge.team_id = $1 AND purge.action = 'workspace.purged'
          AND ${isOpen("purge.details ->> 'visibility'")}`;

const utc = (time: string): string => `${time}::timestamptz AT TIME ZONE 'UTC'`;

/**
 * When it happened, as the indexes by scope have it: an index of `at` would read the entries of all
 * scopes in this order, and the planner takes it where it expects most of them to be visible.
 */
const TIME = "(e.at AT TIME ZONE 'UTC')";

/** What the entry `e` is about. */
export const SCOPE = 'coalesce(e.workspace_id, e.team_id)';

/**
 * A statement for each combination of filters: one plan for all of them would use no index.
 *
 * Each scope that the caller may see has an index walk of its own, so that neither the work nor the time
 * depends on the entries of others. The newest entry of each scope comes first: only the scopes of the $6
 * newest ones can be on the page, and no entry that is older than all of these ($6 of them given).
 */
const list = (name: string, filters = ''): ManyRows => {
  const walk = (scope: string, columns: string, bound: string) => `
        SELECT ${columns} FROM audit_entries e
        WHERE e.team_id = $1 AND ${SCOPE} = ${scope}${filters}
          AND (${TIME}, e.id) < (coalesce(${utc('$4')}, 'infinity'), coalesce($5::uuid, '${NO_ID}'))
          AND ${TIME} >= coalesce(${utc('$7')}, '-infinity')
          AND ${TIME} < coalesce(${utc('$8')}, 'infinity')${bound}
        ORDER BY ${TIME} DESC, e.id DESC`;
  return manyRows({
    name,
    text: `
    SELECT t.id AS "teamId", tm.role AS "teamRole", e.*
    FROM teams t
    LEFT JOIN team_members tm ON tm.team_id = $1 AND tm.user_id = $3
    LEFT JOIN LATERAL (
      WITH newest AS MATERIALIZED (
        SELECT scope.id AS scope, e.at, e.id FROM (${scopesOf('$3')}
        ) AS scope CROSS JOIN LATERAL (${walk('scope.id', 'e.at, e.id', '')} LIMIT 1
        ) AS e
        WHERE ${MAY_READ_AUDIT_LOG}
        ORDER BY e.at DESC, e.id DESC LIMIT $6
      ), last AS MATERIALIZED (
        SELECT at, id FROM newest ORDER BY at DESC, id DESC OFFSET $6::bigint - 1
      )
      SELECT ${ENTRY}
      FROM (
        SELECT e.* FROM newest CROSS JOIN LATERAL (${walk(
          'newest.scope',
          'e.*',
          `
          AND (${TIME}, e.id) >= (coalesce((SELECT ${utc('at')} FROM last), '-infinity'),
            coalesce((SELECT id FROM last), '${NO_ID}'))`,
        )} LIMIT $6
        ) AS e
        ORDER BY e.at DESC, e.id DESC LIMIT $6
      ) AS e
      ${NAMES}
    ) e ON true
    WHERE t.id = $1 AND t.slug = coalesce($2, t.slug)
    ORDER BY e.at DESC, e.id DESC`,
  });
};

const LISTS = {
  all: {
    all: list('auditLog.list'),
    actor: list('auditLog.ofActor', ' AND e.actor_id = $9::uuid'),
  },
  action: {
    all: list('auditLog.ofAction', ' AND e.action = $9'),
    actor: list('auditLog.ofActionAndActor', ' AND e.action = $9 AND e.actor_id = $10::uuid'),
  },
};
