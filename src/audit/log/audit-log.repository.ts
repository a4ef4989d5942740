import { Injectable } from '@nestjs/common';
import type { PreparedRead, PreparedStatement } from '../../database/database.js';
import { isUuid } from '../../database/ids.js';
import type { PageRequest } from '../../http/pagination.js';
import type { AuditFilter } from './audit-log.js';

/** What no entry has: an id that could not exist is nobody's. */
const NOBODY = '00000000-0000-0000-0000-000000000000';

/** The reads of the audit log: prepared SQL, the caller's role included. */
@Injectable()
export class AuditLogRepository {
  /**
   * Reads a page of the entries that the caller may see as an owner, newest first, for
   * TeamsService.readForAction(); one row more than the limit tells whether the list continues.
   */
  list(
    { action, actorId, since, until }: AuditFilter,
    { limit, after }: PageRequest & { limit: number },
  ): PreparedRead {
    const filters: unknown[] = [];
    if (action !== undefined) filters.push(action);
    if (actorId !== undefined) filters.push(isUuid(actorId) ? actorId : NOBODY);
    const statement = LISTS[action === undefined ? 'all' : 'action'][
      actorId === undefined ? 'all' : 'actor'
    ] as PreparedStatement;
    const from = [after?.at ?? null, after?.id ?? null];
    // Entries that the caller may not see are passed over, of which there may be any number.
    return [
      { ...statement, many: true },
      [...from, limit + 1, since ?? null, until ?? null, ...filters],
    ];
  }
}

/** The columns of an EntryRow. */
export const ENTRY = `e.id, e.at, e.actor_id AS "actorId", a.name AS "actorName", e.action,
        e.target_type AS "targetType", e.target_id AS "targetId",
        coalesce(p.name, e.target_name) AS "targetName", e.workspace_id AS "workspaceId", e.details,
        e.request_id AS "requestId"`;

/** Where they come from: the names of people are those that they have now. */
export const FROM_ENTRIES = `audit_entries e
      LEFT JOIN users a ON a.id = e.actor_id
      LEFT JOIN users p ON e.target_type = 'user' AND p.id = e.target_id`;

/**
 * The entries of a team, $1, that one of its owners may see: those about the team, and those about the
 * workspaces that the owner may see now, which decide() says too. A workspace in the trash counts as if it
 * were there; after its purge only the visibility that it had counts, which the entry of the purge tells.
 * @param user the parameter with the owner's id
 */
export const visibleTo = (user: string): string => `(
          e.workspace_id IS NULL OR e.workspace_id IN (
            SELECT w.id FROM workspaces w
            LEFT JOIN workspace_members wm
              ON wm.team_id = $1 AND wm.workspace_id = w.id AND wm.user_id = ${user}
            WHERE w.team_id = $1 AND w.purged_at IS NULL
              AND (w.visibility = 'public' OR wm.role IS NOT NULL)
            UNION ALL
            SELECT purge.workspace_id FROM audit_entries purge
            WHERE purge.team_id = $1 AND purge.action = 'workspace.purged'
              AND purge.details ->> 'visibility' = 'public'
          )
        )`;

/** A statement for each combination of filters: one plan for all of them would use no index. */
const list = (name: string, filters = ''): PreparedStatement => ({
  name,
  text: `
    SELECT t.id AS "teamId", tm.role AS "teamRole", e.*
    FROM teams t
    LEFT JOIN team_members tm ON tm.team_id = $1 AND tm.user_id = $3
    LEFT JOIN LATERAL (
      SELECT ${ENTRY}
      FROM ${FROM_ENTRIES}
      WHERE e.team_id = $1 AND tm.role = 'owner'${filters}
        AND (e.at, e.id) < (coalesce($4::timestamptz, 'infinity'), coalesce($5::uuid, '${NOBODY}'))
        AND e.at >= coalesce($7::timestamptz, '-infinity')
        AND e.at < coalesce($8::timestamptz, 'infinity')
        AND ${visibleTo('$3')}
      ORDER BY e.at DESC, e.id DESC LIMIT $6
    ) e ON true
    WHERE t.id = $1 AND t.slug = coalesce($2, t.slug)
    ORDER BY e.at DESC, e.id DESC`,
});

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
