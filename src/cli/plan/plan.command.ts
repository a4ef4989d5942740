import { type Command, Option } from '@commander-js/extra-typings';
import { print, printJson } from 'teamspaces';
import { PLANS, type PlanLimits, RESOURCES } from '../../config/plan-limits.js';
import { withDatabase } from '../with-database.js';

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
      withDatabase(async (config) => {
        const { setPlan } = await import('./plan-change.js');
        await setPlan(config, team, plan);
        const limit = config.planLimits[plan];
        if (json) printJson({ team, plan, limit });
        else print(`${team} has the plan ${plan} now: ${describe(limit)}.`);
      }),
    );
}

const describe = (limits: PlanLimits[keyof PlanLimits]): string =>
  RESOURCES.map((resource) => `${limits[resource] || 'unlimited'} ${resource}`).join(', ');
