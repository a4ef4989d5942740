import type { WorkspaceKey } from '../../workspaces/workspace.js';
import type { LogPlace } from './page-index.repository.js';

/** A workspace whose index is behind. */
export interface BehindWorkspace extends WorkspaceKey {
  /** When the first change was made that its index does not have, as far as that is known, in milliseconds. */
  since: number;
  /** Where its log is read on, if that is after the position of the index: a page before it has to wait. */
  cursor: LogPlace | null;
  /** When it has its next turn at the earliest, in milliseconds. */
  dueAt: number;
}

/**
 * Workspaces whose index is behind. Teams take turns, and so do the workspaces of a team: nobody waits for the
 * backlog of another team for longer than one portion of it.
 */
export class IndexQueue {
  /** Workspaces by team, each in the order of their turns. */
  private readonly teams = new Map<string, Map<string, BehindWorkspace>>();

  /** Adds a workspace, or leaves it in its place. @param since as in BehindWorkspace */
  add({ teamId, id }: WorkspaceKey, since: number): void {
    const team = this.teams.get(teamId) ?? new Map<string, BehindWorkspace>();
    if (!team.has(id)) team.set(id, { teamId, id, since, cursor: null, dueAt: 0 });
    this.teams.set(teamId, team);
  }

  /** Whose turn it is; it and its team come last from then on. @returns null: nobody's now */
  next(now: number): BehindWorkspace | null {
    for (const [teamId, team] of this.teams) {
      for (const [id, workspace] of team) {
        if (workspace.dueAt > now) continue;
        team.delete(id);
        team.set(id, workspace);
        this.teams.delete(teamId);
        this.teams.set(teamId, team);
        return workspace;
      }
    }
    return null;
  }

  /** Removes a workspace whose index has all. */
  remove({ teamId, id }: WorkspaceKey): void {
    const team = this.teams.get(teamId);
    team?.delete(id);
    if (team?.size === 0) this.teams.delete(teamId);
  }

  clear(): void {
    this.teams.clear();
  }

  /** The oldest `since` in milliseconds; null: nothing is behind. */
  get oldest(): number | null {
    let oldest: number | null = null;
    for (const team of this.teams.values()) {
      for (const { since } of team.values()) oldest = Math.min(oldest ?? since, since);
    }
    return oldest;
  }
}
