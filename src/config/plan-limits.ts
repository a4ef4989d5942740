/** Team plans (contract, "States and transitions"). */
export const PLANS = ['free', 'pro', 'business', 'enterprise'] as const;
export type Plan = (typeof PLANS)[number];

/** What a plan limits, and what `usage` counts. */
export const RESOURCES = ['pages', 'users', 'workspaces'] as const;
export type Resource = (typeof RESOURCES)[number];

/** 0 means unlimited. */
export type Limits = Record<Resource, number>;
export type PlanLimits = Record<Plan, Limits>;

/** Decisions, section 4.6. */
export const DEFAULT_PLAN_LIMITS: PlanLimits = {
  free: { pages: 1_000, users: 20, workspaces: 10 },
  pro: { pages: 50_000, users: 200, workspaces: 100 },
  business: { pages: 1_000_000, users: 2_000, workspaces: 1_000 },
  enterprise: { pages: 0, users: 0, workspaces: 0 },
};

/** Largest limit: counters are 32-bit integers in the database. */
const LARGEST = 2_147_483_647;

/**
 * Reads PLAN_LIMITS, e.g. `{"free":{"pages":50}}`; what it leaves out keeps its default.
 * Problems are added to `problems`.
 */
export function parsePlanLimits(text: string | null, problems: string[]): PlanLimits | null {
  if (text === null) return null;
  const problem = `PLAN_LIMITS must be JSON such as {"free":{"pages":1000}}, with plans ${PLANS.join(', ')}, limits ${RESOURCES.join(', ')}, and whole numbers from 0`;
  const limits = structuredClone(DEFAULT_PLAN_LIMITS);
  let given: unknown;
  try {
    given = JSON.parse(text);
  } catch {
    given = null;
  }
  if (!isRecord(given)) {
    problems.push(problem);
    return null;
  }
  for (const [plan, changes] of Object.entries(given)) {
    const target = PLANS.find((known) => known === plan);
    const entries = isRecord(changes) ? Object.entries(changes) : null;
    const valid = entries?.every(
      ([resource, limit]) =>
        RESOURCES.some((known) => known === resource) &&
        Number.isInteger(limit) &&
        (limit as number) >= 0 &&
        (limit as number) <= LARGEST,
    );
    if (!target || !valid) {
      problems.push(problem);
      return null;
    }
    Object.assign(limits[target], changes);
  }
  return limits;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
