import {
  bytesBetween,
  type Containers,
  findContainers,
  findMembers,
  type MemberOffsets,
} from './json-containers.js';
import { endOfString, OPEN_OBJECT, type Portions } from './json-grammar.js';

// A JSON document that is changed a few times: values as they are written, and what has been changed
// in the objects and lists above them. Nothing that exists is modified: a copy is the same value at
// another place, and costs no memory. Each part of a text is read at most twice, however many changes
// there are.

/** A value of a document. */
export interface Value {
  /** In UTF-8, without white space. */
  readonly bytes: number;
  /** Levels of objects and lists; 0 for any other value. */
  readonly depth: number;
  readonly isObject: boolean;
  /** Its members can be changed; null: it is not an object or list. */
  open(): Portions<ChangeableList | ChangeableObject | null>;
  /** Appends its text. */
  write(pieces: string[]): void;
}

/** A text, and where its objects and lists are, once that was asked for. */
class Source {
  private containers: Containers | null = null;

  constructor(readonly text: string) {}

  *find(): Portions<Containers> {
    this.containers ??= yield* findContainers(this.text);
    return this.containers;
  }
}

/** A value as it is written in a text. */
export class WrittenValue implements Value {
  private opened: ChangeableList | ChangeableObject | null = null;

  constructor(
    private readonly source: Source,
    readonly start: number,
    private readonly end: number,
    /** Its number in the text; -1: it is not an object or list. */
    private readonly container: number,
    readonly bytes: number,
    readonly depth: number,
  ) {}

  /** A text that is one value; no white space is around it unless it is an object or a list. */
  static *whole(text: string): Portions<WrittenValue> {
    const source = new Source(text);
    const { starts, ends, bytes, depths } = yield* source.find();
    const [start, end, size, depth] = [starts[0], ends[0], bytes[0], depths[0]];
    return start === undefined
      ? new WrittenValue(source, 0, text.length, -1, Buffer.byteLength(text), 0)
      : new WrittenValue(source, start, end as number, 0, size as number, depth as number);
  }

  /** The text that it is a part of, from `start` on. */
  get text(): string {
    return this.source.text;
  }

  get isObject(): boolean {
    return this.text.charCodeAt(this.start) === OPEN_OBJECT;
  }

  *open(): Portions<ChangeableList | ChangeableObject | null> {
    if (this.container === -1 || this.opened) return this.opened;
    const containers = yield* this.source.find();
    const written = yield* findMembers(this.text, containers, this.container);
    const members = new WrittenMembers(this.source, containers, written);
    this.opened = this.isObject
      ? new ChangeableObject(members, this.bytes, members.depths)
      : new ChangeableList(
          members,
          this.bytes,
          members.depths,
          members.count > 0 ? [{ from: 0, to: members.count }] : [],
        );
    return this.opened;
  }

  write(pieces: string[]): void {
    pieces.push(this.text.slice(this.start, this.end));
  }
}

/** Longer values are made once, since they keep what was read of them. */
const MIN_CACHED = 64;

/** The direct members of a written object or list. */
class WrittenMembers {
  /** How many members have each depth. */
  readonly depths: readonly number[];
  private readonly long = new Map<number, WrittenValue>();

  constructor(
    private readonly source: Source,
    private readonly containers: Containers,
    private readonly written: MemberOffsets,
  ) {
    const depths: number[] = [];
    for (const container of written.containers) {
      const depth = container === -1 ? 0 : (containers.depths[container] as number);
      depths[depth] = (depths[depth] ?? 0) + 1;
    }
    this.depths = depths;
  }

  get count(): number {
    return this.written.values.length;
  }

  indexOf(name: string): number {
    return this.written.names?.get(name) ?? -1;
  }

  value(index: number): WrittenValue {
    const known = this.long.get(index);
    if (known) return known;
    const { values, ends, containers } = this.written;
    const [start, end] = [values[index] as number, ends[index] as number];
    const container = containers[index] as number;
    const { text } = this.source;
    const bytes =
      container === -1 ? bytesBetween(text, start, end) : this.containers.bytes[container];
    const depth = container === -1 ? 0 : (this.containers.depths[container] as number);
    const value = new WrittenValue(this.source, start, end, container, bytes as number, depth);
    if (end - start > MIN_CACHED) this.long.set(index, value);
    return value;
  }

  /** Bytes of a member's name, as it is written. */
  bytesOfName(index: number): number {
    const start = this.written.starts[index] as number;
    return bytesBetween(this.source.text, start, endOfString(this.source.text, start));
  }

  /** The text of a member up to its value. */
  nameOf(index: number): string {
    const { starts, values } = this.written;
    return this.source.text.slice(starts[index], values[index]);
  }

  /** The text of members that follow one another; at least one. */
  textOf(from: number, to: number): string {
    const { starts, ends } = this.written;
    return this.source.text.slice(starts[from], ends[to - 1]);
  }
}

/** How many members have each depth, after one of them was exchanged. */
function exchanged(depths: readonly number[], from: Value | null, to: Value | null): number[] {
  const changed = [...depths];
  if (from) changed[from.depth] = (changed[from.depth] as number) - 1;
  if (to) changed[to.depth] = (changed[to.depth] ?? 0) + 1;
  return changed;
}

abstract class Changeable {
  constructor(
    protected readonly members: WrittenMembers,
    readonly bytes: number,
    protected readonly depths: readonly number[],
  ) {}

  get depth(): number {
    let deepest = this.depths.length - 1;
    while (deepest >= 0 && !this.depths[deepest]) deepest--;
    return Math.max(deepest, 0) + 1;
  }
}

/** Elements of the written list that follow one another. */
interface Run {
  from: number;
  to: number;
}

const isRun = (piece: Value | Run): piece is Run => 'from' in piece;
const lengthOf = (piece: Value | Run): number => (isRun(piece) ? piece.to - piece.from : 1);

const INDEX = /^(?:0|[1-9][0-9]*)$/;

/** A list, each change of which makes a new one. */
export class ChangeableList extends Changeable implements Value {
  readonly isObject = false;

  constructor(
    members: WrittenMembers,
    bytes: number,
    depths: readonly number[],
    private readonly pieces: Pieces,
  ) {
    super(members, bytes, depths);
  }

  // biome-ignore lint/correctness/useYield: written values read for it
  *open(): Portions<this> {
    return this;
  }

  /** @returns null if the list has no such element */
  get(name: string): Value | null {
    let left = INDEX.test(name) ? Number(name) : this.count;
    for (const piece of this.pieces) {
      const length = lengthOf(piece);
      if (left < length) return isRun(piece) ? this.members.value(piece.from + left) : piece;
      left -= length;
    }
    return null;
  }

  /** Inserts an element; `-` is the end. @returns null if the list has no such place */
  add(name: string, value: Value): ChangeableList | null {
    const { count } = this;
    const index = name === '-' ? count : INDEX.test(name) ? Number(name) : count + 1;
    return index > count ? null : this.spliced(index, null, value);
  }

  replace(name: string, value: Value): ChangeableList | null {
    const present = this.get(name);
    return present && this.spliced(Number(name), present, value);
  }

  remove(name: string): ChangeableList | null {
    const present = this.get(name);
    return present && this.spliced(Number(name), present, null);
  }

  write(pieces: string[]): void {
    pieces.push('[');
    for (const [n, piece] of this.pieces.entries()) {
      if (n > 0) pieces.push(',');
      if (isRun(piece)) pieces.push(this.members.textOf(piece.from, piece.to));
      else piece.write(pieces);
    }
    pieces.push(']');
  }

  private get count(): number {
    return this.pieces.reduce((sum, piece) => sum + lengthOf(piece), 0);
  }

  /** Takes an element out at `index`, puts one in there, or both. */
  private spliced(index: number, out: Value | null, into: Value | null): ChangeableList {
    const [before, from] = cut(this.pieces, index);
    const [, after] = cut(from, out ? 1 : 0);
    const pieces = [...before, ...(into ? [into] : []), ...after];
    const { count } = this;
    const commas = Math.max(0, count - 1);
    const left = count + (into ? 1 : 0) - (out ? 1 : 0);
    const bytes =
      this.bytes - commas + Math.max(0, left - 1) + (into?.bytes ?? 0) - (out?.bytes ?? 0);
    return new ChangeableList(this.members, bytes, exchanged(this.depths, out, into), pieces);
  }
}

type Pieces = readonly (Value | Run)[];

/** The pieces before an index, and those from it on. */
function cut(pieces: Pieces, index: number): [before: Pieces, after: Pieces] {
  const before: (Value | Run)[] = [];
  const after: (Value | Run)[] = [];
  let left = index;
  for (const piece of pieces) {
    const length = lengthOf(piece);
    if (length <= left) before.push(piece);
    else if (left > 0 && isRun(piece)) {
      before.push({ from: piece.from, to: piece.from + left });
      after.push({ from: piece.from + left, to: piece.to });
    } else after.push(piece);
    left = Math.max(0, left - length);
  }
  return [before, after];
}

/** An object, each change of which makes a new one. */
export class ChangeableObject extends Changeable implements Value {
  readonly isObject = true;

  constructor(
    members: WrittenMembers,
    bytes: number,
    depths: readonly number[],
    private readonly count = members.count,
    /** Written members that are gone; one that came again is among `put`, at the end. */
    private readonly removed: ReadonlySet<string> = new Set(),
    private readonly put: ReadonlyMap<string, Value> = new Map(),
  ) {
    super(members, bytes, depths);
  }

  // biome-ignore lint/correctness/useYield: written values read for it
  *open(): Portions<this> {
    return this;
  }

  /** @returns null if the object has no such member */
  get(name: string): Value | null {
    const changed = this.put.get(name);
    if (changed) return changed;
    return this.isWritten(name) ? this.members.value(this.members.indexOf(name)) : null;
  }

  /** Adds a member, in place of one with that name. */
  add(name: string, value: Value): ChangeableObject {
    const present = this.get(name);
    const comma = this.count > 0 ? 1 : 0;
    const bytes = present
      ? this.bytes - present.bytes + value.bytes
      : this.bytes + comma + Buffer.byteLength(JSON.stringify(name)) + 1 + value.bytes;
    return new ChangeableObject(
      this.members,
      bytes,
      exchanged(this.depths, present, value),
      this.count + (present ? 0 : 1),
      this.removed,
      new Map(this.put).set(name, value),
    );
  }

  replace(name: string, value: Value): ChangeableObject | null {
    return this.get(name) && this.add(name, value);
  }

  remove(name: string): ChangeableObject | null {
    const present = this.get(name);
    if (!present) return null;
    const isWritten = this.isWritten(name);
    const bytesOfName = isWritten
      ? this.members.bytesOfName(this.members.indexOf(name))
      : Buffer.byteLength(JSON.stringify(name));
    const comma = this.count > 1 ? 1 : 0;
    const put = new Map(this.put);
    put.delete(name);
    return new ChangeableObject(
      this.members,
      this.bytes - comma - bytesOfName - 1 - present.bytes,
      exchanged(this.depths, present, null),
      this.count - 1,
      isWritten ? new Set(this.removed).add(name) : this.removed,
      put,
    );
  }

  write(pieces: string[]): void {
    const { members, put, removed } = this;
    pieces.push('{');
    const begin = pieces.length;
    const comma = () => {
      if (pieces.length > begin) pieces.push(',');
    };
    const changed = [...removed, ...[...put.keys()].filter((name) => this.isWritten(name))];
    const names = new Map(changed.map((name) => [members.indexOf(name), name]));
    let from = 0;
    const writeUpTo = (to: number) => {
      if (to === from) return;
      comma();
      pieces.push(members.textOf(from, to));
    };
    for (const index of [...names.keys()].sort((a, b) => a - b)) {
      writeUpTo(index);
      from = index + 1;
      const name = names.get(index) as string;
      if (removed.has(name)) continue;
      comma();
      pieces.push(members.nameOf(index));
      put.get(name)?.write(pieces);
    }
    writeUpTo(members.count);
    for (const [name, value] of put) {
      if (this.isWritten(name)) continue;
      comma();
      pieces.push(`${JSON.stringify(name)}:`);
      value.write(pieces);
    }
    pieces.push('}');
  }

  /** True for a member that has the place that it was written at. */
  private isWritten(name: string): boolean {
    return !this.removed.has(name) && this.members.indexOf(name) !== -1;
  }
}
