import type { IncompleteSlice } from '../../src/collections/writer/sibling-order.js';
import { DomainError } from '../../src/errors/domain-error.js';

/** What a caller is told: `allowed`, or code and message; or what must be read before that is known. */
export function told(run: () => unknown): string {
  try {
    run();
    return 'allowed';
  } catch (error) {
    if (error instanceof DomainError) return `${error.code}: ${error.message}`;
    // By its shape: whoever imports the class is loaded for every mutant of what that imports.
    const { lacks, parentId } = error as Partial<IncompleteSlice>;
    if (lacks === undefined) throw error;
    return `read the ${lacks} of ${parentId}`;
  }
}

/** The cases of a table of which the caller is told something else, with what that is. */
export const wrongRefusals = (
  cases: Record<string, readonly [run: () => unknown, expected: string]>,
): unknown[] =>
  Object.entries(cases)
    .map(([name, [run, expected]]) => ({ name, found: told(run), expected }))
    .filter(({ found, expected }) => found !== expected);
