import { parseArgs } from 'node:util';
import pg from 'pg';
import { loadConfig } from '../config/config.js';
import { PLANS, type PlanLimits, RESOURCES } from '../config/plan-limits.js';
import { explained, provideDefaults } from './defaults.js';

const USAGE = `Usage: npm run plan -- --team acme --plan ${PLANS.join('|')}`;

/** Sets a team's plan: the operator's side of billing. The service may be running meanwhile. */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: { team: { type: 'string' }, plan: { type: 'string' } },
  });
  const plan = PLANS.find((known) => known === values.plan);
  if (!values.team || !values.plan) throw new Error(USAGE);
  if (!plan) {
    throw new Error(`There is no plan "${values.plan}": it is one of ${PLANS.join(', ')}.`);
  }
  const { config, stop } = await provideDefaults(loadConfig(process.env));
  try {
    await setPlan(config.databaseUrl, values.team, plan);
    console.log(`${values.team} has the plan ${plan} now: ${describe(config.planLimits[plan])}.`);
  } finally {
    await stop();
  }
}

async function setPlan(databaseUrl: string, team: string, plan: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const { rowCount } = await client.query(
      'UPDATE teams SET plan = $2, updated_at = now() WHERE slug = $1',
      [team, plan],
    );
    if (rowCount === 0) throw new Error(`There is no team with the slug "${team}".`);
  } catch (error) {
    throw explained(error);
  } finally {
    await client.end();
  }
}

const describe = (limits: PlanLimits[keyof PlanLimits]): string =>
  RESOURCES.map((resource) => `${limits[resource] || 'unlimited'} ${resource}`).join(', ');

main().then(
  () => process.exit(0),
  (error: unknown) => {
    const { message, code } = error as Error & { code?: string };
    console.error(message || code || String(error));
    process.exit(1);
  },
);
