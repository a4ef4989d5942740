/** `item` is a page. */
export const OBJECTS = ['collection', 'item'];
/** Levels of nesting that the service takes; a create or move past it is refused. */
export const MAX_DEPTH = 128;
/**
 * Children of a restored item that are read in its transaction. The response with more of them is over
 * 64 KiB, and so is stored under an idempotency key without content and children in any case.
 */
export const MOST_CHILDREN = 250;
/** Items in a copy, at most. */
export const MAX_COPIED = 10_000;
//# sourceMappingURL=collection.js.map