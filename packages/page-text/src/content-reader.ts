import {
  BACKSLASH,
  CLOSE_LIST,
  CLOSE_OBJECT,
  COMMA,
  isContainer,
  OPEN_LIST,
  type Portions,
  QUOTE,
} from '@teamspaces/json-text/json-grammar';
import { BlockList } from './block-list.js';
import { hasMarkup, hasTags, readMarkup, withoutTags } from './markup.js';
import { isData, isNoText, isShown, type Key, keyOf, type NodeType, typeOf } from './text-names.js';

/** Characters that are read before other work continues. */
const PORTION = 16 * 1024;
/** The beginning or end of an object or list takes as long as so many characters of a string. */
const STEP = 8;
const HEADING_STYLE = /^h[1-6]$/i;
const HEADING_FORMAT = /"header":\s*[1-6]/;

/** An object or list that is open. */
interface Frame {
  readonly isList: boolean;
  /** What the name says at which it is; the lists of a list have none. */
  readonly key: Key;
  /** Only a few strings are for the reader. */
  readonly isAttributes: boolean;
  /** The first block within it. */
  readonly first: number;
  /** How many strings were open to doubt before it. */
  readonly doubts: number;

  /** Of an object: what its current member is. */
  member: Key;
  /** Whether that is shown, if the object is one of attributes; whether all of the list are. */
  isShown: boolean;
  type: NodeType;
  isHeading: boolean;
  /** The blocks of its member `text`; -1: there is none. */
  textFrom: number;
  textTo: number;
  insert: string | null;
  isHeadingFormat: boolean;
  hasContent: boolean;
  /** It has a member `markdown`: an imported page. */
  isMarkdown: boolean;
  /** The blocks of its member `source`, if that is an object; -1: it is not. */
  sourceFrom: number;
  sourceTo: number;
  /** The blocks of its member `children`. */
  childrenFrom: number;
  childrenTo: number;

  /** Of a list: the block of the text that its next text continues; -1: there is none. */
  run: number;
  /** What separates that from the next. */
  gap: string;
  endsInSpace: boolean;
}

/** The text of JSON, in one pass. What is not JSON gives some text, too. */
export function* readContent(content: string): Portions<BlockList> {
  const reader = new ContentReader(content);
  yield* reader.read();
  return reader.blocks;
}

class ContentReader {
  readonly blocks = new BlockList();
  private readonly frames: Frame[] = [];
  private frame: Frame | null = null;
  /** Blocks of strings that are not text if they are a node's. */
  private readonly doubtful: number[] = [];
  private at = 0;
  private expectsName = false;
  private readonly onBlock = (text: string, isHeading: boolean): void => {
    const index = this.blocks.push(text);
    if (isHeading) this.blocks.markHeading(index, index + 1);
  };

  constructor(private readonly content: string) {}

  *read(): Portions<void> {
    const { content } = this;
    for (let rest = PORTION; this.at < content.length; ) {
      if (rest <= 0) {
        yield;
        rest = PORTION;
      }
      const from = this.at;
      const char = content.charCodeAt(from);
      if (char === QUOTE) {
        const end = endOfLongString(content, from);
        this.at = end;
        if (this.expectsName) this.startMember(decode(content, from, end));
        else if (this.isText()) {
          if (end - from > PORTION) yield;
          const value = decode(content, from, end);
          if (end - from > PORTION) yield;
          const longer = this.readString(value);
          if (longer) yield* longer;
        }
      } else if (isContainer(char)) {
        this.at++;
        rest -= STEP;
        if (this.isLeftOut()) yield* this.skip(from);
        else this.open(char === OPEN_LIST);
      } else {
        this.at++;
        if (char === COMMA) this.expectsName = this.frame?.isList === false;
        else if (char === CLOSE_OBJECT || char === CLOSE_LIST) {
          rest -= STEP;
          const longer = this.close();
          if (longer) yield* longer;
        }
      }
      rest -= this.at - from;
    }
    while (this.frame) yield* this.close() ?? [];
  }

  private startMember(name: string): void {
    const { frame } = this;
    this.expectsName = false;
    if (!frame) return;
    this.endMember(frame);
    frame.member = keyOf(name);
    if (frame.isAttributes) frame.isShown = isShown(name);
    if (frame.member === 'content') frame.hasContent = true;
    else if (frame.member === 'markdown') frame.isMarkdown = true;
    else if (frame.member === 'children') frame.childrenFrom = this.blocks.length;
  }

  private endMember(frame: Frame): void {
    if (frame.member === 'text') frame.textTo = this.blocks.length;
    else if (frame.member === 'children') frame.childrenTo = this.blocks.length;
    else if (frame.member === 'source') frame.sourceTo = this.blocks.length;
  }

  /** Whether a string at this place has to be read. */
  private isText(): boolean {
    const { frame } = this;
    if (!frame) return true;
    if (frame.isAttributes) return frame.isShown;
    return frame.member !== 'hidden' && frame.member !== 'formats';
  }

  /** Whether an object or list at this place has no text. */
  private isLeftOut(): boolean {
    const { frame } = this;
    if (!frame || frame.isList) return false;
    const { member } = frame;
    return member === 'hidden' || member === 'style' || member === 'formats' || member === 'type';
  }

  private *skip(start: number): Portions<void> {
    const { content, frame } = this;
    let depth = 1;
    for (let next = this.at + PORTION; depth > 0 && this.at < content.length; ) {
      if (this.at >= next) {
        yield;
        next = this.at + PORTION;
      }
      const char = content.charCodeAt(this.at);
      if (char === QUOTE) this.at = endOfLongString(content, this.at);
      else {
        this.at++;
        if (isContainer(char)) depth++;
        else if (char === CLOSE_OBJECT || char === CLOSE_LIST) depth--;
      }
    }
    if (frame?.member === 'formats' && HEADING_FORMAT.test(content.slice(start, this.at)))
      frame.isHeadingFormat = true;
  }

  private open(isList: boolean): void {
    const parent = this.frame;
    const key = parent && !parent.isList ? parent.member : 'other';
    const isAttributes = parent?.isAttributes || key === 'attributes' || key === 'insert';
    if (parent && key === 'source' && !isList) parent.sourceFrom = this.blocks.length;
    this.frame = {
      isList,
      key,
      isAttributes,
      first: this.blocks.length,
      doubts: this.doubtful.length,
      member: 'other',
      isShown: isList && parent?.isAttributes === true && parent.isShown,
      type: 'none',
      isHeading: false,
      textFrom: -1,
      textTo: -1,
      insert: null,
      isHeadingFormat: false,
      hasContent: false,
      isMarkdown: false,
      sourceFrom: -1,
      sourceTo: -1,
      childrenFrom: -1,
      childrenTo: -1,
      run: -1,
      gap: '',
      endsInSpace: false,
    };
    this.frames.push(this.frame);
    this.expectsName = !isList;
  }

  /** @returns what is left to do for a string that is not text as it stands */
  private readString(value: string): Portions<void> | null {
    const { frame, blocks } = this;
    if (!frame || frame.isAttributes) return this.readBare(value);
    if (frame.isList) {
      frame.run = -1;
      return this.readBare(value);
    }
    const parent = this.frames[this.frames.length - 2];
    switch (frame.member) {
      case 'type':
        frame.type = typeOf(value);
        return null;
      case 'style':
        if (HEADING_STYLE.test(value)) frame.isHeading = true;
        return null;
      case 'insert':
        if (!parent?.isList) return this.readBare(value);
        frame.insert = value;
        return null;
      case 'source':
      case 'ofNode':
        if (!isNoText(value)) this.doubtful.push(blocks.push(value));
        return null;
      case 'text':
        frame.textFrom = blocks.length;
        return parent?.isList && (frame.type === 'text' || isOfTexts(parent))
          ? this.readInline(value)
          : this.readBare(value);
      default:
        return this.readBare(value);
    }
  }

  /** A string that is a paragraph or several. */
  private readBare(value: string): Portions<void> | null {
    if (isNoText(value)) return null;
    if (hasMarkup(value)) return readMarkup(value, this.onBlock);
    this.blocks.push(value);
    return null;
  }

  /** A string that is a part of one. */
  private readInline(value: string): Portions<void> | null {
    if (value === '' || isData(value)) return null;
    if (hasTags(value)) return this.readTagged(value);
    this.blocks.push(value);
    return null;
  }

  private *readTagged(value: string): Portions<void> {
    this.blocks.push(yield* withoutTags(value));
  }

  /** @returns what is left to do */
  private close(): Portions<void> | null {
    const closed = this.frames.pop();
    const parent = this.frames[this.frames.length - 1] ?? null;
    this.frame = parent;
    this.expectsName = false;
    if (!closed) return null;
    if (!closed.isList) {
      this.endMember(closed);
      this.resolveDoubts(closed, parent);
      if (closed.isMarkdown && closed.sourceFrom >= 0) {
        this.blocks.texts.fill('', closed.sourceFrom, closed.sourceTo);
      }
    }
    if (parent?.isList !== true) this.closeBlock(closed);
    else if (closed.isList) parent.run = -1;
    else if (closed.insert !== null) return this.readLines(closed, closed.insert, parent);
    else this.closeElement(closed, parent);
    return null;
  }

  /** An object that is a member of a node is a part of it. */
  private resolveDoubts({ type, doubts }: Frame, parent: Frame | null): void {
    const { doubtful, blocks } = this;
    if (type !== 'none') for (const block of doubtful.slice(doubts)) blocks.texts[block] = '';
    if (type !== 'none' || parent?.isList !== false) doubtful.length = doubts;
  }

  private closeElement(closed: Frame, list: Frame): void {
    const { blocks } = this;
    const { type, first } = closed;
    if (this.isTextNode(closed, list)) {
      blocks.cut(closed.textTo);
      const text = blocks.cut(closed.textFrom);
      blocks.cut(first);
      this.continueRun(list, text, '', '');
    } else if (type === 'break') {
      blocks.cut(first);
      list.gap = '\n';
    } else if (type === 'link') this.continueRun(list, blocks.cut(first), '', '');
    else if (isInline(closed, list)) {
      this.continueRun(list, blocks.cut(first), ' ', ' ');
    } else {
      list.run = -1;
      this.closeBlock(closed);
    }
  }

  private isTextNode(closed: Frame, list: Frame): boolean {
    const { type, textFrom, textTo, first } = closed;
    if (textFrom < 0 || closed.isAttributes) return false;
    if (type === 'text') return true;
    if (!isOfTexts(list)) return false;
    if (type === 'inline') return true;
    return type === 'none' && this.blocks.length - first === textTo - textFrom;
  }

  private continueRun(list: Frame, text: string, before: string, after: string): void {
    if (text === '') {
      list.gap ||= after;
      return;
    }
    const gap = list.gap || before;
    // A long text may consist of many parts that would have to be joined first.
    const isShort = text.length < 1000;
    if (list.run < 0) list.run = this.blocks.push(text);
    else {
      const isNeeded = gap !== ' ' || !(list.endsInSpace || (isShort && isSpace(text, 0)));
      this.blocks.texts[list.run] += isNeeded ? gap + text : text;
    }
    list.endsInSpace = isShort && isSpace(text, text.length - 1);
    list.gap = after;
  }

  private closeBlock(closed: Frame): void {
    const { blocks } = this;
    if (closed.type !== 'heading' && !closed.isHeading) return;
    if (closed.hasContent && closed.childrenFrom >= 0 && closed.childrenTo >= 0) {
      blocks.markHeading(closed.first, closed.childrenFrom);
      blocks.markHeading(closed.childrenTo, blocks.length);
    } else blocks.markHeading(closed.first, blocks.length);
  }

  /** The end of a line says what the line is. */
  private *readLines(closed: Frame, text: string, list: Frame): Portions<void> {
    const { blocks } = this;
    blocks.cut(closed.first);
    if (isData(text)) return;
    const value = hasTags(text) ? yield* withoutTags(text) : text;
    for (let at = 0, rest = PORTION; ; ) {
      const end = value.indexOf('\n', at);
      this.continueRun(list, end < 0 ? value.slice(at) : value.slice(at, end), '', '');
      if (end < 0) return;
      if (closed.isHeadingFormat && list.run >= 0) blocks.markHeading(list.run, list.run + 1);
      list.run = -1;
      rest -= end - at + STEP;
      at = end + 1;
      if (rest <= 0) {
        yield;
        rest = PORTION;
      }
    }
  }
}

/** Whether an object of the list that has a text is a part of one. */
const isOfTexts = ({ key }: Frame): boolean =>
  key === 'content' || key === 'children' || key === 'operations';

function isInline({ type }: Frame, list: Frame): boolean {
  if (list.key === 'operations' || type === 'inline') return true;
  return type === 'other' && list.run >= 0;
}

const isSpace = (text: string, at: number): boolean => {
  const char = text.charCodeAt(at);
  return char === 0x20 || (char >= 0x09 && char <= 0x0d) || char === 0xa0;
};

/** As endOfString, and faster if the string is long. */
function endOfLongString(content: string, quote: number): number {
  for (let at = quote + 1; at < content.length; ) {
    for (const near = at + 64; at < near; at++) {
      const char = content.charCodeAt(at);
      if (char === QUOTE) return at + 1;
      if (char === BACKSLASH) at++;
    }
    const end = content.indexOf('"', at);
    if (end < 0) break;
    let escapes = end;
    while (escapes > at && content.charCodeAt(escapes - 1) === BACKSLASH) escapes--;
    if ((end - escapes) % 2 === 0) return end + 1;
    at = end + 1;
  }
  return content.length;
}

/** The value of the string, without quotes and escapes. */
function decode(content: string, from: number, end: number): string {
  const value = content.slice(from + 1, end - 1);
  if (!value.includes('\\')) return value;
  try {
    return JSON.parse(content.slice(from, end)) as string;
  } catch {
    return value;
  }
}
