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
  'service/s',
  'p50 ms',
  'p99 ms',
  'light/s',
  'p50',
  'p99',
  'fair/s',
  'p50',
  'p99',
  'vs light',
  'vs fair',
];

/** A row of the table of ratios. */
export function row({ operation, servers, ratios }: Compared): string[] {
  const cells = SERVERS.flatMap((name) => measured(servers[name]));
  const verdicts = (['light', 'fair'] as const).map((name) => {
    const ratio = ratios[name];
    if (ratio === null) return '';
    const bound = operation[name];
    if (bound === null) return figure(ratio);
    const sign = operation.compares === 'rate' ? '≥' : '≤';
    return `${figure(ratio)} ${isReached(operation.compares, ratio, bound) ? '✓' : '✗'} (${sign} ${bound})`;
  });
  return [operation.title, String(operation.connections), ...cells, ...verdicts];
}

export function isReached(compares: 'rate' | 'latency', ratio: number, bound: number): boolean {
  return compares === 'rate' ? ratio >= bound : ratio <= bound;
}

function measured(values: Measured | undefined): string[] {
  if (!values) return ['', '', ''];
  const mark = values.errors > 0 ? ' !' : '';
  return [`${figure(values.rate)}${mark}`, figure(values.p50), figure(values.p99)];
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
