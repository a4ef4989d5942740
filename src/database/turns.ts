/**
 * Lets one piece of work at a time through for each key. Those who would wait for the same row lock
 * in the database wait here instead, without a connection, so that a busy workspace does not take
 * the pool away from all others. The lock in the database still decides: other processes exist.
 */
export class Turns {
  private readonly last = new Map<string, Promise<unknown>>();

  async take<T>(key: string, work: () => Promise<T>): Promise<T> {
    const before = this.last.get(key) ?? Promise.resolve();
    const mine = before.then(work, work);
    this.last.set(key, mine);
    try {
      return await mine;
    } finally {
      if (this.last.get(key) === mine) this.last.delete(key);
    }
  }
}
