/**
 * What is wrong: the text itself (`invalid`); a patch that the document does not allow (`not_applicable`);
 * a `test` of a patch that does not hold (`test_failed`).
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
