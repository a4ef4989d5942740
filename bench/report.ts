import { costOf } from './costs.js';
import type { Operation } from './operations/operation.js';
import type { Compared, Measured } from './rounds.js';
import { SERVERS } from './servers.js';

/** Rows of a table as text with columns of equal width, for a terminal and for Markdown. */
export function table(rows: readonly (readonly string[])[]): string {
  const [head = []] = rows;
  const widths = head.map((_, n) => Math.max(...rows.map((row) => (row[n] ?? '').length)));
  const line = (row: readonly string[]): string =>
    `| ${row.map((cell, n) => (n === 0 ? cell.padEnd(widths[n] ?? 0) : cell.padStart(widths[n] ?? 0))).join(' | ')} |`;
  const rule = `| ${widths.map((width, n) => (n === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`)).join(' | ')} |`;
  return [line(head), rule, ...rows.slice(1).map(line)].join('\n');
}

/** Three significant figures; thousands with a comma. */
export function figure(value: number): string {
  if (value >= 100) return Math.round(value).toLocaleString('en-US');
  return value.toFixed(value >= 10 ? 1 : 2);
}

export const HEADINGS = [
  'operation',
  'connections',
  ...SERVERS.flatMap((name) => [
    ...[`${name}/s`, 'p50 ms', 'p99 ms', 'CPU µs'],
    ...(name === 'service' ? ['statements', 'round trips'] : []),
  ]),
  'vs light',
  'vs fair',
];

/** A row of the table of ratios. */
export function row(result: Compared): string[] {
  const { operation, servers } = result;
  const cells = SERVERS.flatMap((name) => [
    ...measured(servers[name]),
    ...(name === 'service' ? costs(result) : []),
  ]);
  const ratios = BASELINES.map((name) => verdict(result, name));
  return [operation.title, String(operation.connections), ...cells, ...ratios];
}

/** The same in a line, for who waits. */
export function line(result: Compared): string {
  const { operation, servers } = result;
  const unit = operation.compares === 'rate' ? '/s' : ' ms';
  const parts = SERVERS.flatMap((name) => {
    const values = servers[name];
    if (!values) return [];
    return [`${name} ${figure(operation.compares === 'rate' ? values.rate : values.p50)}${unit}`];
  });
  const ratios = BASELINES.filter((name) => result.ratios[name] !== null).map(
    (name) => `vs ${name} ${verdict(result, name)}`,
  );
  const cpu = cpuOf(servers.service);
  const costs = cpu === '' ? [] : [`service CPU ${cpu} µs`];
  return `${operation.name}: ${[...parts, ...ratios, ...costs, ...complaints([result])].join(', ')}`;
}

const BASELINES = ['light', 'fair'] as const;

/** The ratio to a baseline, its bound, and whether it was reached. */
function verdict({ operation, ratios }: Compared, baseline: 'light' | 'fair'): string {
  const ratio = ratios[baseline];
  if (ratio === null) return '';
  const bound = operation[baseline];
  if (bound === null) return figure(ratio);
  const sign = operation.compares === 'rate' ? '≥' : '≤';
  const mark = isReached(operation, ratio, bound) ? '✓' : '✗';
  return `${figure(ratio)} ${mark} (${sign} ${bound})`;
}

function isReached({ compares }: Operation, ratio: number, bound: number): boolean {
  return compares === 'rate' ? ratio >= bound : ratio <= bound;
}

/** Of how many bounds how many are reached. */
export function summary(results: readonly Compared[]): string {
  const reached = results.flatMap(({ operation, ratios }) =>
    BASELINES.flatMap((name) => {
      const [ratio, bound] = [ratios[name], operation[name]];
      return ratio === null || bound === null ? [] : [isReached(operation, ratio, bound)];
    }),
  );
  return `${reached.filter(Boolean).length} of ${reached.length} targets are met.`;
}

/** What a request makes the service send to PostgreSQL: statements and round trips. */
function costs({ operation }: Compared): string[] {
  const cost = costOf(operation);
  return cost ? [String(cost.statements), String(cost.roundTrips)] : ['', ''];
}

function measured(values: Measured | undefined): string[] {
  if (!values) return ['', '', '', ''];
  const mark = values.errors > 0 ? ' !' : '';
  return [
    ...[`${figure(values.rate)}${mark}`, figure(values.p50), figure(values.p99)],
    cpuOf(values),
  ];
}

/** CPU time of the server and of PostgreSQL, in microseconds for a request. */
function cpuOf(values: Measured | undefined): string {
  const { server = null, postgres = null } = values?.cpu ?? {};
  if (server === null) return '';
  return postgres === null ? figure(server) : `${figure(server)} + ${figure(postgres)}`;
}

/** Requests that did not end in 200: a figure with such errors says nothing. */
export function complaints(results: readonly Compared[]): string[] {
  return results.flatMap(({ operation, servers }) =>
    SERVERS.flatMap((name) => {
      const { errors, lastError } = servers[name] ?? { errors: 0, lastError: '' };
      return errors > 0 ? [`${operation.name}, ${name}: ${errors} errors, e.g. ${lastError}`] : [];
    }),
  );
}
