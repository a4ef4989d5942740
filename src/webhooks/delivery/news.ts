import type { WebhookEvent } from '../webhook.js';
import { MIN_PAUSE } from './schedule.js';

// What a round has to do. Pure: the round reads, and writes what this returns.

/** An enabled webhook. */
export interface Subscription {
  teamId: string;
  id: string;
  events: WebhookEvent[];
  /** null: all. */
  workspaceIds: string[] | null;
  /** Changes of before are not told. */
  since: Date;
}

/** How far a webhook was told of a scope: a workspace, or the team. */
export interface ScopeState {
  webhookId: string;
  scopeId: string;
  /** Of the tree where the newest message ended; null: of the team. */
  stamp: string | null;
  /** It is going to be looked at anyway. */
  isDue: boolean;
  /** The last attempt. */
  sentAt: Date | null;
  /** Of the team: the audit log at the last look. */
  seenAt: Date | null;
  seenTotal: number | null;
}

/** The state of a workspace's tree. */
export interface Head {
  teamId: string;
  id: string;
  stamp: string;
  /** When it changed last; null: too long ago for the log. */
  changedAt: Date | null;
  /** Changes of earlier versions need not be looked for. */
  firstVersion: number;
}

/** A scope with something to tell. */
export interface Due {
  teamId: string;
  webhookId: string;
  scopeId: string;
  at: Date;
}

/** A scope that has no state yet, and the change that is its first. */
export interface Fresh extends Omit<Due, 'at'> {
  since: Date;
  firstVersion: number;
}

/**
 * Milliseconds by which times of changes may be wrong: they are drawn before the commit, and clocks of nodes
 * differ.
 */
export const OVERLAP = 60_000;

/** Finds a state by its webhook and its scope. */
export const keyOf = (webhookId: string, scopeId: string): string => `${webhookId} ${scopeId}`;

/**
 * Decides what there is to tell: where a tree has another stamp than at the end of the newest message, or the
 * audit log more entries than at the last look. Times decide only for a scope that has no state: whether it has
 * changed since the webhook began.
 * @param entries of the audit log since the last look, by webhook; absent: nobody has counted
 */
export function findNews(
  subscriptions: readonly Subscription[],
  states: ReadonlyMap<string, ScopeState>,
  heads: readonly Head[],
  entries: ReadonlyMap<string, number>,
  now: Date,
): { due: Due[]; fresh: Fresh[] } {
  const headsOf = new Map<string, Head[]>();
  for (const head of heads) {
    const known = headsOf.get(head.teamId);
    if (known) known.push(head);
    else headsOf.set(head.teamId, [head]);
  }
  const due: Due[] = [];
  const fresh: Fresh[] = [];
  for (const { teamId, id: webhookId, events, workspaceIds, since } of subscriptions) {
    const mark = ({ scopeId, sentAt }: ScopeState) => {
      const earliest = (sentAt?.getTime() ?? 0) + MIN_PAUSE;
      due.push({ teamId, webhookId, scopeId, at: new Date(Math.max(now.getTime(), earliest)) });
    };
    const ofTeam = states.get(keyOf(webhookId, teamId));
    const counted = entries.get(webhookId);
    const isNews = counted !== undefined && counted !== ofTeam?.seenTotal;
    if (events.includes('team.changed') && ofTeam && !ofTeam.isDue && isNews) mark(ofTeam);
    if (!events.includes('workspace.changed')) continue;
    for (const { id: scopeId, stamp, changedAt, firstVersion } of headsOf.get(teamId) ?? []) {
      if (workspaceIds !== null && !workspaceIds.includes(scopeId)) continue;
      const state = states.get(keyOf(webhookId, scopeId));
      const isLater = changedAt !== null && changedAt.getTime() >= since.getTime() - OVERLAP;
      if (!state && isLater) fresh.push({ teamId, webhookId, scopeId, since, firstVersion });
      if (state && !state.isDue && state.stamp !== stamp) mark(state);
    }
  }
  return { due, fresh };
}
