/** Where an element stands in a list that is ordered by time, then by id. */
export interface ListPosition {
  at: Date;
  id: string;
}

/** The part of a list to read. */
export interface PageRequest {
  /** At most so many elements; all of them where it is absent. */
  limit?: number | undefined;
  /** Only those behind this position. */
  after?: ListPosition | undefined;
}

/** A part of a list, and where the next one begins; `next` is null at the end. */
export interface Page<T> {
  items: T[];
  next: ListPosition | null;
}

/** How many rows to read for a page: one more than asked for tells whether the list goes on. */
export const rowsFor = ({ limit }: PageRequest): { take?: number } =>
  limit === undefined ? {} : { take: limit + 1 };

/** Makes a page of the rows that rowsFor() asked for. */
export function pageOf<Row>(
  rows: Row[],
  { limit = rows.length }: PageRequest,
  positionOf: (row: Row) => ListPosition,
): Page<Row> {
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  return { items, next: rows.length > limit && last ? positionOf(last) : null };
}
