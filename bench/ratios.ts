import { writeFileSync } from 'node:fs';
import type { Databases } from './databases.js';
import { assertEqualAnswers, CHECK_SHAPES } from './equal.js';
import type { Loader } from './load.js';
import { OPERATIONS, type Operation } from './operations.js';
import type { Options } from './options.js';
import { complaints, HEADINGS, row, table } from './report.js';
import { type Compared, Field, shapesOf } from './rounds.js';
import { SERVERS } from './servers.js';

/** The service beside the two baselines. */
export async function compareAll(
  databases: Databases,
  loader: Loader,
  options: Options,
): Promise<void> {
  const operations = chosen(options.only);
  const shapes = [...CHECK_SHAPES, ...shapesOf(operations, options.rounds)];
  const field = await Field.prepare(databases, SERVERS, shapes, 0);
  await assertEqualAnswers(field.servers, field.template);
  console.log('The answers of all three are equal.\n');
  const results: Compared[] = [];
  for (const operation of operations) {
    const result = await field.compare(loader, operation, options);
    results.push(result);
    console.log(
      table([HEADINGS, row(result)])
        .split('\n')
        .at(results.length === 1 ? 0 : 2),
    );
  }
  console.log(`\n${table([HEADINGS, ...results.map(row)])}`);
  for (const line of complaints(results)) console.log(line);
  if (options.json) writeFileSync(options.json, JSON.stringify(results, null, 2));
  await field.close();
}

function chosen(names: readonly string[]): readonly Operation[] {
  const known = OPERATIONS.map(({ name }) => name);
  const unknown = names.filter((name) => !known.includes(name));
  if (unknown.length > 0) {
    throw new Error(`Unknown operations: ${unknown.join(', ')}; known: ${known.join(', ')}`);
  }
  return names.length === 0 ? OPERATIONS : OPERATIONS.filter(({ name }) => names.includes(name));
}
