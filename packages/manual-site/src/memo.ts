/** What was made once, by name. A failure is not kept: the next caller tries again. */
export class Memo {
  private readonly kept = new Map<string, Promise<unknown>>();

  /** What was made under this name, always by the same `make`. */
  get<T>(name: string, make: () => Promise<T>): Promise<T> {
    const known = this.kept.get(name) as Promise<T> | undefined;
    if (known) return known;
    const made = make();
    this.kept.set(name, made);
    made.catch(() => this.kept.delete(name));
    return made;
  }
}
