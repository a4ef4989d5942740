/** What a request with an `Idempotency-Key` is known by. */
export interface RequestKey {
  userId: string;
  /** 1 to 255 visible ASCII characters. */
  key: string;
  /** Operation id. */
  operation: string;
  /** SHA-256 of path, query and body, in hexadecimal. */
  fingerprint: string;
}

/** A write that is to be done once: its transaction keeps the answer under the key. */
export interface Once<Answer> extends RequestKey {
  /** The body of the answer, as the caller gets it. */
  present(answer: Answer): string;
}

/**
 * A write under the key of its request, for the use case that carries it out.
 * @param present makes the body: JSON text, or what JSON.stringify makes it of
 */
export function once<Answer>(
  key: RequestKey | null,
  present: (answer: Answer) => string | object,
): Once<Answer> | null {
  if (key === null) return null;
  const toText = (answer: Answer) => {
    const body = present(answer);
    return typeof body === 'string' ? body : JSON.stringify(body);
  };
  return { ...key, present: toText };
}

/** A request with the same key has succeeded: nothing is done, and its answer is replayed. */
export class AlreadyDone extends Error {
  /** @param answer the kept answer, where it is at hand */
  constructor(readonly answer: string | null = null) {
    super('a request with this Idempotency-Key has succeeded already');
  }
}
