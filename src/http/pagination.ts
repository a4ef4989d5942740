import type { FastifyReply } from 'fastify';
import { badRequest } from '../errors/domain-error.js';
import { Id, QueryNumber } from '../validation/fields.js';

declare module 'fastify' {
  interface FastifyInstance {
    /** Base of links: see Config. */
    publicUrl: string;
  }
}

/** The most elements of a page that a request can ask for. */
const MAX_PAGE = 1000;

/** The query parameter `limit`: a whole number from 1 to 1000. */
export const PageLimit = (description: string): PropertyDecorator =>
  QueryNumber({ min: 1, max: MAX_PAGE }, { optional: true, description, example: 100 });

/** The query parameter `cursor`: opaque to callers. */
export const PageCursor = (more = ''): PropertyDecorator =>
  Id({
    optional: true,
    description: `Where to continue: the value in the \`Link\` header of the last response.${more}`,
  });

/** Query of a list with pages. */
export class PageQuery {
  @PageLimit(
    'How many elements to show; `Link: rel=next` leads to the rest. Without it, the list is complete.',
  )
  limit?: number;

  @PageCursor()
  cursor?: string;
}

/** Where an element stands in a list that is ordered by time, then by id. */
export interface ListPosition {
  at: Date;
  id: string;
}

/** The part of a list to read. */
export interface PageRequest {
  /** At most so many elements; all of them if absent. */
  limit?: number | undefined;
  /** Only those after this position. */
  after?: ListPosition | undefined;
}

/** A part of a list, and where the next one begins; `next` is null at the end. */
export interface Page<T> {
  items: T[];
  next: ListPosition | null;
}

/** @throws DomainError bad_request: the cursor does not come from a Link header */
export function toPageRequest({ limit, cursor }: PageQuery): PageRequest {
  return { limit, after: cursor === undefined ? undefined : POSITIONS.decode(cursor) };
}

/** The last parameters of a statement that reads a page: a position (two) and the most rows. */
export const pageParameters = ({ limit, after }: PageRequest): unknown[] => [
  after?.at ?? null,
  after?.id ?? null,
  // One more than asked for tells whether the list continues.
  limit === undefined ? null : limit + 1,
];

/**
 * Makes a page of rows that were read by pageParameters().
 * @param time the column that the list is ordered by, before the id
 */
export function pageOf<Time extends string, Row extends Record<Time, Date> & { id: string }>(
  rows: readonly Row[],
  { limit = rows.length }: PageRequest,
  time: Time,
): Page<Row> {
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  return { items, next: rows.length > limit && last ? { at: last[time], id: last.id } : null };
}

/** Rows that are read together with the reads of others; more are read in portions. */
const SHORT_PAGE = 100;

/**
 * Reads a page of a list of unknown length: as a short one first, and again if it is longer.
 * @param read runs a statement whose last parameters are these; `isLong`: in portions
 */
export async function readPage<Row extends ListPosition>(
  page: PageRequest,
  read: (parameters: unknown[], isLong: boolean) => Promise<Row[]>,
): Promise<Page<Row>> {
  const { limit } = page;
  const isShort = limit !== undefined && limit <= SHORT_PAGE;
  const rows = await read(pageParameters(isShort ? page : { ...page, limit: SHORT_PAGE }), false);
  if (isShort || rows.length <= SHORT_PAGE) return pageOf(rows, page, 'at');
  return pageOf(await read(pageParameters(page), true), page, 'at');
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
