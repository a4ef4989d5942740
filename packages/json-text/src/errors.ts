/**
 * What is wrong: the text or the operations are malformed (`invalid`); the document does not allow the patch
 * (`not_applicable`); a `test` of the patch fails (`test_failed`).
 */
export type JsonErrorCode = 'invalid' | 'not_applicable' | 'test_failed';

/** A text or a patch that is refused. The message is one sentence that names the place and the bound. */
export class JsonError extends Error {
  constructor(
    readonly code: JsonErrorCode,
    message: string,
  ) {
    super(message);
  }
}

export const invalid = (message: string): JsonError => new JsonError('invalid', message);

export const notJson = (): JsonError => invalid('the body must be valid JSON');
