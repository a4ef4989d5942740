import {
  type Config,
  ConfigError,
  type Environment,
  loadConfig,
  nearMisses,
} from '../../config/config.js';

import { clockFinding } from './clock.js';
import { examineDatabase } from './database.js';
import type { Finding } from './finding.js';
import { examineKeys } from './keys.js';
import { examineMail } from './mail.js';
import { examineRedis } from './redis.js';

/** Runs all checks one after the other, and continues after a failure. */
export async function* examine(env: Environment): AsyncGenerator<Finding> {
  const { config, findings } = readConfiguration(env);
  yield* findings;
  for (const says of nearMisses(env)) yield { level: 'warn', check: 'configuration', says };
  const database = await examineDatabase(config, isProduction(env));
  yield* database.findings;
  const keys = await examineKeys(config);
  yield keys.finding;
  yield await examineRedis(config);
  yield await examineMail(config);
  yield clockFinding([...database.clocks, ...keys.clocks]);
}

const isProduction = (env: Environment): boolean => env.NODE_ENV?.trim() === 'production';

/** The configuration without the wrong settings, so that the others can be checked. */
function readConfiguration(env: Environment): { config: Config; findings: Finding[] } {
  const check = 'configuration';
  try {
    const config = loadConfig(env);
    return { config, findings: [findingOf(config, env)] };
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const findings = error.problems.map(
      (problem): Finding => ({ level: 'fail', check, says: `${problem}.` }),
    );
    const named = new Set(error.problems.flatMap((text) => text.match(/\b[A-Z][A-Z_]+\b/g) ?? []));
    const rest = Object.entries(env).filter(([name]) => name !== 'NODE_ENV' && !named.has(name));
    return { config: loadConfig(Object.fromEntries(rest)), findings };
  }
}

function findingOf(config: Config, env: Environment): Finding {
  const check = 'configuration';
  const mode = isProduction(env)
    ? 'for production'
    : 'for development (NODE_ENV is not production)';
  if (isProduction(env) && !env.PUBLIC_URL?.trim()) {
    const says = `${mode}; set PUBLIC_URL to the address that callers use: links currently lead to ${config.publicUrl}.`;
    return { level: 'warn', check, says };
  }
  return { level: 'ok', check, says: `${mode}; links lead to ${config.publicUrl}.` };
}
