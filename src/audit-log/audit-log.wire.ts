import {
  AUDIT_ACTIONS,
  type AuditAction,
  TARGET_TYPES,
  type TargetType,
} from '../audit/audit-entries.repository.js';
import { PageCursor, PageLimit, type PageRequest, toPageRequest } from '../http/pagination.js';
import { isoTime } from '../http/record.wire.js';
import { Property, Schema, Time } from '../openapi/property.js';
import { Id, OneOf, QueryTime } from '../validation/fields.js';
import type { AuditEntry, AuditFilter } from './audit-log.repository.js';

/** Entries of a page if the query does not say. */
const USUAL_LIMIT = 100;

/** Query of getAuditLog. */
export class AuditLogQuery {
  @PageLimit(
    `How many entries to show at most; ${USUAL_LIMIT} by default. \`Link: rel=next\` leads to older ones.`,
  )
  limit?: number;

  @PageCursor() cursor?: string;
  @OneOf(AUDIT_ACTIONS, 'Only entries of this action.', { optional: true }) action?: AuditAction;
  @Id('Only what this person did: their `_id`.', { optional: true }) actor?: string;

  @QueryTime('Only entries of this moment or later: ISO 8601, such as `2026-01-31T12:00:00Z`.', {
    optional: true,
  })
  since?: string;

  @QueryTime('Only entries of before this moment: ISO 8601, such as `2026-01-31T12:00:00Z`.', {
    optional: true,
  })
  until?: string;
}

@Schema('Who did it.')
export class AuditActorResponse {
  @Property('Id of the user.') _id!: string;
  @Property('Name, as it is now.') name!: string;
}

@Schema('What an entry of the audit log is about.')
export class AuditTargetResponse {
  @Property('What it is; `item` is a page.', { enum: TARGET_TYPES }) type!: TargetType;
  @Property('Its id; it may be gone.') id!: string;

  @Property(
    'Its name when it happened, or the title of a collection or page; of a user, the name as it is now; null for an invite.',
    {
      nullable: true,
    },
  )
  name!: string | null;
}

@Schema('Who did what in a team, and when.')
export class AuditEntryResponse {
  @Property('Unique id.') _id!: string;
  @Time('When') at!: string;

  @Property("Who; null for the operator's command line, and for what the service does by itself.", {
    type: AuditActorResponse,
    nullable: true,
  })
  actor!: AuditActorResponse | null;

  @Property('What was done: a value of the query parameter `action`.') action!: string;
  @Property('What it was done to.') target!: AuditTargetResponse;

  @Property(
    'Details of the action. `workspaceId`: the workspace in which it was done; `via: "cli"`: by the operator.',
    { type: 'object', additionalProperties: true },
  )
  details!: object;

  @Property('`X-Request-Id` of the request that did it; null if there was none.', {
    nullable: true,
  })
  requestId!: string | null;
}

const toTime = (text: string | undefined) => (text === undefined ? undefined : new Date(text));

/** @throws DomainError bad_request: the cursor does not come from a Link header */
export function toAuditQuery({ action, actor, since, until, limit, cursor }: AuditLogQuery): {
  filter: AuditFilter;
  page: PageRequest & { limit: number };
} {
  const page = toPageRequest({ ...(cursor !== undefined && { cursor }) });
  return {
    filter: { action, actorId: actor, since: toTime(since), until: toTime(until) },
    page: { ...page, limit: limit ?? USUAL_LIMIT },
  };
}

export function serializeEntry(entry: AuditEntry): AuditEntryResponse {
  const { id, at, actorId, actorName, action, workspaceId, details, requestId } = entry;
  const { targetType: type, targetId, targetName } = entry;
  const isInWorkspace = workspaceId !== null && type !== 'workspace';
  return {
    _id: id,
    at: isoTime(at),
    actor: actorId === null || actorName === null ? null : { _id: actorId, name: actorName },
    action,
    target: { type, id: targetId, name: targetName },
    details: { ...(isInWorkspace && { workspaceId }), ...details },
    requestId,
  };
}
