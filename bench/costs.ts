import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './children.js';
import { costName, type Operation } from './operations/operation.js';

/** What an operation of the service sends to PostgreSQL. */
export interface Cost {
  statements: number;
  roundTrips: number;
}

type Golden = Record<string, { statements: string[]; roundTrips: number }>;

const golden = JSON.parse(
  readFileSync(join(ROOT, 'test', 'contract', 'golden', 'costs.json'), 'utf8'),
) as Golden;

/** As the contract's test has counted it; null: a row of several operations. */
export function costOf(operation: Operation): Cost | null {
  const cost = golden[costName(operation) ?? ''];
  return cost ? { statements: cost.statements.length, roundTrips: cost.roundTrips } : null;
}
