import type { Rows, Statement } from './pipelined-transaction.js';

/**
 * Reads put together into one statement: one snapshot for all of them, and a fraction of the cost of
 * sending each. They share their first `shared` parameters, and end in no semicolon or comment.
 */
export function combineReads(statements: readonly Statement[], shared: number): Statement {
  const values = statements[0]?.[1].slice(0, shared) ?? [];
  const names: string[] = [];
  const texts = statements.map(([{ name, text }, own], part) => {
    names.push(name);
    const offset = values.length - shared;
    values.push(...own.slice(shared));
    const numbered = text.replace(/\$(\d+)/g, (_, digits: string) => {
      const n = Number(digits);
      return `$${n <= shared ? n : n + offset}`;
    });
    return `SELECT ${part} AS part, to_json(found) AS row FROM (${numbered}) AS found`;
  });
  return [{ name: names.join('+'), text: texts.join('\nUNION ALL\n') }, values];
}

/** The rows of each of `count` reads, from what their combination answers; times come as text. */
export function separateReads(rows: Rows, count: number): Rows[] {
  const separate: Rows[] = Array.from({ length: count }, () => []);
  for (const { part, row } of rows) separate[part]?.push(row);
  return separate;
}
