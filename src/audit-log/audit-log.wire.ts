import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import {
  AUDIT_ACTIONS,
  type AuditAction,
  TARGET_TYPES,
  type TargetType,
} from '../audit/audit-entries.repository.js';
import { PageCursor, PageLimit, type PageRequest, toPageRequest } from '../http/pagination.js';
import { isoTime, Time } from '../http/record.wire.js';
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

  @PageCursor()
  cursor?: string;

  @OneOf(AUDIT_ACTIONS, { optional: true, description: 'Only entries of this action.' })
  action?: AuditAction;

  @Id({ optional: true, description: 'Only what this person did: their `_id`.' })
  actor?: string;

  @QueryTime({
    optional: true,
    description: 'Only entries of this moment or later: ISO 8601, such as `2026-01-31T12:00:00Z`.',
  })
  since?: string;

  @QueryTime({
    optional: true,
    description: 'Only entries of before this moment: ISO 8601, such as `2026-01-31T12:00:00Z`.',
  })
  until?: string;
}

@ApiSchema({ name: 'AuditActor', description: 'Who did it.' })
export class AuditActorResponse {
  @ApiProperty({ description: 'Id of the user.' })
  _id!: string;

  @ApiProperty({ description: 'Name, as it is now.' })
  name!: string;
}

@ApiSchema({ name: 'AuditTarget', description: 'What an entry of the audit log is about.' })
export class AuditTargetResponse {
  @ApiProperty({
    enum: TARGET_TYPES,
    description: 'What it is; `item` is a page.',
  })
  type!: TargetType;

  @ApiProperty({ description: 'Its id; it may be gone.' })
  id!: string;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'Its name when it happened; of a user, the name as it is now; null for an invite.',
  })
  name!: string | null;
}

@ApiSchema({ name: 'AuditEntry', description: 'Who did what in a team, and when.' })
export class AuditEntryResponse {
  @ApiProperty({ description: 'Unique id.' })
  _id!: string;

  @Time('When')
  at!: string;

  @ApiProperty({
    type: AuditActorResponse,
    nullable: true,
    description:
      "Who; null for the operator's command line, and for what the service does by itself.",
  })
  actor!: AuditActorResponse | null;

  @ApiProperty({
    description: 'What was done: a value of the query parameter `action`.',
  })
  action!: string;

  @ApiProperty({ description: 'What it was done to.' })
  target!: AuditTargetResponse;

  @ApiProperty({
    type: 'object',
    additionalProperties: true,
    description:
      'Details of the action. `workspaceId`: the workspace in which it was done; `via: "cli"`: by the operator.',
  })
  details!: object;

  @ApiProperty({
    type: String,
    nullable: true,
    description: '`X-Request-Id` of the request that did it; null if there was none.',
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
