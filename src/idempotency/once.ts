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

/** The team and the workspace that a request acts on, by id; null: it names none. */
export interface KeyScope {
  teamId: string | null;
  workspaceId: string | null;
}

/** A write that is to be done once: its transaction keeps the answer under the key. */
export interface Once<Answer> extends RequestKey, KeyScope {
  /** The body of the answer, as it is kept. */
  present(answer: Answer): string;
}

/** Bytes of an answer beyond which it is kept without its content. */
export const MOST_KEPT_WITH_CONTENT = 64 * 1024;

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
  return { ...key, teamId: null, workspaceId: null, present: toText };
}

/** The same write, once it is known which team, and which workspace, the request acts on. */
export const within = <Answer>(
  once: Once<Answer> | null,
  scope: Pick<KeyScope, 'teamId'> & Partial<KeyScope>,
): Once<Answer> | null => once && { ...once, ...scope };

/** A request with the same key has succeeded: nothing is done, and its answer is replayed. */
export class AlreadyDone extends Error {
  /** @param answer the kept answer, where it is at hand */
  constructor(readonly answer: string | null = null) {
    super('a request with this Idempotency-Key has succeeded already');
  }
}
