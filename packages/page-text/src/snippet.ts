import { continuesCluster, isLetter } from './fold.js';
import { PhraseFinder } from './phrases.js';
import type { Phrase } from './question.js';
import type { TextBlock } from './text.js';
import { WordReader } from './words.js';

/** A piece of a snippet. */
export interface SnippetPart {
  readonly text: string;
  readonly match: boolean;
}

/** Where words of a question stand: in a block, from and to UTF-16 units. */
export interface Place {
  readonly block: number;
  readonly start: number;
  readonly end: number;
}

/** Characters of a snippet, if the text has as many. */
export const SNIPPET = 200;
/** Of a place that is longer: a word with thousands of marks, or a phrase with as many dashes. */
const MAX_PLACE = 280;
/** How far around a snippet words and phrases are looked for, which can begin outside of it. */
const AROUND = 320;
/** Steps back from a cut in the middle of a cluster. */
const MAX_BACK = 64;

/**
 * The text around a place, also of the blocks before and after where a block is short, separated by a space. It is cut
 * at words, or between signs in scripts without spaces; a longer place has its end cut off.
 * @returns at most 300 characters; `match` alternates, and no part is empty
 */
export function makeSnippet(
  phrases: readonly Phrase[],
  blocks: readonly TextBlock[],
  place: Place,
): SnippetPart[] {
  const writer = new SnippetWriter();
  for (const piece of excerpt(blocks, place)) {
    const text = blocks[piece.block]?.text ?? '';
    writer.add(' ', false);
    let at = piece.start;
    for (const { start, end } of matchesIn(phrases, text, piece, place)) {
      writer.add(text.slice(at, start), false);
      writer.add(text.slice(start, end), true);
      at = end;
    }
    writer.add(text.slice(at, piece.end), false);
  }
  return writer.parts;
}

/** The pieces of blocks that a snippet shows: first of the block of the place, then of those after it and before it. */
function excerpt(blocks: readonly TextBlock[], { block, start, end: placeEnd }: Place): Place[] {
  const text = blocks[block]?.text ?? '';
  const end = placeEnd - start > SNIPPET ? cutInside(text, start, placeEnd) : placeEnd;
  const room = Math.max(0, SNIPPET - (end - start));
  const before = Math.min(start, Math.max(room >> 1, room - (text.length - end)));
  const after = Math.min(text.length - end, room - before);
  const own = {
    block,
    start: firstCut(text, start - before, start),
    end: lastCut(text, end + after, end),
  };
  const rest = room - before - after;
  const following = piecesAfter(blocks, block + 1, rest);
  const used = following.reduce((sum, piece) => sum + piece.end + 1, 0);
  return [...piecesBefore(blocks, block - 1, rest - used), own, ...following];
}

function piecesAfter(blocks: readonly TextBlock[], first: number, most: number): Place[] {
  const pieces: Place[] = [];
  let room = most - 1;
  for (let block = first; block < blocks.length && room > 0; block++) {
    const text = blocks[block]?.text ?? '';
    pieces.push({ block, start: 0, end: lastCut(text, Math.min(room, text.length), 0) });
    room -= text.length + 1;
  }
  return pieces;
}

function piecesBefore(blocks: readonly TextBlock[], last: number, most: number): Place[] {
  const pieces: Place[] = [];
  let room = most - 1;
  for (let block = last; block >= 0 && room > 0; block--) {
    const text = blocks[block]?.text ?? '';
    const end = text.length;
    pieces.unshift({ block, start: firstCut(text, Math.max(0, end - room), end), end });
    room -= text.length + 1;
  }
  return pieces;
}

/** What ends a sentence or a part of one: no snippet begins with it. */
const CLOSING = /[\s\p{Pe}\p{Pf}.,;:!?…、。，．；：！？،؛؟۔।]/u;

/** The first place from `at` to `last` where a text may be cut; else `last`. */
function firstCut(text: string, at: number, last: number): number {
  for (let cut = at; cut < last; cut++) {
    if (cut === 0 || (mayBeCut(text, cut) && !CLOSING.test(text.charAt(cut)))) return cut;
  }
  return last;
}

/** The last place from `first` to `at` where a text may be cut; else `first`. */
function lastCut(text: string, at: number, first: number): number {
  for (let cut = at; cut > first; cut--) if (mayBeCut(text, cut)) return cut;
  return first;
}

function cutInside(text: string, start: number, end: number): number {
  const most = Math.min(end, start + MAX_PLACE);
  for (let cut = most; cut > most - MAX_BACK; cut--) if (!isInCluster(text, cut)) return cut;
  return isInPair(text, most) ? most - 1 : most;
}

const REGIONAL_INDICATOR = /^\p{Regional_Indicator}$/u;
const JOINER = 0x200d;

function mayBeCut(text: string, at: number): boolean {
  if (at <= 0 || at >= text.length) return true;
  if (isInCluster(text, at)) return false;
  const next = text.codePointAt(at) as number;
  const before = text.codePointAt(isInPair(text, at - 1) ? at - 2 : at - 1) as number;
  if (before === JOINER) return false;
  if (isFlag(before) && isFlag(next)) return false;
  return !((isLetter(before) || continuesCluster(before)) && isLetter(next));
}

const isInCluster = (text: string, at: number): boolean =>
  isInPair(text, at) || continuesCluster(text.codePointAt(at) ?? 0);

const isInPair = (text: string, at: number): boolean =>
  at > 0 && (text.codePointAt(at - 1) as number) > 0xffff;

const isFlag = (codePoint: number): boolean =>
  codePoint > 0xffff && REGIONAL_INDICATOR.test(String.fromCodePoint(codePoint));

/** Where phrases stand in a piece of a text, in their order and without overlaps. */
function matchesIn(phrases: readonly Phrase[], text: string, piece: Place, place: Place): Range[] {
  const from = spaceBefore(text, piece.start);
  const found: Range[] = [];
  const finder = new PhraseFinder(phrases, (_, start, end) => {
    found.push({
      start: Math.max(piece.start, from + start),
      end: Math.min(piece.end, from + end),
    });
  });
  // As short as it is, its portions are read at once.
  Array.from(new WordReader(finder).read(text.slice(from, piece.end + AROUND)));
  const shown = found.filter(({ start, end }) => start < end);
  // In words longer than AROUND, what is known is where the place is.
  if (shown.length === 0 && piece.block === place.block)
    shown.push({ start: place.start, end: Math.min(piece.end, place.end) });
  return merged(shown);
}

interface Range {
  readonly start: number;
  readonly end: number;
}

/** White space shortly before a position, where no word can begin earlier and end later. */
function spaceBefore(text: string, position: number): number {
  if (position <= AROUND) return 0;
  for (let at = position - 1; at >= position - AROUND; at--)
    if (WHITE_SPACE.test(text.charAt(at))) return at;
  return position;
}

function merged(ranges: readonly Range[]): Range[] {
  const result: Range[] = [];
  for (const { start, end } of [...ranges].sort((a, b) => a.start - b.start)) {
    const last = result.at(-1);
    if (last && start <= last.end) {
      result[result.length - 1] = { start: last.start, end: Math.max(last.end, end) };
    } else result.push({ start, end });
  }
  return result;
}

const WHITE_SPACE = /[\p{White_Space}\uFEFF]+/u;
const EACH_WHITE_SPACE = new RegExp(WHITE_SPACE, 'gu');

/** Joins the pieces of a snippet, with one space where there is white space. */
class SnippetWriter {
  private readonly written: { text: string; match: boolean }[] = [];

  add(original: string, match: boolean): void {
    const last = this.written.at(-1);
    const isAfterSpace = last === undefined || last.text.endsWith(' ');
    const collapsed = original.replace(EACH_WHITE_SPACE, ' ');
    const text = isAfterSpace && collapsed.startsWith(' ') ? collapsed.slice(1) : collapsed;
    if (text === '') return;
    if (last?.match === match) last.text += text;
    else this.written.push({ text, match });
  }

  get parts(): SnippetPart[] {
    const parts = this.written.map(({ text, match }) => ({ text, match }));
    const last = parts.at(-1);
    if (last) last.text = last.text.trimEnd();
    return parts.filter(({ text }) => text !== '');
  }
}
