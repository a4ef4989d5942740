import { type ManyRows, manyRows, type PointRead, point } from './statements.js';

// Lists of a length that nobody knows before: short ones share the connections of point reads, long ones do not.

/** Elements of a short list. */
export const SHORT_LIST = 100;

/** Stands for no bound where a statement takes a number. */
export const ALL = 2_000_000_000;

/** How a list is read that is ordered by time and id. */
export interface ListRead<Row = never> {
  /**
   * Is read first: all of the list, if it is short. It takes 101 rows before it joins, filters or sorts any, and
   * returns them all: one more than a short list has says that it is not.
   */
  short: PointRead<Row>;
  /** Is read if the list is not short: a page of it. Its last parameters are those of pageParameters(). */
  long: ManyRows<Row>;
  /** Newest first. */
  isDescending: boolean;
}

interface ListOptions {
  name: string;
  /**
   * SELECT of all rows of the list, among their columns `at` and `id`: from one table, by an index that finds them, in no
   * order.
   */
  rows: string;
  /** Of the long list, whose rows are called `row`: elements that are not shown. Those of a short one are left out later. */
  condition?: string;
  /** Parameters of the statement before those of the page. */
  parameters: number;
  /** The statement; `found` is a subquery. */
  text(found: string): string;
  isDescending?: boolean;
}

export function listRead<Row = never>(options: ListOptions): ListRead<Row> {
  const { name, rows, condition = '', parameters, text, isDescending = false } = options;
  const [at, id, limit] = [1, 2, 3].map((n) => `$${parameters + n}`);
  const [isAfter, direction] = isDescending ? ['<', ' DESC'] : ['>', ''];
  const short = `${rows}
      LIMIT ${SHORT_LIST + 1}`;
  const long = `
      SELECT * FROM (${rows}
      ) AS row
      WHERE (${at}::timestamptz IS NULL OR (row.at, row.id) ${isAfter} (${at}, ${id}::uuid))${condition}
      ORDER BY row.at${direction}, row.id${direction} LIMIT ${limit}`;
  return {
    short: point(SHORT_LIST + 1, { name: `${name}.short`, text: text(short) }),
    long: manyRows({ name, text: text(long) }),
    isDescending,
  };
}
