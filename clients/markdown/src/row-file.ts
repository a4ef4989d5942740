import { createReadStream } from 'node:fs';
import { appendFile, rm } from 'node:fs/promises';

/** Characters that are held until they are written. */
const BUFFER = 256 * 1024;
/** Rows that are sorted in memory at a time. */
const RUN = 10_000;

export type Compare<Row> = (a: Row, b: Row) => number;

/** Rows of JSON in a file, one on each line: as many as the disk holds. */
export class RowFile<Row> {
  private pending = '';

  constructor(private readonly path: string) {}

  /** Adds a row at the end; it is in the file after flush(). */
  async add(row: Row): Promise<void> {
    this.pending += `${JSON.stringify(row)}\n`;
    if (this.pending.length >= BUFFER) await this.flush();
  }

  async flush(): Promise<void> {
    const { pending } = this;
    this.pending = '';
    if (pending !== '') await appendFile(this.path, pending);
  }

  async remove(): Promise<void> {
    await rm(this.path, { force: true });
  }

  /** The rows in the file, in their order; none if there is no file. */
  async *rows(): AsyncGenerator<Row, void, undefined> {
    let rest = '';
    try {
      for await (const chunk of createReadStream(this.path, 'utf8')) {
        const lines = (rest + chunk).split('\n');
        rest = lines.pop() as string;
        for (const line of lines) yield JSON.parse(line);
      }
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
  }

  /** The rows in the file, sorted; what does not fit in memory is sorted in parts, in files beside this one. */
  async *sorted(compare: Compare<Row>): AsyncGenerator<Row, void, undefined> {
    const runs: RowFile<Row>[] = [];
    let held: Row[] = [];
    for await (const row of this.rows()) {
      held.push(row);
      if (held.length < RUN) continue;
      const run = new RowFile<Row>(`${this.path}.${runs.length}`);
      for (const each of held.sort(compare)) await run.add(each);
      await run.flush();
      runs.push(run);
      held = [];
    }
    held.sort(compare);
    if (runs.length === 0) yield* held;
    else yield* merged([...runs.map((run) => run.rows()), held.values()], compare);
  }
}

/** Merges sorted rows. */
async function* merged<Row>(
  sources: readonly (AsyncIterator<Row, void> | Iterator<Row, undefined>)[],
  compare: Compare<Row>,
): AsyncGenerator<Row, void, undefined> {
  const heads: { row: Row; source: (typeof sources)[number] }[] = [];
  try {
    for (const source of sources) {
      const { done, value } = await source.next();
      if (!done) heads.push({ row: value as Row, source });
    }
    while (heads.length > 0) {
      const least = heads.reduce((a, b) => (compare(b.row, a.row) < 0 ? b : a));
      yield least.row;
      const { done, value } = await least.source.next();
      if (done) heads.splice(heads.indexOf(least), 1);
      else least.row = value as Row;
    }
  } finally {
    for (const { source } of heads) await source.return?.();
  }
}
