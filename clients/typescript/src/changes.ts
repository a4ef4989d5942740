import type { Transport } from './resource.js';
import type { Change, Changes } from './schema.js';

/** How to follow the changes of a workspace. */
export interface ChangesOptions {
  /** Where to continue: the last one that `onCursor` was given. */
  cursor?: string | undefined;
  /** Changes that one request brings, at most. */
  limit?: number;
  /** `content` includes the content of pages. */
  include?: 'content';
  /** Seconds that a request waits for changes, up to 25. */
  wait?: number;
  /**
   * Called after each page, when the loop has taken all of its changes: store the cursor with them.
   * @param more false: the copy is the tree of one moment now
   */
  onCursor?: (cursor: string, more: boolean) => void | Promise<void>;
  signal?: AbortSignal;
}

/** The changes of the workspace that the query names, request after request. */
export async function* changesOf(
  transport: Transport,
  workspace: Record<string, unknown>,
  { onCursor, signal, ...asked }: ChangesOptions = {},
): AsyncGenerator<Change, void, undefined> {
  let query: Record<string, unknown> = { ...workspace, ...asked };
  for (;;) {
    const init = { params: { query }, ...(signal && { signal }) };
    const { data } = await transport.request('GET', '/collections/changes', init);
    const page = data as Changes;
    yield* page.changes;
    await onCursor?.(page.cursor, page.more);
    if (!page.more && !asked.wait) return;
    query = { ...query, cursor: page.cursor };
  }
}
