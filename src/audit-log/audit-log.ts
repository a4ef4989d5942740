import type { AuditAction, AuditTarget } from '../audit/audit-entry.js';

/** An entry of the audit log. */
export interface AuditEntry {
  id: string;
  at: Date;
  /** null: the operator, or the service by itself. */
  actor: { id: string; name: string } | null;
  action: string;
  /** Of a user with the name that they have now. */
  target: AuditTarget;
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

/** An entry as statements with ENTRY read it. */
export type EntryRow = Omit<AuditEntry, 'actor' | 'target'> & {
  actorId: string | null;
  actorName: string | null;
  targetType: AuditTarget['type'];
  targetId: string;
  targetName: string | null;
};

export const toEntry = ({
  actorId,
  actorName,
  targetType: type,
  targetId,
  targetName,
  ...row
}: EntryRow): AuditEntry => ({
  ...row,
  actor: actorId === null || actorName === null ? null : { id: actorId, name: actorName },
  target: { type, id: targetId, name: targetName },
});
