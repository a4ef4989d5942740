/**
 * What the name of a member says about its value.
 * - `other`: text, unless something else is against it
 * - `hidden`: the editor's, with all below
 * - `ofNode`: the editor's if it is a string of a node, that is of an object that has a type
 * - `source`: as `ofNode`; beside `markdown`, what an import has noted of the file
 * - `attributes`: an object of which a few strings are for the reader
 * - `insert`: the text of an operation of Quill
 * - `formats`: what such an operation does to its text; the editor's, but it tells headings
 */
export type Key =
  | 'other'
  | 'hidden'
  | 'ofNode'
  | 'source'
  | 'type'
  | 'style'
  | 'attributes'
  | 'text'
  | 'insert'
  | 'formats'
  | 'content'
  | 'markdown'
  | 'children'
  | 'operations';

const KEYS = new Map<string, Key>([
  ['type', 'type'],
  ['_type', 'type'],
  ['style', 'style'],
  ['attrs', 'attributes'],
  ['props', 'attributes'],
  ['attributes', 'formats'],
  ['text', 'text'],
  ['insert', 'insert'],
  ['content', 'content'],
  ['markdown', 'markdown'],
  ['source', 'source'],
  ['children', 'children'],
  ['ops', 'operations'],
  ...[
    ...[
      'id',
      'ids',
      'version',
      '_id',
      'ID',
      'uuid',
      'guid',
      '_key',
      '__typename',
      'marks',
      'markDefs',
    ],
    ...['styles', 'annotations', 'inlineStyleRanges', 'entityRanges', 'class', 'className', 'css'],
    ...['textAlign', 'textAlignment', 'textFormat', 'textStyle', 'mimeType', 'hash', 'checksum'],
  ].map((name) => [name, 'hidden'] as const),
  ...[
    ...['format', 'mode', 'direction', 'dir', 'tag', 'key', 'listType', 'level', 'kind'],
    ...['language', 'lang', 'url', 'href', 'src', 'file', 'link', 'embed', 'service'],
    ...['target', 'rel', 'align', 'alignment', 'highlightType', 'background', 'theme', 'variant'],
    ...['size', 'width', 'height', 'indent', 'layout', 'icon', 'extension', 'provider', 'mime'],
    ...['state', 'depth', 'mutability', 'charset', 'encoding'],
  ].map((name) => [name, 'ofNode'] as const),
]);

/** The case of letters tells an id from a word: *valid*. */
const ID = /[a-z0-9](?:Id|ID)s?$|[_-]ids?$/;
const LOOKS = /[cC]olou?r|COLOU?R|^font(?:[-_A-Z]|$)|^line-?[hH]eight$/;

export function keyOf(name: string): Key {
  const key = KEYS.get(name);
  if (key !== undefined) return key;
  return ID.test(name) || LOOKS.test(name) ? 'hidden' : 'other';
}

/** Strings of attributes that the reader sees: what a mention, an image or a formula shows. */
const SHOWN = new Set([
  ...['text', 'alt', 'title', 'label', 'caption', 'name', 'description', 'summary', 'user'],
  ...['value', 'latex', 'formula'],
]);

export const isShown = (name: string): boolean => SHOWN.has(name);

/**
 * What the type of a node says about its text.
 * - `none`: the object has no type
 * - `other`: unknown; inline if it follows text
 * - `text`: neighbours of its kind are one text
 * - `break`: white space
 * - `link`: part of the text around it
 * - `inline`: a word of the text around it
 */
export type NodeType =
  | 'none'
  | 'other'
  | 'text'
  | 'break'
  | 'link'
  | 'inline'
  | 'block'
  | 'heading';

const TYPES = new Map<string, NodeType>([
  ...['text', 'span', 'tab', 'code-highlight', 'hashtag', 'keyword', 'leaf'].map(
    (name) => [name, 'text'] as const,
  ),
  ...['hardBreak', 'hard_break', 'linebreak', 'lineBreak', 'line-break', 'softBreak', 'br'].map(
    (name) => [name, 'break'] as const,
  ),
  ...['link', 'autolink', 'a', 'mark', 'overflow'].map((name) => [name, 'link'] as const),
  ...['mention', 'emoji', 'inlineMath', 'inline-code', 'inlineImage', 'footnoteReference'].map(
    (name) => [name, 'inline'] as const,
  ),
  ...[
    ...['doc', 'root', 'paragraph', 'p', 'blockquote', 'quote', 'list', 'li', 'ul', 'ol'],
    ...['bulletList', 'orderedList', 'listItem', 'listitem', 'list-item', 'list_item', 'taskList'],
    ...['taskItem', 'table', 'tableRow', 'tableCell', 'tableHeader', 'tablerow', 'tablecell'],
    ...['bulleted-list', 'numbered-list', 'codeBlock', 'code_block', 'code', 'horizontalRule'],
    ...['bulletListItem', 'numberedListItem', 'checkListItem', 'block'],
  ].map((name) => [name, 'block'] as const),
  ['heading', 'heading'],
  ['header', 'heading'],
]);

const HEADING =
  /^(?:h[1-6]|title|head(?:ing|er)(?:[-_ ]?(?:[1-6]|one|two|three|four|five|six))?)$/i;

export const typeOf = (name: string): NodeType =>
  TYPES.get(name) ?? (HEADING.test(name) ? 'heading' : 'other');

const DATA = /^data:(?:[a-z]+\/[\w.+-]+)?(?:;[\w=.+-]+)*,/i;
const COLOUR = /^(?:#(?:[0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})|(?:rgb|hsl)a?\([\d\s.,%/]*\))$/i;

/** Nothing, an address that holds its data, such as an image, or a colour. */
export const isNoText = (value: string): boolean =>
  value === '' || isData(value) || (value.length <= 40 && COLOUR.test(value));

export const isData = (value: string): boolean =>
  value.startsWith('data:') && DATA.test(value.slice(0, 200));
