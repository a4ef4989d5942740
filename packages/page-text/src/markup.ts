import type { Portions } from '@teamspaces/json-text/json-grammar';

/** Characters of a string that are read before other work continues. */
const PORTION = 16 * 1024;
/** As many characters take as long as a step beside the reading. */
const STEP = 16;

/** Elements of HTML whose tags are dropped; `<T>` and `List<String>` are text. */
const INLINE = new Set(
  'a abbr acronym b bdi bdo big button cite code data del dfn em font i input ins kbd label mark math meter q ruby s samp small span strike strong sub sup svg time tt u var wbr'.split(
    ' ',
  ),
);
/** Elements that begin a block of their own. */
const BLOCK = new Set(
  'address doctype article aside audio blockquote body br canvas caption center col colgroup dd details dialog div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 head header hr html iframe img legend li link main menu meta nav noscript object ol optgroup option p picture pre rp rt script section select source style summary table tbody td template textarea tfoot th thead title tr track ul video'.split(
    ' ',
  ),
);
/** White space, but not the end of a block. */
const SPACE = new Set(['br', 'img', 'rp', 'rt', 'source', 'link', 'meta']);
/** What they hold is not text. */
const OPAQUE = new Set(['script', 'style']);
const CLOSING_OPAQUE = /<\/(?:script|style)/gi;
const TAG_NAME = /<([/!]?)([a-zA-Z][a-zA-Z0-9.]{0,40})(?=[\s/>])/y;
/** What components of MDX look like, and generic types do not: `<Since v="1" />`, `</Steps>`. */
const COMPONENT = /^[A-Z]/;
const OF_COMPONENT = /^<\/|=\s*["'{]|\/>$/;

const ENTITY = /&(?:#(\d{1,7})|#[xX]([0-9a-fA-F]{1,6})|([a-zA-Z]{2,8}));/y;
const ENTITIES = new Map(
  Object.entries({
    ...{ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: '\u00a0', shy: '\u00ad' },
    ...{ ndash: '–', mdash: '—', hellip: '…', laquo: '«', raquo: '»', copy: '©', euro: '€' },
    ...{ auml: 'ä', ouml: 'ö', uuml: 'ü', Auml: 'Ä', Ouml: 'Ö', Uuml: 'Ü', szlig: 'ß' },
    ...{ eacute: 'é', egrave: 'è', agrave: 'à', ccedil: 'ç', ntilde: 'ñ', aring: 'å', oslash: 'ø' },
  }),
);

/** The beginning of a line that is not plain text. */
const MAY_BE_SYNTAX = /[ \t\r]{0,200}(?:[-#=*+_>|`~[\d\n:]|import\s|$)/y;
const FENCE = /^[ \t]*(`{3,}(?=[^`]*$)|~{3,})(.*)$/s;
const HASHES = /^ {0,3}#{1,6}(?=\s|$)/;
const CLOSING_HASHES = /\s#+\s*$/;
const UNDERLINE = /^ {0,3}(?:={2,}|-{2,})\s*$/;
const RULE = /^ {0,3}([-*_])(?:[ \t]*\1){2,}\s*$/;
const QUOTE = /^(?: {0,3}>)+ ?/;
const BULLET = /^[ \t]*[-*+][ \t]+(?:\[[ xX]\][ \t]+)?/;
const ORDINAL = /^[ \t]*\d{1,9}[.)][ \t]/;
const ROW = /^[ \t]*\|/;
const ROW_RULE = /^[|\s:-]*$/;
const DEFINITION =
  /^ {0,3}\[[^\]^][^\]]*\]:[ \t]*<?(?:https?:|mailto:|[./#])\S*(?:[ \t]+["'(].*)?$/;
/** A line of MDX that loads components. */
const IMPORT = /^import\s(?:[\w$\s{},*]+\sfrom\s+)?["'][^"']+["'];?\s*$/;
/** The line that begins or ends a note; its label is text. */
const DIRECTIVE = /^[ \t]*:{3,}[\w-]*(?:\[(.*)\])?(?:\{.*\})?\s*$/;
/** Syntax is looked for in so many characters of a line: the patterns above are not for long ones. */
const LINE = 500;

const IN_MARKDOWN = /[<&\n\r*[\]|`]/g;
const IN_TEXT = /[<&]/g;
const HAS_MARKUP = /[<&\n\r*[`]|^[ \t]{0,200}(?:[#>|~]|:::|import\s)/;
/** Characters in which the end of a code span is looked for. */
const MAX_CODE = 2000;
/** A code span does not go past the end of its block. */
const BLOCK_END = /\n[ \t\r]*(?:\n|```|~~~|#{1,6}\s|[-*+>|]\s?)/;
/** The name of the definition that a link refers to. */
const REFERENCE = /\[[^[\]\n]{1,200}\]/y;
/** Parts of a block that are not joined yet; links and emphasis are known within them. */
const MAX_PARTS = 2048;

/** Whether the string is something other than one block as it stands. */
export const hasMarkup = (value: string): boolean => HAS_MARKUP.test(value);

export const hasTags = (value: string): boolean => value.includes('<') || value.includes('&');

/** Takes a block's text: it is not blank. */
export type OnBlock = (text: string, isHeading: boolean) => void;

/** Reads a string of Markdown, HTML or plain lines. */
export function* readMarkup(value: string, onBlock: OnBlock): Portions<void> {
  yield* new MarkupReader(value, true, onBlock).read();
}

/** The string without its tags, in one: those of blocks are ends of lines. */
export function* withoutTags(value: string): Portions<string> {
  const reader = new MarkupReader(value, false, () => undefined);
  yield* reader.read();
  return reader.text;
}

/** Every character is looked at a bounded number of times: what turns out not to be a tag or link is not read again. */
class MarkupReader {
  /** Of the current block: what is before its parts. */
  text = '';
  private parts: string[] = [];
  private isHeading = false;
  /** It is one for the line, not for an element. */
  private isHeadingLine = false;
  private lines = 0;
  private isRow = false;
  /** What the code block began with; null: none is open. */
  private fence: string | null = null;
  /** Nothing that follows ends a comment, or an element that is not text. */
  private hasNoCommentEnd = false;
  private hasNoOpaqueEnd = false;
  /** Where in the parts a bracket, and a run of asterisks, is open. */
  private bracket = -1;
  /** Whether the bracket does not follow a word, as an index does. */
  private isLinkText = false;
  private asterisks = -1;
  private at = 0;

  constructor(
    private readonly value: string,
    private readonly isMarkdown: boolean,
    private readonly onBlock: OnBlock,
  ) {}

  *read(): Portions<void> {
    const { value, isMarkdown } = this;
    for (let isLineStart = isMarkdown, rest = PORTION; this.at < value.length; ) {
      if (rest <= 0) {
        yield;
        rest = PORTION;
      }
      const from = this.at;
      if (isLineStart) isLineStart = this.startLine();
      else isLineStart = this.readPart();
      rest -= this.at - from + STEP;
    }
    if (isMarkdown) this.endBlock();
    else this.joinParts();
  }

  /** @returns whether the line is read completely */
  private startLine(): boolean {
    MAY_BE_SYNTAX.lastIndex = this.at;
    if (this.fence === null && !MAY_BE_SYNTAX.test(this.value)) {
      this.isRow = false;
      this.lines++;
      return false;
    }
    const end = this.value.indexOf('\n', this.at);
    const lineEnd = end < 0 ? this.value.length : end;
    let line = this.value.slice(this.at, Math.min(lineEnd, this.at + LINE));
    const isWhole = this.at + line.length === lineEnd;
    if (isWhole && this.isFence(line)) {
      this.endBlock();
      return this.endLine(lineEnd);
    }
    if (this.fence !== null) {
      this.add(this.value.slice(this.at, lineEnd + 1));
      return this.endLine(lineEnd);
    }
    const quote = QUOTE.exec(line)?.[0].length ?? 0;
    this.at += quote;
    line = line.slice(quote);
    if (isWhole && this.isSyntaxOnly(line)) return this.endLine(lineEnd);
    const isHeading = HASHES.test(line);
    const bullet = BULLET.exec(line);
    this.isRow = ROW.test(line);
    if (isHeading || bullet || this.isRow || ORDINAL.test(line)) this.endBlock();
    if (isHeading) {
      this.isHeading = true;
      this.isHeadingLine = true;
      this.at += line.length - line.trimStart().replace(/^#+/, '').length;
    } else if (bullet) this.at += bullet[0].length;
    this.lines += isHeading ? 0 : 1;
    return false;
  }

  /** Whether the line begins or ends a code block. */
  private isFence(line: string): boolean {
    const [, signs, info = ''] = FENCE.exec(line) ?? [];
    if (signs === undefined) return false;
    if (this.fence === null) this.fence = signs;
    else if (signs.startsWith(this.fence) && info.trim() === '') this.fence = null;
    else return false;
    return true;
  }

  /** Whether the line has no text; what it says about the block is done. */
  private isSyntaxOnly(line: string): boolean {
    if (UNDERLINE.test(line) && this.lines === 1 && !this.isBlank()) {
      this.isHeading = true;
      this.endBlock();
      return true;
    }
    const directive = DIRECTIVE.exec(line);
    if (directive) {
      this.endBlock();
      this.add(directive[1] ?? '');
    }
    const isSyntax =
      directive !== null ||
      line.trim() === '' ||
      RULE.test(line) ||
      DEFINITION.test(line) ||
      IMPORT.test(line) ||
      (ROW.test(line) && ROW_RULE.test(line));
    if (isSyntax) this.endBlock();
    return isSyntax;
  }

  private endLine(lineEnd: number): true {
    this.at = lineEnd + 1;
    return true;
  }

  /** Reads up to the next character that may be markup, and that. @returns whether a line begins */
  private readPart(): boolean {
    const { value, at, isMarkdown } = this;
    const special = isMarkdown ? IN_MARKDOWN : IN_TEXT;
    special.lastIndex = at;
    const found = special.exec(value);
    const end = found ? found.index : value.length;
    const isImage = found?.[0] === '[' && end > at && value[end - 1] === '!';
    if (end > at) this.add(value.slice(at, isImage ? end - 1 : end));
    this.at = end + 1;
    switch (found?.[0]) {
      case '<':
        this.readTag(end);
        break;
      case '&':
        this.readEntity(end);
        break;
      case '*':
        this.readAsterisks(end);
        break;
      case '`':
        this.readCode(end);
        break;
      case '[':
        this.bracket = this.add(isImage ? '![' : '[');
        this.isLinkText = isImage || end === 0 || !/[\w\])]/.test(value.charAt(end - 1));
        break;
      case ']':
        this.readLinkEnd(end);
        break;
      case '|':
        if (this.isRow) this.endBlock();
        else this.add('|');
        break;
      case '\r':
        if (value[this.at] !== '\n') this.add(' ');
        break;
      case '\n':
        if (this.isRow || this.isHeadingLine) this.endBlock();
        else this.add(' ');
        return true;
    }
    return false;
  }

  private readTag(start: number): void {
    const { value } = this;
    if (value.startsWith('<!--', start)) {
      this.readComment(start);
      return;
    }
    TAG_NAME.lastIndex = start;
    const [, slash, written = ''] = TAG_NAME.exec(value) ?? [];
    const name = written.toLowerCase();
    const isComponent = this.isMarkdown && COMPONENT.test(written);
    const isBlock = BLOCK.has(name);
    if (!isBlock && !INLINE.has(name) && !isComponent) {
      this.add('<');
      return;
    }
    const end = endOfTag(value, start + 1 + written.length);
    this.at = Math.abs(end);
    const tag = value.slice(start, this.at);
    if (end < 0) this.add(tag);
    else if (isBlock) this.onTag(name, slash === '');
    else if (!INLINE.has(name)) {
      this.add(OF_COMPONENT.test(tag) || isAlone(value, start, end) ? ' ' : tag);
    }
    if (end > 0 && OPAQUE.has(name) && slash === '') this.skipOpaque();
  }

  private readComment(start: number): void {
    const end = this.hasNoCommentEnd ? -1 : this.value.indexOf('-->', start + 4);
    this.hasNoCommentEnd = end < 0;
    if (end < 0) this.add('<');
    else this.at = end + 3;
  }

  private onTag(name: string, isOpening: boolean): void {
    if (!this.isMarkdown) this.add('\n');
    else if (SPACE.has(name)) this.add(' ');
    else {
      this.endBlock();
      this.isHeading = isOpening && /^h[1-6]$/.test(name);
    }
  }

  private skipOpaque(): void {
    if (this.hasNoOpaqueEnd) return;
    CLOSING_OPAQUE.lastIndex = this.at;
    const end = CLOSING_OPAQUE.exec(this.value);
    if (end) this.at = end.index;
    else this.hasNoOpaqueEnd = true;
  }

  /** A code span: what is in it is not markup. */
  private readCode(start: number): void {
    const { value } = this;
    while (value[this.at] === '`') this.at++;
    const length = this.at - start;
    for (let from = this.at; ; ) {
      const open = value.indexOf('`', from);
      if (open < 0 || open > start + MAX_CODE) break;
      let end = open;
      while (value[end] === '`') end++;
      from = end;
      if (end - open !== length) continue;
      const code = value.slice(this.at, open);
      if (!this.isCode(code)) break;
      this.add((this.isRow ? code.replaceAll('\\|', '|') : code).replace(/\s+/g, ' '));
      this.at = end;
      return;
    }
    this.add(value.slice(start, this.at));
  }

  private isCode(code: string): boolean {
    const isLine = this.isRow || this.isHeadingLine;
    return isLine ? !code.includes('\n') : !BLOCK_END.test(code);
  }

  private readEntity(start: number): void {
    ENTITY.lastIndex = start;
    const found = ENTITY.exec(this.value);
    const decoded = found && decode(found);
    this.add(decoded ?? '&');
    if (found && decoded) this.at = start + found[0].length;
  }

  /** Emphasis: *a*, **a** and ***a***, also within a word. */
  private readAsterisks(start: number): void {
    const { value } = this;
    while (value[this.at] === '*' && this.at - start < 1000) this.at++;
    const run = value.slice(start, this.at);
    const opened = this.parts[this.asterisks];
    if (opened === run && start > 0 && isInk(value, start - 1)) {
      this.parts[this.asterisks] = '';
      this.asterisks = -1;
    } else {
      const index = this.add(run);
      if (run.length <= 3 && isInk(value, this.at)) this.asterisks = index;
    }
  }

  /** The address of a link, or the name of its definition, is not text. */
  private readLinkEnd(start: number): void {
    const { value } = this;
    let end = -1;
    if (this.bracket >= 0 && value[start + 1] === '(') end = endOfDestination(value, start + 2);
    else if (this.bracket >= 0 && this.isLinkText) end = endOfReference(value, start + 1);
    if (end < 0) this.add(']');
    else {
      this.parts[this.bracket] = '';
      this.at = end;
    }
    this.bracket = -1;
  }

  private add(part: string): number {
    if (this.parts.length >= MAX_PARTS) this.joinParts(MAX_PARTS / 8);
    return this.parts.push(part) - 1;
  }

  /** @param rest how many of them to keep, because links and emphasis that are open begin there */
  private joinParts(rest = 0): void {
    const joined = Math.max(0, this.parts.length - rest);
    this.text += this.parts.slice(0, joined).join('');
    this.parts = this.parts.slice(joined);
    this.bracket = Math.max(-1, this.bracket - joined);
    this.asterisks = Math.max(-1, this.asterisks - joined);
  }

  private isBlank(): boolean {
    return this.text === '' && this.parts.every((part) => part.trim() === '');
  }

  private endBlock(): void {
    this.joinParts();
    const { isHeading } = this;
    const text = (isHeading ? this.text.replace(CLOSING_HASHES, '') : this.text).trim();
    if (text !== '') this.onBlock(text, isHeading);
    this.text = '';
    this.isHeading = false;
    this.isHeadingLine = false;
    this.lines = 0;
  }
}

/** Whether a character other than white space is there. */
const isInk = (value: string, at: number): boolean =>
  at < value.length && !/\s/.test(value.charAt(at));

/** The character that an entity stands for. */
function decode([, decimal, hexadecimal, name]: RegExpExecArray): string | null {
  if (name !== undefined) return ENTITIES.get(name) ?? null;
  const code = decimal ? Number(decimal) : Number.parseInt(hexadecimal ?? '', 16);
  const isCharacter = code > 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff);
  return isCharacter ? String.fromCodePoint(code) : null;
}

/** Whether nothing else is in the line of the tag from `start` to `end`. */
function isAlone(value: string, start: number, end: number): boolean {
  const before = value.slice(Math.max(0, start - LINE), start);
  const after = value.slice(end, end + LINE);
  return /(?:^|\n)[ \t]*$/.test(before) && /^[ \t\r]*(?:\n|$)/.test(after);
}

/** The position after the tag, or, negative, where it turns out not to be one. */
function endOfTag(value: string, start: number): number {
  for (let at = start; at < value.length; at++) {
    const char = value[at];
    if (char === '>') return at + 1;
    if (char === '<' || (char === '\n' && value[at + 1] === '\n')) return -at;
    if (char !== '=') continue;
    while (value[at + 1] === ' ') at++;
    const quote = value[at + 1];
    if (quote !== '"' && quote !== "'") continue;
    const end = value.indexOf(quote, at + 2);
    if (end > 0) at = end;
  }
  return -value.length;
}

/** The position after `[name]`, or -1. */
function endOfReference(value: string, start: number): number {
  REFERENCE.lastIndex = start;
  return REFERENCE.test(value) ? REFERENCE.lastIndex : -1;
}

/** The position after the parenthesis that ends the address of a link, or -1. */
function endOfDestination(value: string, start: number): number {
  let isNested = false;
  IN_BRACKETS.lastIndex = start;
  const first = IN_BRACKETS.test(value) ? IN_BRACKETS.lastIndex : start;
  for (let at = first; at < value.length; at++) {
    const char = value.charAt(at);
    if (char === '(') {
      if (isNested) return -1;
      isNested = true;
    } else if (char === ')') {
      if (!isNested) return at + 1;
      isNested = false;
    } else if (char <= ' ') return endOfLinkTitle(value, at);
  }
  return -1;
}

const IN_BRACKETS = /<[^<>\n]{0,2000}>/y;
const LINK_TITLE = /\s{0,20}(?:"[^"]{0,500}"|'[^']{0,500}')?\s{0,20}\)/y;

function endOfLinkTitle(value: string, start: number): number {
  LINK_TITLE.lastIndex = start;
  return LINK_TITLE.test(value) ? LINK_TITLE.lastIndex : -1;
}
