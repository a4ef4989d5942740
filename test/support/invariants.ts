import { verifyDatabase } from '../../cli/verify/invariants.js';

/** Fails, with the rows to blame, where a database breaks an invariant of the service. */
export async function assertInvariants(databaseUrl: string): Promise<void> {
  const findings = await verifyDatabase(databaseUrl);
  expect(findings.filter(({ violations }) => violations > 0)).toEqual([]);
}
