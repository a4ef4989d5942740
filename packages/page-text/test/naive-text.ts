import type { TextBlock } from '../src/text.js';
import { isNoText, isShown, type Key, keyOf, type NodeType, typeOf } from '../src/text-names.js';

type Json = string | number | boolean | null | Json[] | { [name: string]: Json };
type JsonObject = { [name: string]: Json };

interface Block {
  text: string;
  isHeading: boolean;
  /** It is not text if a node has it. */
  isDoubtful?: boolean;
}

interface Node {
  type: NodeType;
  blocks: Block[];
  /** Of its member `text`. */
  own: Block[] | null;
  insert: string | null;
  isHeadingFormat: boolean;
}

const TEXTS: Key[] = ['content', 'children', 'operations'];
const NOT_TEXT: Key[] = ['hidden', 'style', 'formats', 'type'];
const isContainer = (value: Json): value is Json[] | JsonObject =>
  typeof value === 'object' && value !== null;

/** The text of JSON whose strings have no markup, by recursion over the parsed value. */
export function naiveText(content: string): TextBlock[] {
  return ofValue(JSON.parse(content) as Json, 'other', false, false)
    .map(({ text, isHeading }) => ({ text: text.trim(), isHeading }))
    .filter(({ text }) => text !== '');
}

function ofValue(value: Json, key: Key, isAttributes: boolean, areShown: boolean): Block[] {
  if (Array.isArray(value)) return ofList(value, key, isAttributes, areShown);
  if (isContainer(value)) return ofObject(value, null, isAttributes).blocks;
  if (typeof value !== 'string' || (isAttributes && !areShown)) return [];
  return ofString(value);
}

const ofString = (text: string): Block[] =>
  text === '\n' || isNoText(text) ? [] : [{ text, isHeading: false }];

function ofObject(object: JsonObject, list: Key | null, isAttributes: boolean): Node {
  const node: Node = { type: 'none', blocks: [], own: null, insert: null, isHeadingFormat: false };
  const nested: Block[] = [];
  let isHeading = false;
  for (const [name, value] of Object.entries(object)) {
    const key = keyOf(name);
    let blocks: Block[] = [];
    if (isContainer(value)) {
      if (key === 'formats') node.isHeadingFormat = /"header":[1-6]/.test(JSON.stringify(value));
      const within = isAttributes || key === 'attributes' || key === 'insert';
      const isOfFile = key === 'source' && 'markdown' in object && !Array.isArray(value);
      if (!NOT_TEXT.includes(key) && !isOfFile)
        blocks = ofValue(value, key, within, isAttributes && isShown(name));
    } else if (typeof value !== 'string') continue;
    else if (isAttributes) blocks = isShown(name) ? ofString(value) : [];
    else if (key === 'type') node.type = typeOf(value);
    else if (key === 'style') isHeading ||= /^h[1-6]$/.test(value);
    else if (key === 'insert' && list !== null) node.insert = value;
    else if (key === 'ofNode' || key === 'source')
      blocks = ofString(value).map((block) => ({ ...block, isDoubtful: true }));
    else if (key === 'text' && list !== null && (node.type === 'text' || TEXTS.includes(list)))
      blocks = value === '' ? [] : [{ text: value, isHeading: false }];
    else if (!NOT_TEXT.includes(key)) blocks = ofString(value);
    if (key === 'text' && typeof value === 'string' && !isAttributes) node.own = blocks;
    if (key === 'children') nested.push(...blocks);
    node.blocks.push(...blocks);
  }
  if (node.type === 'heading' || isHeading) {
    const isOutline = 'content' in object && 'children' in object;
    for (const block of node.blocks)
      if (!isOutline || !nested.includes(block)) block.isHeading = true;
  }
  for (const block of node.blocks) {
    if (block.isDoubtful && node.type !== 'none') block.text = '';
    if (node.type !== 'none' || list !== null) block.isDoubtful = false;
  }
  return node;
}

const isSpace = (text: string, at: number): boolean => /\s/.test(text.at(at) ?? '');

function ofList(list: Json[], key: Key, isAttributes: boolean, areShown: boolean): Block[] {
  const blocks: Block[] = [];
  let run: Block | null = null;
  let gap = '';
  const proceed = (text: string, before: string, after: string) => {
    if (text === '') {
      gap ||= after;
      return;
    }
    const between = gap || before;
    if (run) {
      const isNeeded = between !== ' ' || !(isSpace(run.text, -1) || isSpace(text, 0));
      run.text += isNeeded ? between + text : text;
    } else {
      run = { text, isHeading: false };
      blocks.push(run);
    }
    gap = after;
  };
  const textOf = (some: Block[]) =>
    some
      .map(({ text }) => text)
      .filter((text) => text !== '')
      .join(' ');

  for (const element of list) {
    if (!isContainer(element) && typeof element !== 'string') continue;
    if (typeof element === 'string' && isAttributes && !areShown) continue;
    if (!isContainer(element) || Array.isArray(element)) {
      blocks.push(...ofValue(element, 'other', isAttributes, areShown));
      run = null;
      continue;
    }
    const node = ofObject(element, key, isAttributes);
    const { type, own } = node;
    const isOnlyText = own !== null && node.blocks.length === own.length;
    const isPart = TEXTS.includes(key) && (type === 'inline' || (type === 'none' && isOnlyText));
    if (node.insert !== null) {
      const lines = node.insert.split('\n');
      for (const [n, line] of lines.entries()) {
        proceed(line, '', '');
        if (n === lines.length - 1) continue;
        if (run && node.isHeadingFormat) (run as Block).isHeading = true;
        run = null;
        gap = '';
      }
    } else if (own && (type === 'text' || isPart)) proceed(textOf(own), '', '');
    else if (type === 'break') gap = run ? '\n' : gap;
    else if (type === 'link') proceed(textOf(node.blocks), '', '');
    else if (key === 'operations' || type === 'inline' || (type === 'other' && run))
      proceed(textOf(node.blocks), ' ', ' ');
    else {
      run = null;
      blocks.push(...node.blocks);
    }
  }
  return blocks;
}
