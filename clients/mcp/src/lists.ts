import { nextCursor, toError } from 'teamspaces-client';
import { z } from 'zod';
import { text } from './parameters.js';

/** Elements of a list that one result shows. */
const SHOWN = 100;

/** The parameter of a list. */
export const CURSOR = text()
  .exactOptional()
  .describe('"cursor" of the last result, to read the elements after it.');

/** The member of the result of a list. */
export const NEXT = z
  .string()
  .exactOptional()
  .describe('Present if there are more: call again with it.');

/** The query of a request for the elements after `cursor`. */
export const pageAfter = (cursor: string | undefined, limit = SHOWN) => ({
  limit,
  ...(cursor !== undefined && { cursor }),
});

/**
 * The elements of one response, and the cursor of the next ones.
 * @throws TeamspacesError the response is not a success
 */
export async function pageOf<Element>(
  request: Promise<{ data?: readonly Element[]; error?: unknown; response: Response }>,
): Promise<{ elements: readonly Element[]; next: { cursor?: string } }> {
  const { data, error, response } = await request;
  if (data === undefined) throw toError(response, error);
  const cursor = nextCursor(response.headers.get('link'));
  return { elements: data, next: cursor === null ? {} : { cursor } };
}
