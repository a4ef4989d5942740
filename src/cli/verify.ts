import { loadConfig } from '../config/config.js';
import { explained, provideDefaults } from './defaults.js';
import { verifyDatabase } from './verify/invariants.js';

/** Prints each invariant with the count of what breaks it; exits with 1 where one is broken. */
async function main(): Promise<number> {
  const { config, stop } = await provideDefaults(loadConfig(process.env));
  try {
    const findings = await verifyDatabase(config.databaseUrl);
    for (const { name, violations, examples } of findings) {
      console.log(`${violations === 0 ? 'ok    ' : 'BROKEN'}  ${name}: ${violations}`);
      for (const example of examples) console.log(`          ${example}`);
    }
    return findings.some(({ violations }) => violations > 0) ? 1 : 0;
  } catch (error) {
    throw explained(error);
  } finally {
    await stop();
  }
}

main().then(
  (code) => process.exit(code),
  (error: unknown) => {
    console.error(error instanceof Error ? error.message : error);
    process.exit(1);
  },
);
