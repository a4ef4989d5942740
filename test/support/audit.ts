import type { Caller } from './app.js';
import { ok } from './builders.js';

export interface EntryBody {
  _id: string;
  at: string;
  actor: { _id: string; name: string } | null;
  action: string;
  target: { type: string; id: string; name: string | null };
  details: Record<string, unknown>;
  requestId: string | null;
}

/** The audit log of a team, newest first. @param query such as `&action=member.left` */
export const auditLog = (caller: Caller, team: string, query = ''): Promise<EntryBody[]> =>
  ok<EntryBody[]>(caller.get(`/teams/${team}/audit-log?limit=1000${query}`));
