import { createHash } from 'node:crypto';
import type pg from 'pg';

// The kinds of statements. A kind says what a statement may cost, and so on which connections it runs: see
// Lanes.query(). A statement without a kind runs within a transaction only, on a connection of its own.

/** A statement that is prepared once per connection, under its name. `never`: its caller says what its rows are. */
export interface Named<Row = never> {
  name: string;
  text: string;
  /** A row that it returns: of the types alone. */
  readonly row?: Row;
}

/**
 * A read that finds its rows by keys: it returns at most `rows` rows, and walks no more of any table than a few
 * for each of them, however much the caller, the team or the database has, and before the first ANALYZE, too. The
 * only kind that runs on the connections that all callers share.
 */
export interface PointRead<Row = never> extends Named<Row> {
  kind: 'point';
  rows: number;
}

/** A read that may return any number of rows: they come in portions, with other callers in between. */
export interface ManyRows<Row = never> extends Named<Row> {
  kind: 'many';
}

/** A read that may walk any number of rows, and returns few. */
export interface Scan<Row = never> extends Named<Row> {
  kind: 'scan';
}

/** A statement that writes, and so may wait for a lock: a transaction of its own. */
export interface Write<Row = never> extends Named<Row> {
  kind: 'write';
}

export type ReadStatement<Row = never> = PointRead<Row> | ManyRows<Row> | Scan<Row>;

/** What Lanes.query() takes. */
export type PreparedStatement<Row = never> = ReadStatement<Row> | Write<Row>;

/** A prepared read and its values. */
export type PreparedRead<Row = never> = [statement: ReadStatement<Row>, values: unknown[]];

/** The same of any kind. */
export type PreparedCall = [statement: PreparedStatement<unknown>, values: unknown[]];

export const point = <Row = never>(rows: number, statement: Named<Row>): PointRead<Row> => ({
  kind: 'point',
  rows,
  ...statement,
});

export const manyRows = <Row = never>(statement: Named<Row>): ManyRows<Row> => ({
  kind: 'many',
  ...statement,
});

/** @param statement may be a point read that is given more to look up than it states */
export const scan = <Row = never>({ name, text }: Named<Row>): Scan<Row> => ({
  kind: 'scan',
  name,
  text,
});

export const write = <Row = never>(statement: Named<Row>): Write<Row> => ({
  kind: 'write',
  ...statement,
});

/** Elements of an array that a point read is given: it looks up one after the other. */
export const MAX_LOOKUPS = 100;

/** True for what may run on the connections that all callers share. */
export function isPointRead(
  statement: PreparedStatement<unknown>,
  values: readonly unknown[],
): statement is PointRead<unknown> {
  if (statement.kind !== 'point') return false;
  for (const value of values) if (Array.isArray(value) && value.length > MAX_LOOKUPS) return false;
  return true;
}

/** A read that can be part of another statement, and its values. */
export type PartialRead = [statement: PointRead<unknown> | Scan<unknown>, values: unknown[]];

/** A statement that reads are part of. */
export interface Frame {
  name: string;
  /** What stands for the first parameters of the reads, which they share. */
  shared: readonly string[];
  /** Parameters of the statement itself: those of the reads come after them. */
  parameters: number;
  text(reads: string): string;
}

/** Combinations by the names of their parts: there are as many as kinds of commands. */
const combinations = new Map<string, PointRead | Scan>();

/**
 * Puts reads together into one statement: one snapshot for all of them, and a fraction of the cost of
 * sending each. They end in no semicolon or comment.
 * @param reads their values without those that they share
 * @returns the values of the reads alone; a point read if all of them are
 */
export function combineReads(
  frame: Frame,
  reads: readonly PartialRead[],
): [PointRead | Scan, unknown[]] {
  const kinds = reads.map(([{ name, kind }]) => `${name} ${kind}`);
  const key = [frame.name, ...kinds].join(', ');
  let combined = combinations.get(key);
  if (!combined) {
    // PostgreSQL takes names of 63 bytes.
    const name = `${frame.name}.${createHash('sha1').update(key).digest('base64url')}`;
    combined = combine({ name, text: frame.text(combinedText(frame, reads)) }, reads);
    combinations.set(key, combined);
  }
  return [combined, reads.flatMap(([, values]) => values)];
}

function combine(statement: Named, reads: readonly PartialRead[]): PointRead | Scan {
  // The frame has a row of its own where the reads find none.
  let rows = 1;
  for (const [read] of reads) {
    if (read.kind === 'scan') return scan(statement);
    rows += read.rows;
  }
  return point(rows, statement);
}

function combinedText({ shared, parameters }: Frame, reads: readonly PartialRead[]): string {
  let offset = parameters - shared.length;
  const texts = reads.map(([{ text }, values], part) => {
    const numbered = text.replace(
      /\$(\d+)/g,
      (_, digits: string) => shared[Number(digits) - 1] ?? `$${Number(digits) + offset}`,
    );
    offset += values.length;
    return `SELECT ${part} AS part, to_json(found) AS row FROM (${numbered}) AS found`;
  });
  return texts.join('\nUNION ALL\n');
}

/** The rows of each of `count` reads, from what their combination returns; times come as text. */
export function separateReads(
  rows: readonly pg.QueryResultRow[],
  count: number,
): pg.QueryResultRow[][] {
  const separate: pg.QueryResultRow[][] = Array.from({ length: count }, () => []);
  for (const { part, row } of rows) separate[part]?.push(row);
  return separate;
}
