import { chart } from './chart.js';
import { runCommand } from './children.js';
import { assertEqualResponses, CHECK_SHAPES } from './equal.js';
import { OPERATIONS } from './operations.js';
import { complaints, HEADINGS, line, row, summary, table } from './report.js';
import { Field, shapesOf } from './rounds.js';
import { SERVERS } from './servers.js';
/** The service beside the two baselines. */
export async function compareAll(databases, loader, options) {
    const operations = chosen(options.only);
    const shapes = [...CHECK_SHAPES, ...shapesOf(operations, options.rounds)];
    const field = await Field.prepare(databases, SERVERS, shapes, 0);
    await assertEqualResponses(field.servers, field.template);
    console.log('The responses of all three are equal.');
    const results = [];
    for (const operation of operations) {
        const result = await field.compare(loader, operation, options);
        results.push(result);
        console.log(line(result));
    }
    await verify(field);
    await field.close();
    const remarks = [...complaints(results), summary(results)].join('\n');
    return {
        markdown: `${table([HEADINGS, ...results.map(row)])}\n\n${remarks}`,
        results,
        files: { 'performance.svg': chart(results.filter(isCompared)) },
    };
}
/** The chart shows ratios: other rows have nothing to show. */
const isCompared = ({ ratios }) => ratios.light !== null || ratios.fair !== null;
/** Those that promise so have kept every invariant. @throws Error where one has not */
async function verify(field) {
    for (const [n, { name }] of field.servers.entries()) {
        if (name === 'light')
            continue;
        await runCommand('verify', { DATABASE_URL: field.urls[n] ?? '' });
        console.log(`After the load the database of ${name} keeps every invariant.`);
    }
}
/** @throws Error for a name that is none of an operation */
export function chosen(names) {
    const known = OPERATIONS.map(({ name }) => name);
    const unknown = names.filter((name) => !known.includes(name));
    if (unknown.length > 0) {
        throw new Error(`Unknown operations: ${unknown.join(', ')}; known: ${known.join(', ')}`);
    }
    return names.length === 0 ? OPERATIONS : OPERATIONS.filter(({ name }) => names.includes(name));
}
