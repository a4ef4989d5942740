import { type Command, Option } from '@commander-js/extra-typings';
import { print, printJson } from 'teamspaces';
import { OPERATOR, onTeam, record } from 'teamspaces-service/audit/audit-entries.repository';
import {
  PLANS,
  type Plan,
  type PlanLimits,
  RESOURCES,
} from 'teamspaces-service/config/plan-limits';
import type { Transaction } from 'teamspaces-service/database/database';
import { noTeam, withPools } from '../with-database.js';

/** `teamspaces plan`: the operator's side of billing. The service may be running meanwhile. */
export function addPlan(program: Command): void {
  program
    .command('plan')
    .summary("set a team's plan")
    .description(
      "Sets a team's plan, which determines its limits (PLAN_LIMITS). A limit below the team's usage\n" +
        'blocks growth and deletes nothing. The service may be running.',
    )
    .requiredOption('--team <slug>', 'the team')
    .addOption(new Option('--plan <plan>', 'its new plan').choices(PLANS).makeOptionMandatory())
    .option('--json', 'print the team, its plan and its limits as JSON')
    .addHelpText('after', '\nExample:\n  npx teamspaces plan --team acme --plan pro')
    .action(({ team, plan, json = false }) =>
      withPools(async (database, { planLimits }) => {
        await database.transaction((tx) => setPlan(tx, team, plan), { purpose: 'plan' });
        const limit = planLimits[plan];
        if (json) printJson({ team, plan, limit });
        else print(`${team} has the plan ${plan} now: ${describe(limit)}.`);
      }),
    );
}

/** Sets the plan of a team, and records that it changed. @throws Error there is no such team */
async function setPlan(tx: Transaction, slug: string, plan: Plan): Promise<void> {
  const [team] = await tx.query<{ id: string; name: string; plan: Plan }>(LOCK, [slug]);
  if (!team) throw noTeam(slug);
  tx.write(SET_PLAN, [team.id, plan]);
  if (team.plan === plan) return;
  const details = { from: team.plan, to: plan };
  record(tx, team.id, OPERATOR, { action: 'team.plan_changed', ...onTeam(team), details });
}

/** The membership lock of the team: see takeMembershipLock(). */
const LOCK = {
  name: 'plan.lock',
  text: 'SELECT id, name, plan FROM teams WHERE slug = $1 FOR NO KEY UPDATE',
};

const SET_PLAN = {
  name: 'plan.set',
  text: 'UPDATE teams SET plan = $2, updated_at = now() WHERE id = $1',
};

const describe = (limits: PlanLimits[keyof PlanLimits]): string =>
  RESOURCES.map((resource) => `${limits[resource] || 'unlimited'} ${resource}`).join(', ');
