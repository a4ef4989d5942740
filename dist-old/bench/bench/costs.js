import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './children.js';
import { costName } from './operations/operation.js';
const golden = JSON.parse(readFileSync(join(ROOT, 'test', 'contract', 'golden', 'costs.json'), 'utf8'));
/** As the contract's test has counted it; null: a row of several operations. */
export function costOf(operation) {
    const cost = golden[costName(operation) ?? ''];
    return cost ? { statements: cost.statements.length, roundTrips: cost.roundTrips } : null;
}
