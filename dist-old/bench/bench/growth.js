import { operationsWithPages, TEAM_OPERATIONS } from './growth-operations.js';
import { complaints, figure, line, table } from './report.js';
import { Field, shapesOf } from './rounds.js';
const TEAMS = [1, 100, 10_000];
const PAGES = [100, 1_000, 10_000, 100_000];
/** Largest ratio of a move among the most siblings to one among a thousand. */
const MOVE_BOUND = 5;
/** How the service alone does in databases, and in workspaces, of different sizes. */
export async function measureGrowth(databases, loader, options) {
    const measure = async (operations, teams) => {
        const wanted = operations.filter(({ name }) => options.only.length === 0 || options.only.includes(name));
        const shapes = shapesOf(wanted, options.rounds);
        const field = await Field.prepare(databases, ['service'], shapes, teams);
        const results = [];
        for (const operation of wanted) {
            const result = await field.compare(loader, operation, options);
            results.push(result);
            console.log(line(result));
        }
        await field.close();
        return results;
    };
    const byTeams = [];
    for (const teams of TEAMS) {
        console.log(`\n${teams} other teams in the database`);
        byTeams.push(await measure(TEAM_OPERATIONS, teams));
    }
    const byPages = [];
    for (const pages of PAGES) {
        console.log(`\n${pages} pages in the workspace`);
        byPages.push(await measure(operationsWithPages(pages), 0));
    }
    const markdown = [
        'Other teams in the database (each with 20 pages), beside those that the operations use:',
        sizesTable(TEAMS, byTeams),
        'Pages in the workspace, all of them in one collection:',
        sizesTable(PAGES, byPages),
        ...moves(byPages),
        ...complaints([...byTeams, ...byPages].flat()),
    ];
    return { markdown: markdown.join('\n\n'), results: { byTeams, byPages } };
}
/** A row an operation, a column a size: requests a second, or the median latency. */
function sizesTable(sizes, results) {
    const columns = sizes.map((size) => size.toLocaleString('en-US'));
    const most = columns.at(-1);
    const rows = (results[0] ?? []).map(({ operation }, n) => {
        const found = results.map((list) => list[n]);
        const cells = found.map((result) => cell(result));
        const [first, last] = [found[0], found.at(-1)];
        const slowdown = first && last ? slower(first, last) : Number.NaN;
        return [operation.title, String(operation.connections), ...cells, `${figure(slowdown)} ×`];
    });
    return table([
        ['operation', 'connections', ...columns, `time, ${most} : ${columns[0]}`],
        ...rows,
    ]);
}
function cell(result) {
    const values = result?.servers.service;
    if (!result || !values)
        return '';
    return result.operation.compares === 'rate'
        ? `${figure(values.rate)}/s`
        : `${figure(values.p50)} ms`;
}
/** How many times the time of `first` an operation takes in `last`. */
function slower(first, last) {
    const [a, b] = [first.servers.service, last.servers.service];
    if (!a || !b)
        return Number.NaN;
    return first.operation.compares === 'rate' ? a.rate / b.rate : b.p50 / a.p50;
}
/** A move among 100,000 siblings against one among 1,000. */
function moves(byPages) {
    const few = byPages[PAGES.indexOf(1_000)] ?? [];
    const many = byPages.at(-1) ?? [];
    return ['moveAlone', 'reorderItem'].flatMap((name) => {
        const [a, b] = [few, many].map((list) => list.find(({ operation }) => operation.name === name));
        if (!a || !b)
            return [];
        const ratio = slower(a, b);
        const mark = ratio <= MOVE_BOUND ? '✓' : '✗';
        return [
            `${a.operation.title} (connections: ${a.operation.connections}): ${figure(ratio)} times as long among 100,000 siblings as among 1,000 ${mark} (≤ ${MOVE_BOUND}).`,
        ];
    });
}
