import { MissingSiblings } from '../../src/collections/writer/sibling-order.js';
import { DomainError } from '../../src/errors/domain-error.js';

/** What a caller is told: `allowed`, or code and message; or what must be read before that is known. */
export function told(run: () => unknown): string {
  try {
    run();
    return 'allowed';
  } catch (error) {
    if (error instanceof MissingSiblings) return `read the ${error.needs} of ${error.parentId}`;
    if (error instanceof DomainError) return `${error.code}: ${error.message}`;
    throw error;
  }
}

/** The cases of a table of which the caller is told something else, with what that is. */
export const offendersOf = (
  cases: Record<string, readonly [run: () => unknown, expected: string]>,
): unknown[] =>
  Object.entries(cases)
    .map(([name, [run, expected]]) => ({ name, found: told(run), expected }))
    .filter(({ found, expected }) => found !== expected);
