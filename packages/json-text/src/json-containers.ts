import {
  CLOSE_LIST,
  CLOSE_OBJECT,
  COMMA,
  endOfScalar,
  endOfString,
  isContainer,
  OPEN_OBJECT,
  PORTION,
  type Portions,
  QUOTE,
  skipSpace,
} from './json-grammar.js';

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
export interface MemberOffsets {
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
): Portions<MemberOffsets> {
  const members = new MemberIterator(text, starts[container] as number);
  const names = members.isObject ? new Map<string, number>() : null;
  const found: MemberOffsets = { starts: [], values: [], ends: [], containers: [], names };
  let inner = container + 1;
  let read = 0;
  while (members.next()) {
    const { start, value } = members;
    const isInner = isContainer(text.charCodeAt(value));
    const end = isInner ? (ends[inner] as number) : endOfScalar(text, value);
    names?.set(members.name, members.index);
    found.starts.push(start);
    found.values.push(value);
    found.ends.push(end);
    found.containers.push(isInner ? inner : -1);
    members.leave(end);
    // What a container holds is not read.
    read += (isInner ? value : end) - start + 2;
    if (isInner) inner = nexts[inner] as number;
    if (read < PORTION) continue;
    yield;
    read = 0;
  }
  return found;
}

/** Visits the members of an object, or the elements of a list, one after the other. */
export class MemberIterator {
  /** Where the current member begins (with its name), and where its value does. */
  start: number;
  value: number;
  /** How many members there are before the current one. */
  index = -1;
  readonly isObject: boolean;
  private endOfName = 0;

  /** @param open where the object or list begins */
  constructor(
    private readonly text: string,
    open: number,
  ) {
    this.isObject = text.charCodeAt(open) === OPEN_OBJECT;
    this.start = skipSpace(text, open + 1);
    this.value = this.start;
  }

  /** Goes to the next member. @returns false if there is none: then `start` is the closing bracket */
  next(): boolean {
    const { text } = this;
    this.index++;
    const char = text.charCodeAt(this.start);
    if (char === CLOSE_OBJECT || char === CLOSE_LIST) return false;
    this.value = this.start;
    if (!this.isObject) return true;
    this.endOfName = endOfString(text, this.start);
    this.value = skipSpace(text, skipSpace(text, this.endOfName) + 1);
    return true;
  }

  /** The name of the current member. */
  get name(): string {
    const written = this.text.slice(this.start, this.endOfName);
    return written.includes('\\') ? JSON.parse(written) : written.slice(1, -1);
  }

  /** Leaves the current member, whose value ends there. */
  leave(end: number): void {
    const at = skipSpace(this.text, end);
    this.start = this.text.charCodeAt(at) === COMMA ? skipSpace(this.text, at + 1) : at;
  }
}
