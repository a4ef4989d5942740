import { tooMuchWaiting } from '../errors.js';

/** What waits, or is being carried out. */
interface Held {
  count: number;
  bytes: number;
}

/** How much of it one key may have. */
export interface Bound extends Held {
  key: string;
}

/** Bounds what callers have waiting: memory, and the time that their last piece of work waits for. */
export class Backlog {
  private readonly held = new Map<string, Held>();

  /**
   * Does some work, which counts for its keys until it is done. A single piece may be of any size.
   * @throws DomainError rate_limit_exceeded
   */
  async during<T>(bounds: readonly Bound[], bytes: number, work: () => Promise<T>): Promise<T> {
    if (bounds.some((bound) => !this.hasRoom(bound, bytes))) throw tooMuchWaiting();
    for (const { key } of bounds) this.add(key, 1, bytes);
    try {
      return await work();
    } finally {
      for (const { key } of bounds) this.add(key, -1, -bytes);
    }
  }

  private hasRoom({ key, count, bytes }: Bound, more: number): boolean {
    const held = this.held.get(key);
    return !held || (held.count < count && held.bytes + more <= bytes);
  }

  private add(key: string, count: number, bytes: number): void {
    const held = this.held.get(key) ?? { count: 0, bytes: 0 };
    held.count += count;
    held.bytes += bytes;
    if (held.count > 0) this.held.set(key, held);
    else this.held.delete(key);
  }
}
