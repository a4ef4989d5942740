import { z } from 'zod';

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
const MAX_LIMIT = 2_147_483_647;

const Overrides = z.partialRecord(
  z.enum(PLANS),
  z.partialRecord(z.enum(RESOURCES), z.int().min(0).max(MAX_LIMIT)),
);

const FORM = 'must be JSON such as {"free":{"pages":1000}}';

/** Reads PLAN_LIMITS, e.g. `{"free":{"pages":50}}`; omitted limits keep their defaults. */
export const planLimits = z.string().transform((text, context): PlanLimits => {
  const { data, error } = Overrides.safeParse(parseJson(text));
  if (error) {
    for (const issue of error.issues) context.addIssue(`${FORM}${partOf(issue)}`);
    return z.NEVER;
  }
  const limits = structuredClone(DEFAULT_PLAN_LIMITS);
  for (const plan of PLANS) Object.assign(limits[plan], data[plan]);
  return limits;
});

/** What is wrong in the value, after a colon; empty: all of it. */
function partOf({ path, ...issue }: z.core.$ZodIssue): string {
  const [plan, resource] = path.map(String);
  if (issue.code === 'unrecognized_keys') {
    const keys = issue.keys.map((key) => `"${key}"`).join(', ');
    return plan === undefined
      ? `: ${keys} is not a plan (${PLANS.join(', ')})`
      : `: ${keys} in "${plan}" is not a limit (${RESOURCES.join(', ')})`;
  }
  if (resource !== undefined) {
    return `: "${resource}" in "${plan}" must be a whole number from 0 to ${MAX_LIMIT}`;
  }
  return plan === undefined ? '' : `: "${plan}" must be an object`;
}

/** undefined, which JSON cannot express, if the text is not JSON. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
