import { ConflictError } from 'teamspaces-client';
import { isPassing } from './errors.js';

const PAUSE_OFFLINE = 2_000;

/** A copy of a workspace's tree that the change feed keeps in sync, and the commands that change it. */
export class Workspace {
  /** The items by their ids, as the feed has them: without content, with `position`. */
  items = new Map();
  #api;
  #cursor;
  /** The children by their parent's id; null after each change. */
  #children = null;
  /** Resolved by the next request of the feed that begins after them. */
  #waiting = [];
  /** Ends the request of the feed that waits for changes. */
  #interrupt = new AbortController();

  /** @param api what `client.workspace(team, slug)` returns */
  constructor(api) {
    this.#api = api;
  }

  /** The children of a collection, or of the top level (null), in order. */
  childrenOf(parent) {
    this.#children ??= childrenByParent(this.items);
    return this.#children.get(parent) ?? [];
  }

  siblingsOf(item) {
    return this.childrenOf(item.parent ?? null);
  }

  /** The collections around an item, from the nearest one up. */
  ancestorsOf(item) {
    const parent = this.items.get(item.parent);
    return parent ? [parent, ...this.ancestorsOf(parent)] : [];
  }

  // The commands resolve when the copy shows their effect. They are not applied to the copy before:
  // what the page displays is what the service has.

  /** @param body title, parent, index */
  create(object, body) {
    const { pages, collections } = this.#api;
    return this.#change((object === 'item' ? pages : collections).create(body));
  }

  /** The title is what people see: the service derives the name from it. */
  rename(id, title) {
    return this.#change(this.#api.collections.update(id, { title }));
  }

  /** The current parent is sent as well: 409 if somebody has moved the item elsewhere meanwhile. */
  move({ id, parent }, { newParent, index }) {
    const to = { parent: parent ?? null, newParent, index };
    return this.#change(this.#api.collections.move(id, to));
  }

  /** Moves the item, with everything in it, to the trash. */
  delete(id) {
    return this.#change(this.#api.collections.delete(id));
  }

  /** Restores a deletion where it was. */
  restore(id) {
    return this.#change(this.#api.trash.restore(id));
  }

  /** Whether a command has succeeded whose effect the copy does not show yet. */
  get isWaiting() {
    return this.#waiting.length > 0;
  }

  async #change(response) {
    const result = await response;
    await this.#synced();
    return result;
  }

  /** Resolves when the copy is not older than this call. */
  #synced() {
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
      this.#interrupt.abort();
    });
  }

  /**
   * Keeps the copy in sync until the signal aborts.
   * @param onSync called whenever the copy is the tree of one moment
   * @param onOffline called with the error if the service does not respond; it is asked again
   * @throws TeamspacesError the workspace cannot be read: call it again to continue
   */
  async follow({ signal, onSync, onOffline }) {
    // A browser has six connections to a host over HTTP/1.1: six tabs that wait would block the next one.
    const interrupt = () => this.#interrupt.abort();
    document.addEventListener('visibilitychange', interrupt, { signal });
    // Otherwise a request that waits would notice it after a minute or two.
    window.addEventListener('offline', interrupt, { signal });
    while (!signal.aborted) {
      if (document.hidden) await nextVisibility();
      this.#interrupt = new AbortController();
      const ends = AbortSignal.any([signal, this.#interrupt.signal]);
      try {
        await this.#read(ends, onSync);
      } catch (error) {
        if (ends.aborted) continue;
        if (error instanceof ConflictError) this.#forget();
        else if (isPassing(error)) {
          onOffline(error);
          await new Promise((resolve) => setTimeout(resolve, PAUSE_OFFLINE));
        } else throw error;
      }
    }
  }

  /** Reads what has changed. If no command waits for it, goes on and waits for the changes of others. */
  async #read(signal, onSync) {
    const waiting = this.#waiting.length;
    const onCursor = (cursor, more) => {
      this.#cursor = cursor;
      if (more) return;
      onSync();
      for (const resolve of this.#waiting.splice(0, waiting)) resolve();
    };
    const wait = this.#cursor && waiting === 0 ? 25 : 0;
    const options = { cursor: this.#cursor, limit: 1000, wait, onCursor, signal };
    for await (const { id, deleted, item } of this.#api.tree.changes(options)) {
      this.#children = null;
      if (deleted) this.items.delete(id);
      else this.items.set(id, item);
    }
  }

  /** The cursor is too old: everything is read again, and what is not in it is gone. */
  #forget() {
    this.#cursor = undefined;
    this.#children = null;
    this.items.clear();
  }
}

function childrenByParent(items) {
  const sorted = [...items.values()].sort((a, b) => (a.position < b.position ? -1 : 1));
  const children = new Map();
  for (const item of sorted) {
    const parent = item.parent ?? null;
    if (children.has(parent)) children.get(parent).push(item);
    else children.set(parent, [item]);
  }
  return children;
}

const nextVisibility = () =>
  new Promise((resolve) => document.addEventListener('visibilitychange', resolve, { once: true }));
