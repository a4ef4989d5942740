import { styleText } from 'node:util';
import type { SnippetPart } from 'teamspaces-client';
import { type Line, textOf } from './print.js';

const INDENT = '    ';
/** Columns that a snippet has even in a very narrow terminal. */
const MIN_WIDTH = 20;

const CHARACTERS = new Intl.Segmenter();
/** Characters that take two columns of a terminal: East Asian ones, and emoji. */
const WIDE =
  /^(?:\p{Emoji_Presentation}|[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}])/u;

/**
 * The lines of a snippet, indented. In a terminal they are as wide as it, or as COLUMNS says; elsewhere a snippet is one line.
 * Matches are bold if the output takes colours, and between asterisks otherwise.
 */
export function snippetLines(snippet: readonly SnippetPart[]): Line[] {
  const columns = Number(process.env.COLUMNS) || process.stdout.columns || Number.POSITIVE_INFINITY;
  const width = Math.max(columns - INDENT.length, MIN_WIDTH);
  const takesBold = styleText('bold', 'x') !== 'x';
  const parts = takesBold ? snippet : snippet.map(inAsterisks);
  return wrapped(parts, width).map((line) => joined([{ text: INDENT, match: false }, ...line]));
}

const inAsterisks = ({ text, match }: SnippetPart): SnippetPart => ({
  text: match ? `**${text}**` : text,
  match: false,
});

/** Breaks a text into lines, at spaces if there are any. Each part of a line is one character. */
function wrapped(parts: readonly SnippetPart[], width: number): SnippetPart[][] {
  const characters = parts.flatMap(({ text, match }) =>
    [...CHARACTERS.segment(textOf(text))].map(({ segment }) => ({ text: segment, match })),
  );
  const lines: SnippetPart[][] = [];
  let line: SnippetPart[] = [];
  for (const character of characters) {
    line.push(character);
    if (widthOf(line) <= width) continue;
    const space = line.findLastIndex(({ text }) => text === ' ');
    const end = space > 0 ? space : line.length - 1;
    lines.push(line.slice(0, end));
    line = line.slice(space > 0 ? space + 1 : end);
  }
  return line.length > 0 ? [...lines, line] : lines;
}

const widthOf = (line: readonly SnippetPart[]): number =>
  line.reduce((width, { text }) => width + (WIDE.test(text) ? 2 : 1), 0);

/** Neighbouring parts of one kind become one: between Arabic letters, an escape sequence would break their ligature. */
function joined(line: readonly SnippetPart[]): SnippetPart[] {
  const parts: SnippetPart[] = [];
  for (const { text, match } of line) {
    const last = parts.at(-1);
    if (last?.match === match) last.text += text;
    else parts.push({ text, match });
  }
  return parts;
}
