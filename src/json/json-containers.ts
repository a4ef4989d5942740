import {
  CLOSE_LIST,
  CLOSE_OBJECT,
  COMMA,
  endOfString,
  OPEN_OBJECT,
  PORTION,
  type Portions,
  QUOTE,
  skipSpace,
} from './json-grammar.js';
import { endOfScalar, isContainer } from './json-members.js';

/** The objects and lists of a text, numbered in the order in which they begin. */
export interface Containers {
  starts: number[];
  ends: number[];
  /** The number of the next one that is not inside. */
  nexts: number[];
  /** Levels, itself included. */
  depths: number[];
  /** Bytes in UTF-8, without white space. */
  bytes: number[];
}

/** Reads a JSON text once: where each of its objects and lists ends need not be read again. */
export function* findContainers(text: string): Portions<Containers> {
  const found: Containers = { starts: [], ends: [], nexts: [], depths: [], bytes: [] };
  const { starts, ends, nexts, depths, bytes } = found;
  const open: number[] = [];
  let size = 0;
  let pause = PORTION;
  for (let at = 0; at < text.length; at++) {
    if (at >= pause) {
      yield;
      pause = at + PORTION;
    }
    const char = text.charCodeAt(at);
    if (char === QUOTE) {
      const end = endOfString(text, at);
      size += bytesBetween(text, at, end);
      at = end - 1;
    } else if (isContainer(char)) {
      open.push(starts.length);
      starts.push(at);
      ends.push(0);
      nexts.push(0);
      depths.push(1);
      bytes.push(size++);
    } else if (char > 0x20) {
      size++;
      if (char !== CLOSE_OBJECT && char !== CLOSE_LIST) continue;
      const closed = open.pop() as number;
      ends[closed] = at + 1;
      nexts[closed] = starts.length;
      bytes[closed] = size - (bytes[closed] as number);
      const outer = open.at(-1);
      if (outer === undefined) continue;
      const levels = (depths[closed] as number) + 1;
      if (levels > (depths[outer] as number)) depths[outer] = levels;
    }
  }
  return found;
}

/** Bytes of a part of a text in UTF-8. */
export function bytesBetween(text: string, start: number, end: number): number {
  let bytes = end - start;
  for (let at = start; at < end; at++) {
    const char = text.charCodeAt(at);
    if (char < 0x80) continue;
    // Each half of a surrogate pair is two of its four bytes.
    bytes += char < 0x800 || (char >= 0xd800 && char < 0xe000) ? 1 : 2;
  }
  return bytes;
}

/** Where the direct members of one object or list are. */
export interface WrittenMembers {
  /** Where each begins, with its name; where its value begins, and where that ends. */
  starts: number[];
  values: number[];
  ends: number[];
  /** The number of each that is a container; otherwise -1. */
  containers: number[];
  /** Of an object: the index of each member by its name, without escapes. */
  names: Map<string, number> | null;
}

/** Reads the direct members of a container: what is inside of them is skipped. */
export function* findMembers(
  text: string,
  { starts, ends, nexts }: Containers,
  container: number,
): Portions<WrittenMembers> {
  const open = starts[container] as number;
  const names = text.charCodeAt(open) === OPEN_OBJECT ? new Map<string, number>() : null;
  const found: WrittenMembers = { starts: [], values: [], ends: [], containers: [], names };
  let inner = container + 1;
  let at = skipSpace(text, open + 1);
  let read = 0;
  while (text.charCodeAt(at) !== CLOSE_OBJECT && text.charCodeAt(at) !== CLOSE_LIST) {
    const start = at;
    found.starts.push(start);
    if (names) {
      const end = endOfString(text, at);
      names.set(nameBetween(text, at, end), found.values.length);
      at = skipSpace(text, skipSpace(text, end) + 1);
    }
    found.values.push(at);
    const isInner = isContainer(text.charCodeAt(at));
    read += at - start;
    found.containers.push(isInner ? inner : -1);
    if (isInner) {
      at = ends[inner] as number;
      inner = nexts[inner] as number;
    } else {
      const end = endOfScalar(text, at);
      read += end - at;
      at = end;
    }
    found.ends.push(at);
    at = skipSpace(text, at);
    if (text.charCodeAt(at) === COMMA) at = skipSpace(text, at + 1);
    read += 2;
    if (read < PORTION) continue;
    yield;
    read = 0;
  }
  return found;
}

function nameBetween(text: string, start: number, end: number): string {
  const written = text.slice(start, end);
  return written.includes('\\') ? JSON.parse(written) : written.slice(1, -1);
}
