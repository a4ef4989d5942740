/** The blocks of a document while it is read: what its last nodes say may still change. */
export class BlockList {
  readonly texts: string[] = [];
  /** From and to which block a node is a heading; the node comes after those within it. */
  private readonly headings: number[] = [];

  get length(): number {
    return this.texts.length;
  }

  push(text: string): number {
    return this.texts.push(text) - 1;
  }

  /** Removes the last blocks. @returns their text */
  cut(from: number): string {
    const { texts, headings } = this;
    if (texts.length === from) return '';
    let text = '';
    for (let n = from; n < texts.length; n++) {
      const next = texts[n] ?? '';
      text = text !== '' && next !== '' ? `${text} ${next}` : text + next;
    }
    while (texts.length > from) texts.pop();
    while ((headings.at(-1) ?? 0) > from) headings.length -= 2;
    return text;
  }

  markHeading(from: number, to: number): void {
    if (from < to) this.headings.push(from, to);
  }

  /** How many headings begin at each block, less those that end before it. */
  headingSteps(): Int32Array {
    const steps = new Int32Array(this.length + 1);
    for (let n = 0; n < this.headings.length; n++) {
      const block = this.headings[n] ?? 0;
      steps[block] = (steps[block] ?? 0) + (n % 2 === 0 ? 1 : -1);
    }
    return steps;
  }
}
