/**
 * The elements of a list. `await` it for all of them as an array, or iterate with `for await`; with
 * `limit`, each request fetches that many. The first request is sent when either begins.
 */
export class List<Element> implements AsyncIterable<Element>, PromiseLike<Element[]> {
  readonly #pages: () => AsyncGenerator<Element, void, undefined>;

  /** @param iterate starts a new iteration over all elements */
  constructor(iterate: () => AsyncGenerator<Element, void, undefined>) {
    this.#pages = iterate;
  }

  [Symbol.asyncIterator](): AsyncGenerator<Element, void, undefined> {
    return this.#pages();
  }

  // biome-ignore lint/suspicious/noThenProperty: `await list` returns all elements
  then<Result1 = Element[], Result2 = never>(
    onFulfilled?: ((elements: Element[]) => Result1 | PromiseLike<Result1>) | null,
    onRejected?: ((reason: unknown) => Result2 | PromiseLike<Result2>) | null,
  ): Promise<Result1 | Result2> {
    return this.#all().then(onFulfilled, onRejected);
  }

  async #all(): Promise<Element[]> {
    const elements: Element[] = [];
    for await (const element of this) elements.push(element);
    return elements;
  }
}

/** The elements of a list's response: an array, or one named `users`. */
export function elementsOf(data: unknown): readonly unknown[] {
  if (Array.isArray(data)) return data;
  return (data as { users: readonly unknown[] }).users;
}

/**
 * The cursor of the next page, out of a Link header (RFC 8288); null at the end.
 *
 * Only the cursor is taken: the token goes to no other address than the one that the client was
 * given, whatever a header says.
 */
export function nextCursor(link: string | null): string | null {
  for (const [, target = '', parameters = ''] of (link ?? '').matchAll(/<([^>]*)>([^<]*)/g)) {
    if (!/;\s*rel="?next"?/i.test(parameters)) continue;
    return new URL(target, 'http://localhost').searchParams.get('cursor');
  }
  return null;
}
