import { parseArgs } from 'node:util';
const USAGE = `Usage: npm run bench -- [growth | memory] [options]

  (no mode)             compares the service with the two baselines
  growth                the same operations in databases and workspaces of different sizes
  memory                resident memory after the load and over a soak, and the time to start

  --only NAME,NAME      only these operations
  --rounds N            rounds of each operation (3)
  --seconds N           seconds of a round (4)
  --minutes N           length of the soak (10)
  --json FILE           writes the results as JSON, too
  --docs                rewrites the tables and the chart of docs/performance.md
  --database URL        PostgreSQL to create databases on (BENCH_DATABASE_URL; default: an embedded one)`;
/** @throws Error with the usage where the arguments are wrong */
export function parseOptions(args) {
    try {
        return parse(args);
    }
    catch (error) {
        throw new Error(`${error instanceof Error ? error.message : error}\n\n${USAGE}`);
    }
}
function parse(args) {
    const { values, positionals } = parseArgs({
        args,
        allowPositionals: true,
        options: {
            only: { type: 'string', default: '' },
            rounds: { type: 'string', default: '3' },
            seconds: { type: 'string', default: '4' },
            minutes: { type: 'string', default: '10' },
            json: { type: 'string' },
            docs: { type: 'boolean', default: false },
            database: { type: 'string' },
        },
    });
    const [mode = 'ratios', ...more] = positionals;
    if ((mode !== 'ratios' && mode !== 'growth' && mode !== 'memory') || more.length > 0) {
        throw new Error(`Unknown mode: ${positionals.join(' ')}`);
    }
    return {
        mode,
        only: values.only.split(',').filter(Boolean),
        rounds: Math.ceil(number('rounds', values.rounds)),
        seconds: number('seconds', values.seconds),
        minutes: number('minutes', values.minutes),
        json: values.json ?? null,
        docs: values.docs,
        databaseUrl: values.database ?? process.env.BENCH_DATABASE_URL,
    };
}
function number(name, text) {
    const value = Number(text);
    if (!(value > 0))
        throw new Error(`--${name} must be a number above 0`);
    return value;
}
