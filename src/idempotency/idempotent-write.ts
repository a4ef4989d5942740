/** What identifies a request with an `Idempotency-Key`. */
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

/** A write with an idempotency key: its transaction stores the response under the key. */
export interface IdempotentWrite<Result> extends RequestKey {
  /** @returns the response body, as it is stored */
  serialize(result: Result): string;
}

/** Hours for which a response is kept: an older key counts as absent. */
export const KEPT_HOURS = 24;

/** Bytes of a response above which it is stored without the content of its page. */
const MOST_WITH_CONTENT = 64 * 1024;

/**
 * Carries out a write and serializes its response once: the text that is sent is the one that was
 * stored under the key.
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
  let stored = '';
  const result = await run(
    key && {
      ...key,
      serialize: (result) => {
        stored = toText(result);
        return Buffer.byteLength(stored) > MOST_WITH_CONTENT ? withoutContent(stored) : stored;
      },
    },
  );
  return stored || toText(result);
}

/** A request with the same key has succeeded: nothing is done, and its response is replayed. */
export class AlreadySucceeded extends Error {
  constructor() {
    super('a request with this Idempotency-Key has already succeeded');
  }
}

// A page as JSON text, where its content is the last property. Quotes inside a string are escaped,
// so that no name can look like one of these.
const CONTENT = ',"content":';
const isItem = (text: string): boolean => text.startsWith('{"id":');

/** The text of a page without its content; any other response as it is. */
const withoutContent = (text: string): string =>
  isItem(text) && text.includes(CONTENT) ? `${text.slice(0, text.indexOf(CONTENT))}}` : text;

/** True for a page that was stored without its content. */
export const lacksContent = (text: string): boolean => isItem(text) && !text.includes(CONTENT);

/** The text of a page that was stored without its content, with it. @param content JSON text */
export const withContent = (text: string, content: string): string =>
  `${text.slice(0, -1)}${CONTENT}${content}}`;
