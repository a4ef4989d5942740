import { type ListRead, SHORT_LIST } from '@teamspaces/pg-lanes/list-reads';
import type { FastifyReply } from 'fastify';
import { badRequest } from '../errors/domain-error.js';
import { Id, QueryNumber } from '../validation/fields.js';
import { MAX_HELD, MAX_PAGE } from './limits.js';

declare module 'fastify' {
  interface FastifyInstance {
    /** Base of links: see Config. */
    publicUrl: string;
  }
}

/** The query parameter `limit`: a whole number from 1 to 1000. */
export const PageLimit = (description: string): PropertyDecorator =>
  QueryNumber({ min: 1, max: MAX_PAGE }, description, { optional: true, example: 100 });

/** The query parameter `cursor`: opaque to callers. */
export const PageCursor = (more = ''): PropertyDecorator =>
  Id(`Where to continue: the value in the \`Link\` header of the last response.${more}`, {
    optional: true,
  });

/** Query of a list with pages. */
export class PageQuery {
  @PageLimit(
    'How many elements to show; `Link: rel=next` leads to the rest. Without it, the list is complete.',
  )
  limit?: number;

  @PageCursor() cursor?: string;
}

/** Where an element stands in a list that is ordered by time, then by id. */
export interface ListPosition {
  at: Date;
  id: string;
}

/** Of rows that have their own. */
export const ownPosition = (row: ListPosition): ListPosition => row;

/** The part of a list to read. */
export interface PageRequest {
  /** At most so many elements; all of them if absent. */
  limit?: number | undefined;
  /** Only those after this position. */
  after?: ListPosition | undefined;
}

/** A part of a list, and where the next one begins; `next` is null at the end. */
export interface Page<T> {
  items: readonly T[];
  next: ListPosition | null;
}

/** @throws DomainError bad_request: the cursor does not come from a Link header */
export function toPageRequest({ limit, cursor }: PageQuery): PageRequest {
  return { limit, after: cursor === undefined ? undefined : POSITIONS.decode(cursor) };
}

/** Parameters of a statement that reads a page: a position (two) and the most rows. */
export const pageParameters = ({ limit, after }: PageRequest): unknown[] => [
  after?.at ?? null,
  after?.id ?? null,
  // One more than asked for tells whether the list continues.
  limit === undefined ? null : limit + 1,
];

/**
 * Makes a page of rows that were read by pageParameters().
 * @param positionOf where a row stands in the list; null: the list has no pages
 */
export function pageOf<Row>(
  rows: readonly Row[],
  { limit = rows.length }: PageRequest,
  positionOf: ((row: Row) => ListPosition) | null,
): Page<Row> {
  if (rows.length <= limit) return { items: rows, next: null };
  const items = rows.slice(0, limit);
  return { items, next: positionOf?.(items.at(-1) as Row) ?? null };
}

/** A list for a response: a page of it that is held in memory, or all of it as fast as its caller takes it. */
export type Listed<T> = Page<T> | AsyncGenerator<T[], void>;

/** The same list with other elements. */
export function mapList<From, To>(listed: Listed<From>, map: (element: From) => To): Listed<To> {
  if ('items' in listed) return { items: listed.items.map(map), next: listed.next };
  return mapPortions(listed, (rows) => rows.map(map));
}

/** All elements of a list. */
export async function elementsOf<T>(listed: Listed<T>): Promise<readonly T[]> {
  if ('items' in listed) return listed.items;
  const all: T[] = [];
  for await (const rows of listed) for (const row of rows) all.push(row);
  return all;
}

export async function* mapPortions<From, To>(
  portions: AsyncIterable<From[]>,
  map: (rows: From[]) => To[],
): AsyncGenerator<To[], void> {
  for await (const rows of portions) yield map(rows);
}

/** Checks the first row of a stream before any is shown. @param check gets undefined if there is none */
export async function* checkFirst<Row>(
  portions: AsyncIterable<Row[]>,
  check: (first: Row | undefined) => void,
): AsyncGenerator<Row[], void> {
  let isChecked = false;
  for await (const rows of portions) {
    if (!isChecked) check(rows[0]);
    isChecked = true;
    yield rows;
  }
  if (!isChecked) check(undefined);
}

/** Runs the statements of a list. */
export interface ListSource<Row> {
  read(kind: 'short' | 'long', page: unknown[]): Promise<readonly Row[]>;
  /** The rows of the long list, of one moment, as fast as its caller takes them. */
  stream(page: unknown[]): AsyncGenerator<Row[], void>;
}

/**
 * Reads a list of unknown length: as a short one first, and again if it is longer.
 * @param positionOf where a row stands in the list; null: the list has no pages
 * @param isShown tells which rows are elements of the list; the others only count; absent: all are
 */
export async function readList<Row>(
  list: Pick<ListRead, 'isDescending'>,
  page: PageRequest,
  source: ListSource<Row>,
  positionOf: ((row: Row) => ListPosition) | null,
  isShown?: (row: Row) => boolean,
): Promise<Listed<Row>> {
  const shownOf = (rows: readonly Row[]) => (isShown ? rows.filter(isShown) : rows);
  const short = await source.read('short', []);
  if (short.length <= SHORT_LIST) {
    const shown = shownOf(short);
    const { after } = page;
    if (!after || !positionOf) return pageOf(shown, page, positionOf);
    const isOnPage = (row: Row) => isBehind(positionOf(row), after, list.isDescending);
    return pageOf(shown.filter(isOnPage), page, positionOf);
  }
  const held = { ...page, limit: page.limit ?? MAX_HELD };
  const long = await source.read('long', pageParameters(held));
  // Rows that are not shown count: there may be elements after them.
  if (page.limit !== undefined || long.length <= MAX_HELD)
    return pageOf(shownOf(long), page, positionOf);
  return mapPortions(source.stream(pageParameters(page)), (rows) => [...shownOf(rows)]);
}

/** Whether an element comes after a position. Times have no parts of milliseconds. */
function isBehind(row: ListPosition, after: ListPosition, isDescending: boolean): boolean {
  const [a, b] = isDescending ? [after, row] : [row, after];
  const later = a.at.getTime() - b.at.getTime();
  return later > 0 || (later === 0 && a.id > b.id);
}

/** Sets the Link header that leads to the next page, if there is one. */
export const linkNextPage = (reply: FastifyReply, { next }: Page<unknown>): void =>
  linkNext(reply, next && POSITIONS.encode(next));

/** The same, with the cursor of the next page; null: there is none. */
export function linkNext(reply: FastifyReply, cursor: string | null): void {
  if (cursor === null) return;
  reply.header('link', nextLink(reply.request.url, reply.server.publicUrl, cursor));
}

/**
 * The value of an RFC 8288 Link header: the same request, continued at `cursor`.
 * @param url path and query of the request
 */
export function nextLink(url: string, publicUrl: string, cursor: string): string {
  const next = new URL(url, 'http://localhost');
  next.searchParams.set('cursor', cursor);
  return `<${publicUrl}${next.pathname}${next.search}>; rel="next"`;
}

/**
 * How the cursors of one kind of list are written and read.
 * @param shape matches the parts, joined by spaces, and captures each; none contains a space
 * @param toCursor returns null for parts that no cursor has
 * @param source where callers get such cursors from
 */
export const cursorCodec = <Cursor>(
  shape: RegExp,
  toParts: (cursor: Cursor) => readonly (string | number)[],
  toCursor: (...parts: string[]) => Cursor | null,
  source = 'a Link header',
) => ({
  encode: (cursor: Cursor): string => Buffer.from(toParts(cursor).join(' ')).toString('base64url'),
  /** @throws DomainError bad_request: the text has another shape */
  decode(text: string): Cursor {
    const parts = shape.exec(Buffer.from(text, 'base64url').toString('latin1'));
    const cursor = parts && toCursor(...parts.slice(1));
    if (cursor === null) throw foreignCursor(source);
    return cursor;
  },
});

/** @param source where callers get cursors from */
export const foreignCursor = (source: string) => badRequest(`cursor must come from ${source}`);

const POSITIONS = cursorCodec<ListPosition>(
  /^(\d{1,15}) ([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/,
  ({ at, id }) => [at.getTime(), id],
  (at, id = '') => ({ at: new Date(Number(at)), id }),
);
