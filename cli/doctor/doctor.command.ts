import type { Command } from '@commander-js/extra-typings';
import { Ended, print, printJson } from 'teamspaces';
import {
  type Config,
  ConfigError,
  type Environment,
  loadConfig,
  nearMisses,
} from 'teamspaces-service/config/config';
import { clockFinding } from './clock.js';
import { type Finding, fail, ok, warn } from './finding.js';

/** `teamspaces doctor`: checks what the service depends on. */
export function addDoctor(program: Command): void {
  program
    .command('doctor')
    .summary('check the configuration and what it depends on')
    .description(
      'Checks the configuration in the environment and what it refers to: database, migrations,\n' +
        'permissions, statistics, index of search, keys, Redis, mail server, webhooks, clock. Prints a line\n' +
        'for each: ok, warn or fail, and what to do.\n' +
        'Exits with status 1 if a check fails. It changes nothing and prints no secrets.',
    )
    .option('--json', 'print the findings as a JSON array')
    .addHelpText('after', '\nExample:\n  npx teamspaces doctor')
    .action(async ({ json = false }) => {
      const findings: Finding[] = [];
      for await (const finding of examine(process.env)) {
        const { level, check, says } = finding;
        if (!json) print(`${level.padEnd(4)}  ${check.padEnd(13)}  ${says}`);
        findings.push(finding);
      }
      if (json) printJson(findings);
      if (findings.some(({ level }) => level === 'fail')) throw new Ended(1);
    });
}

/** Runs all checks one after the other, and continues after a failure. */
async function* examine(env: Environment): AsyncGenerator<Finding> {
  const { config, findings } = readConfiguration(env);
  yield* findings;
  for (const says of nearMisses(env)) yield warn('configuration', says);
  const { examineDatabase } = await import('./database.js');
  const database = await examineDatabase(config, isProduction(env));
  yield* database.findings;
  const { examineKeys, examineMail, examineOutbound, examineRedis } = await import('./services.js');
  const keys = await examineKeys(config);
  yield* keys.findings;
  yield await examineRedis(config);
  yield await examineMail(config);
  yield await examineOutbound(config);
  yield clockFinding([...database.clocks, ...keys.clocks]);
}

/** False for a value that no setting has: that is a finding. */
const isProduction = (env: Environment): boolean => env.NODE_ENV?.trim() === 'production';

/** The configuration without the wrong settings, so that the others can be checked. */
function readConfiguration(env: Environment): { config: Config; findings: Finding[] } {
  try {
    const config = loadConfig(env);
    return { config, findings: [configurationFinding(config, env)] };
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const findings = error.problems.map((problem) => fail('configuration', `${problem}.`));
    const named = new Set(error.problems.flatMap((text) => text.match(/\b[A-Z][A-Z_]+\b/g) ?? []));
    const rest = Object.entries(env).filter(([name]) => name !== 'NODE_ENV' && !named.has(name));
    // What is left may be wrong without them: an issuer without its key set.
    return { config: readConfiguration(Object.fromEntries(rest)).config, findings };
  }
}

function configurationFinding({ publicUrl }: Config, env: Environment): Finding {
  if (!isProduction(env)) {
    const mode = 'for development (NODE_ENV is not production)';
    return ok('configuration', `${mode}; links lead to ${publicUrl}.`);
  }
  if (env.PUBLIC_URL?.trim()) {
    return ok('configuration', `for production; links lead to ${publicUrl}.`);
  }
  return warn(
    'configuration',
    `for production; set PUBLIC_URL to the address that callers use: links currently lead to ${publicUrl}.`,
  );
}
