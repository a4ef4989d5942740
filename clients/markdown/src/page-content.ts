import { isDeepStrictEqual } from 'node:util';
import { type Document, isScalar, parseDocument, stringify, visit } from 'yaml';
import { isMarked } from './exact-json.js';

/** The `content` of a page that came from a Markdown file. */
export interface MarkdownContent {
  /** The text behind the front matter, as it was in the file. */
  markdown: string;
  /** The front matter's values; {} where the file has none. */
  frontMatter: Record<string, unknown>;
  source: {
    /** Where the file was, from the imported folder, with slashes. Tells what is there already. */
    path: string;
    /** What stands before the text, to the letter: front matter with its fences, or a byte order mark, or both. */
    frontMatter?: string;
  };
}

/** A page's content is nested at most 64 deep; the front matter begins one level down. */
const MAX_DEPTH = 63;
/** Bytes of the longest front matter that is parsed. */
const MAX_FRONT_MATTER = 16 * 1024;
const BYTE_ORDER_MARK = /^\uFEFF?/;
const FIRST_FENCE = /^\uFEFF?---[ \t]*\r?\n/;
const LAST_FENCE = /(?<=\n)---[ \t]*(?:\r?\n|(?![\s\S]))/g;

/**
 * The content of a page for a file's text. Front matter that is no YAML mapping, is longer than 16 KiB, or holds what
 * no page can, stays text.
 */
export function contentOf(text: string, path: string): MarkdownContent {
  const raw = rawFrontMatter(text);
  const frontMatter = raw === '' ? null : parseFrontMatter(raw);
  if (frontMatter === null) {
    const mark = markOf(text);
    const source = { path, ...(mark && { frontMatter: mark }) };
    return { markdown: text.slice(mark.length), frontMatter: {}, source };
  }
  return { markdown: text.slice(raw.length), frontMatter, source: { path, frontMatter: raw } };
}

/** A page's file. */
export interface MarkdownFile {
  text: string;
  /** As an import reads it from the text: {} where it is too long to be read. */
  frontMatter: Record<string, unknown>;
}

/** The file of a page; null where its content is not that of a Markdown page. */
export function fileOf(content: object): MarkdownFile | null {
  if (Object.keys(content).length === 0) return { text: '', frontMatter: {} };
  const { markdown, frontMatter = {}, source = {} } = content as Partial<MarkdownContent>;
  if (!hasOnly(content, ['markdown', 'frontMatter', 'source'])) return null;
  if (!isMapping(source) || !hasOnly(source, ['path', 'frontMatter'])) return null;
  if (typeof markdown !== 'string' || !isMapping(frontMatter)) return null;
  if (holds(content, isMarked)) return null;
  const raw: unknown = source.frontMatter;
  if (typeof raw === 'string' && isDeepStrictEqual(parseFrontMatter(raw), frontMatter)) {
    const text = raw + markdown;
    return rawFrontMatter(text) === raw ? { text, frontMatter } : readAgain(text);
  }
  const isEmpty = Object.keys(frontMatter).length === 0;
  return readAgain(isEmpty ? markdown : `---\n${stringify(frontMatter)}---\n${markdown}`);
}

const readAgain = (text: string): MarkdownFile => ({
  text,
  frontMatter: contentOf(text, '').frontMatter,
});

/**
 * The text of a page's file with a key in its front matter. The rest of it stays as it is, unless the field is there and
 * has more than a line: then it is written again from its values. Where it would be too long with the key, it becomes text.
 */
export function withKey(text: string, key: string): string {
  const mark = markOf(text);
  const alone = `${mark}---\n${stringify({ key })}---\n${text.slice(mark.length)}`;
  return withField(text, { key }) ?? alone;
}

/** The text of a page's file with a title in its front matter; as it is where that would be too long then. */
export const withTitle = (text: string, title: string): string =>
  withField(text, { title }) ?? text;

/** The text of a page's file without the key in its front matter. The rest stays, as by withKey(). */
export function withoutKey(text: string): string {
  const { raw, markdown, frontMatter } = partsOf(text);
  const { key: _, ...wanted } = frontMatter;
  const removed = raw.replace(lineOf('key'), '');
  if (isDeepStrictEqual(parseFrontMatter(removed), wanted)) return removed + markdown;
  return `${markOf(text)}---\n${stringify(wanted)}---\n${markdown}`;
}

/** @returns null: the front matter would be too long */
function withField(text: string, field: Record<string, string>): string | null {
  const { raw, markdown, frontMatter } = partsOf(text);
  const wanted = { ...frontMatter, ...field };
  const [name = ''] = Object.keys(field);
  const line = stringify(field, { lineWidth: 0 });
  const written = lineOf(name).test(raw)
    ? raw.replace(lineOf(name), (old) => withBreaksOf(old, line))
    : raw.replace(FIRST_FENCE, (fence) => fence + withBreaksOf(fence, line));
  if (isDeepStrictEqual(parseFrontMatter(written), wanted)) return written + markdown;
  const rewritten = `${markOf(text)}---\n${stringify(wanted)}---\n`;
  return parseFrontMatter(rewritten) === null ? null : rewritten + markdown;
}

/** The line of a field that is written on one line, at the top level of front matter. */
const lineOf = (field: string): RegExp =>
  new RegExp(`^(?:${field}|"${field}"|'${field}')[ \\t]*:.*\\r?\\n`, 'm');

const withBreaksOf = (before: string, lines: string): string =>
  before.endsWith('\r\n') ? lines.replaceAll('\n', '\r\n') : lines;

/** What stands before a file's text, the text, and the values of the front matter. */
function partsOf(text: string) {
  const { markdown, frontMatter } = contentOf(text, '');
  return { raw: text.slice(0, text.length - markdown.length), markdown, frontMatter };
}

const markOf = (text: string): string => BYTE_ORDER_MARK.exec(text)?.[0] ?? '';

const hasOnly = (object: object, keys: readonly string[]): boolean =>
  Object.keys(object).every((key) => keys.includes(key));

/** True where a value, or one inside it, is such. */
const holds = (value: unknown, isSuch: (value: unknown) => boolean): boolean =>
  isSuch(value) ||
  (typeof value === 'object' &&
    value !== null &&
    Object.values(value).some((inner) => holds(inner, isSuch)));

/** The path that a page's content names as its source; null where there is none. */
export function sourcePath(content: object | undefined): string | null {
  const path: unknown = (content as Partial<MarkdownContent> | undefined)?.source?.path;
  return typeof path === 'string' ? path : null;
}

/** The beginning of a text up to and with the second fence; empty where there are no two. */
function rawFrontMatter(text: string): string {
  const first = FIRST_FENCE.exec(text);
  if (!first) return '';
  LAST_FENCE.lastIndex = first[0].length;
  return LAST_FENCE.test(text) ? text.slice(0, LAST_FENCE.lastIndex) : '';
}

/** The values between the fences, as JSON has them; null where they are no mapping, or too long to tell. */
function parseFrontMatter(raw: string): Record<string, unknown> | null {
  if (Buffer.byteLength(raw) > MAX_FRONT_MATTER) return null;
  const yaml = raw.replace(FIRST_FENCE, '').replace(/---[ \t]*(?:\r?\n)?$/, '');
  try {
    const options = { intAsBigInt: true, logLevel: 'silent', uniqueKeys: false } as const;
    const document = parseDocument(yaml, options);
    if (document.errors.length > 0 || hasRepeatedKey(document)) return null;
    const values: unknown = JSON.parse(JSON.stringify(document.toJS() ?? {}, asJson));
    return isMapping(values) && canBeHeld(values, 1) ? values : null;
  } catch {
    return null; // Aliases without end, or nesting that no stack holds.
  }
}

/** True if a mapping names a key twice: by `uniqueKeys`, the parser compares each key with each other one. */
function hasRepeatedKey(document: Document): boolean {
  let isRepeated = false;
  visit(document, {
    Map(_, { items }) {
      const keys = new Set(items.map(({ key }) => (isScalar(key) ? key.value : key)));
      isRepeated = keys.size < items.length;
      return isRepeated ? visit.BREAK : undefined;
    },
  });
  return isRepeated;
}

/** False for what the service refuses in a page's content. */
function canBeHeld(value: unknown, depth: number): boolean {
  if (typeof value === 'string') return value.isWellFormed() && !value.includes('\0');
  if (typeof value !== 'object' || value === null) return true;
  if (depth > MAX_DEPTH) return false;
  return Object.entries(value).every(
    ([key, inner]) => canBeHeld(key, depth) && canBeHeld(inner, depth + 1),
  );
}

/** What JSON's numbers cannot hold becomes text. */
function asJson(_key: string, value: unknown): unknown {
  if (typeof value === 'bigint') {
    return Number.isSafeInteger(Number(value)) ? Number(value) : String(value);
  }
  return typeof value === 'number' && !Number.isFinite(value) ? String(value) : value;
}

const isMapping = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
