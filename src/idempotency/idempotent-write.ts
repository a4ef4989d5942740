import { DomainError } from '../errors/domain-error.js';

/** What identifies a request with an `Idempotency-Key`. */
export interface KeyId {
  userId: string;
  /** 1 to 255 visible ASCII characters. */
  key: string;
  /** Operation id. */
  operation: string;
  /** SHA-256 of path, query and body, in hexadecimal. */
  fingerprint: string;
}

/** The `Idempotency-Key` of a request. */
export interface RequestKey extends KeyId {
  /** What replay() returns before the write: it was begun before the handler, and leaves with the write's first reads. */
  replayed: Promise<string | null>;
  /**
   * @returns the stored response, as the caller may see it now; null if nothing has succeeded under
   *   the key
   * @throws DomainError unprocessable_entity: another request has; forbidden, not_found: a right was
   *   revoked
   */
  replay(): Promise<string | null>;
}

/** The team and the workspace that a request acts on, by id; null: it names none. */
export interface KeyScope {
  teamId: string | null;
  workspaceId: string | null;
  /** Of a copy or transfer: the workspace that it goes to, which may be the same. */
  targetWorkspaceId?: string | null | undefined;
}

/** A write with an idempotency key: its transaction stores the response under the key. */
export interface IdempotentWrite<Result> extends KeyId {
  /**
   * Resolves when the key was looked up: to be awaited before anything is written, and not before it is read.
   * @throws AlreadySucceeded under the key; or what replay() throws
   */
  lookedUp: Promise<void>;
  /** @returns the response body, as it is stored */
  serialize(result: Result): string;
}

/** Hours for which a response is kept: an older key counts as absent. */
export const KEPT_HOURS = 24;

/** Bytes of a response above which it is stored without the content of its page. */
const MAX_BYTES_WITH_CONTENT = 64 * 1024;

/**
 * Carries out a write, or replays the response of a request that has succeeded under the key. A
 * request with the same key may succeed at the same moment: then the transaction throws
 * AlreadySucceeded. The response is serialized once: the text that is sent is the one that is
 * stored.
 * @param serialize returns JSON text, or an object for JSON.stringify
 * @param run the use case; it passes `write` to its transaction, which stores the response
 * @returns the response body
 */
export async function idempotentResponse<Result>(
  key: RequestKey | null,
  serialize: (result: Result) => string | object,
  run: (write: IdempotentWrite<Result> | null) => Promise<Result>,
): Promise<string> {
  const toText = (result: Result): string => {
    const body = serialize(result);
    return typeof body === 'string' ? body : JSON.stringify(body);
  };
  if (key === null) return toText(await run(null));
  let body = '';
  const lookedUp = key.replayed.then((response) => {
    if (response !== null) throw new AlreadySucceeded();
  });
  // The work may fail before it waits for it.
  lookedUp.catch(() => undefined);
  const write: IdempotentWrite<Result> = {
    ...key,
    lookedUp,
    serialize: (result) => {
      body = toText(result);
      return Buffer.byteLength(body) > MAX_BYTES_WITH_CONTENT ? withoutContent(body) : body;
    },
  };
  try {
    const result = await run(write);
    return body || toText(result);
  } catch (error) {
    const replayed = await key.replayed;
    if (replayed !== null) return replayed;
    if (!mayHaveSucceeded(error)) throw error;
    const response = await key.replay();
    if (response !== null) return response;
    throw error instanceof AlreadySucceeded ? expired(error) : error;
  }
}

/**
 * True if a request with the same key may have succeeded meanwhile: what it was about is not found any
 * more, or is in a state that allows it only once.
 */
const mayHaveSucceeded = (error: unknown): boolean =>
  error instanceof AlreadySucceeded ||
  (error instanceof DomainError && error.code !== 'internal_server_error');

/** What had succeeded was deleted since: it expired this very moment. */
function expired(cause: AlreadySucceeded): DomainError {
  return new DomainError('conflict', 'the Idempotency-Key has just expired: try again', {
    cause,
    retryAfterSeconds: 1,
  });
}

/** A request with the same key has succeeded: nothing is done, and its response is replayed. */
export class AlreadySucceeded extends Error {
  constructor() {
    super('a request with this Idempotency-Key has already succeeded');
  }
}

// An item as JSON text, where its content comes last, or before its children. Quotes inside a string are escaped,
// so that no name can look like one of these.
const CONTENT = ',"content":';
const ITEM_START = '{"id":"';
const isItem = (text: string): boolean => text.startsWith(ITEM_START);

/** The text of an item without its content and its children; any other response as it is. */
const withoutContent = (text: string): string =>
  isItem(text) && text.includes(CONTENT) ? `${text.slice(0, text.indexOf(CONTENT))}}` : text;

/** The id of an item, of which the text may be long. */
export const itemIdIn = (text: string): string =>
  text.slice(ITEM_START.length, text.indexOf('"', ITEM_START.length));

/** True for an item that was stored without its content. */
export const lacksContent = (text: string): boolean => isItem(text) && !text.includes(CONTENT);

/**
 * The text of an item that was stored without its content, with the content and all after it.
 * @param whole the item as it is now, as JSON text
 */
export const withContent = (text: string, whole: string): string =>
  `${text.slice(0, -1)}${whole.slice(whole.indexOf(CONTENT))}`;
