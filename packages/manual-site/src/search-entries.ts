import { marked } from 'marked';
import type { Manual } from './manual.js';
import { Anchors } from './render.js';

/** A part of a page that the search may find. */
interface SearchEntry {
  /** Its address below `/manual`. */
  at: string;
  page: string;
  heading: string;
  /** What others call its topic, in lower case. */
  words: string[];
  text: string;
}

/** Below a heading: words that people search for and that the text does not use. */
const SEARCH_WORDS = /^<!-- search: (.*) -->$/;

/** Every page, in the order of the contents, cut at its headings. The script of the manual searches it in the browser. */
export function searchEntries(manual: Manual): SearchEntry[] {
  const listed = manual.contents().flatMap(({ pages }) => pages.map(({ path }) => path));
  const paths = new Set([...listed, ...manual.pages.map(({ path }) => path)]);
  const pages = [...paths].flatMap((path) => manual.page(path) ?? []);
  return pages.flatMap(({ path, title, markdown }) => {
    const anchors = new Anchors();
    const entries: SearchEntry[] = [];
    for (const token of marked.lexer(markdown)) {
      if (token.type === 'heading') {
        const at = `${path}#${anchors.of(token.text)}`;
        entries.push({ at, page: title, heading: plain(token.text), words: [], text: '' });
        continue;
      }
      const entry = entries.at(-1);
      if (!entry) continue;
      if (token.type !== 'html') entry.text = `${entry.text} ${plain(token.raw)}`.trim();
      else entry.words.push(...(SEARCH_WORDS.exec(token.raw.trim())?.[1]?.split(', ') ?? []));
    }
    return entries;
  });
}

/** Markdown without its marks. */
const plain = (markdown: string): string =>
  markdown
    .replace(/\]\([^)]*\)/g, '')
    .replace(/[`*|[]|^```.*$|-{3,}/gm, '')
    .replace(/\s+/g, ' ')
    .trim();
