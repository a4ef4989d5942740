import { type ManyRows, manyRows, type Named, type PointRead, point } from './statements.js';

// Lists of a length that nobody knows before: short ones share the connections of point reads, long ones do not.

/** Elements of a short list. */
export const SHORT_LIST = 100;

/** Stands for no bound where a statement takes a number. */
export const ALL = 2_000_000_000;

/**
 * A read of a page of a list: the same statement in two kinds. It is given how many rows it may walk, before it joins,
 * filters or sorts any of them (see pageSql()), and each row that it returns tells how many it has walked.
 */
export interface ListRead {
  /** Walks one row more than a short list has: if that was all of them, the page is complete. */
  short: PointRead;
  /** Is read if it was not. */
  long: ManyRows;
}

/** What a row of a ListRead has beside its columns. */
export interface Walked {
  walked: number;
}

export const listRead = ({ name, text }: Named): ListRead => ({
  short: point(SHORT_LIST + 1, { name: `${name}.short`, text }),
  long: manyRows({ name, text }),
});

/** How a page is made of the rows of a list, as `row`. */
interface PageOptions {
  /** More columns, and where they come from; their conditions. */
  columns?: string;
  joins?: string;
  condition?: string;
  /** Newest first. */
  isDescending?: boolean;
}

/**
 * SQL that reads a page of a list which is ordered by time and id. It returns a row in any case: the columns of the
 * list are null if there is none.
 * @param rows SELECT of all rows of the list, among their columns `at` and `id`: from one table, by the index that
 *   finds them
 * @param first number of the first of four parameters: those of pageParameters(), and the most rows to walk
 */
export function pageSql(rows: string, first: number, options: PageOptions = {}): string {
  const { columns = '', joins = '', condition = '', isDescending = false } = options;
  const [at, id, limit, walk] = [0, 1, 2, 3].map((n) => `$${first + n}`);
  const direction = isDescending ? ' DESC' : '';
  return `
      WITH walked AS MATERIALIZED (${rows}
        LIMIT ${walk}::int
      )
      SELECT count.walked, page.* FROM (SELECT count(*)::int AS walked FROM walked) AS count
      LEFT JOIN (
        SELECT row.*${columns} FROM walked AS row${joins}
        WHERE (${at}::timestamptz IS NULL OR (row.at, row.id) ${isDescending ? '<' : '>'} (${at}, ${id}::uuid))${condition}
        ORDER BY row.at${direction}, row.id${direction} LIMIT ${limit}
      ) AS page ON true`;
}
