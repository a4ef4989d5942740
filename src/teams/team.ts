import type { TeamRole } from '../access/roles.js';
import type { Limits, Plan } from '../config/plan-limits.js';

/** A team, as one of its members sees it. */
export interface Team {
  id: string;
  slug: string;
  name: string;
  description: string | null;
  logo: string | null;
  plan: Plan;
  inviteCode: string;
  billingCycleStart: Date;
  usage: Limits;
  /** Of the plan; 0 means unlimited. */
  limit: Limits;
  createdAt: Date;
  updatedAt: Date;
  /** The caller's role. */
  role: TeamRole;
}

/** How a request names a team: by slug, by id, or by both, which must then agree. */
export interface TeamRef {
  slug?: string | undefined;
  id?: string | undefined;
}

export interface NewTeam {
  name: string;
  slug: string;
  description?: string | null | undefined;
}

/** What is absent stays; `description: null` clears it. */
export type TeamChanges = Partial<NewTeam>;
