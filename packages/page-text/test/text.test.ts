import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Portions } from '@teamspaces/json-text/json-grammar';
import { readText, type TextBlock } from '../src/text.js';

const DOCUMENTS = join(import.meta.dirname, 'documents');

function complete<T>(portions: Portions<T>): T {
  for (;;) {
    const { done, value } = portions.next();
    if (done) return value;
  }
}

/** A block on each line, headings behind a sign. */
const print = (blocks: TextBlock[]): string =>
  blocks.map(({ text, isHeading }) => `${isHeading ? '# ' : ''}${text}\n`).join('');

const read = (content: string): string => print(complete(readText('The title', content)));

describe('the documents of editors', () => {
  const editors = readdirSync(DOCUMENTS).filter((name) => name.endsWith('.json'));

  test.each(editors)('%s', (file) => {
    const document = readFileSync(join(DOCUMENTS, file), 'utf8');
    const expected = readFileSync(join(DOCUMENTS, file.replace('.json', '.txt')), 'utf8');
    expect(read(document)).toBe(expected);
    expect(read(JSON.stringify(JSON.parse(document)))).toBe(expected);
  });
});
