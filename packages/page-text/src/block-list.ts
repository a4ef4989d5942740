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
      const next = texts[n];
      text = text !== '' && next !== '' ? `${text} ${next}` : text + next;
    }
    while (texts.length > from) texts.pop();
    while (headings.length > 0 && headings[headings.length - 1] > from) headings.length -= 2;
    return text;
  }

  markHeading(from: number, to: number): void {
    if (from < to) this.headings.push(from, to);
  }

  /** For each block, in how many headings it is. */
  headingDepths(): Int32Array {
    const { headings } = this;
    const depths = new Int32Array(this.length + 1);
    for (let n = 0; n < headings.length; n += 2) {
      depths[headings[n]]++;
      depths[headings[n + 1]]--;
    }
    for (let n = 1; n < depths.length; n++) depths[n] += depths[n - 1];
    return depths;
  }
}
