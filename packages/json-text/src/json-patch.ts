import { JsonError } from './errors.js';
import {
  type ChangeableList,
  type ChangeableObject,
  type Value,
  WrittenValue,
} from './json-document.js';
import { isEqualValue } from './json-equality.js';
import { endOfString, PORTION, type Portions, QUOTE, skipSpace } from './json-grammar.js';
import { type JsonText, MAX_BYTES, MAX_DEPTH } from './json-text.js';

/** The names of a JSON Pointer (RFC 6901), unescaped. */
export type Pointer = readonly string[];

/** One operation of a JSON Patch (RFC 6902) that is well-formed. */
export type PatchOperation =
  | { op: 'add' | 'replace' | 'test'; path: Pointer; value: JsonText }
  | { op: 'remove'; path: Pointer }
  | { op: 'move' | 'copy'; path: Pointer; from: Pointer };

/**
 * Applies operations to JSON text, in their order, without building its values. Hence numbers keep their
 * digits, `__proto__` is a name like any other, and a copy costs nothing.
 *
 * No library does that. `rfc6902` (5.4) and `immutable-json-patch` (6.0) work on the objects of
 * JSON.parse, which rounds numbers; `rfc6902` drops members named `__proto__` when it copies a value,
 * and `fast-json-patch` (3.1) rejects paths with that name. With the number objects of a lossless
 * parser, their `test` compares digits, not values. None of them bounds a document that doubles with
 * every `copy`.
 *
 * The text is read in one pass, and the objects and lists that operations lead through once more,
 * whatever the number of operations: milliseconds for each MiB, in portions.
 * @param text a JSON object within the bounds of content
 * @returns JSON text of an object within these bounds, which hold after each operation; the same text if
 *   nothing but white space differs
 * @throws JsonError test_failed; not_applicable: a path is not there, the result is out of bounds
 */
export function* applyPatch(text: string, operations: readonly PatchOperation[]): Portions<string> {
  const document = yield* WrittenValue.whole(text);
  let root: Value = document;
  for (const [n, operation] of operations.entries()) {
    root = yield* apply(root, operation, placeOf(n));
  }
  if (root === document) return text;
  const result = textOf(root);
  yield;
  const isEqual = root.bytes === document.bytes && (yield* isEqualText(text, result));
  return isEqual ? text : result;
}

/** How messages call an operation: a body that is a list is called `body`. */
export const placeOf = (n: number): string => `body[${n}]`;

function* apply(root: Value, operation: PatchOperation, place: string): Portions<Value> {
  const { path } = operation;
  switch (operation.op) {
    case 'test': {
      const target = yield* find(root, path);
      if (!target || !(yield* isEqual(target, operation.value.text))) throw testFailed(place);
      return root;
    }
    case 'add': {
      const value = yield* WrittenValue.whole(operation.value.text);
      return yield* add(root, path, value, place);
    }
    case 'replace': {
      const value = yield* WrittenValue.whole(operation.value.text);
      const changed =
        path.length === 0
          ? value
          : yield* change(root, path, (parent, name) => parent.replace(name, value));
      return bounded(changed, path, value, place);
    }
    case 'remove':
      return yield* remove(root, path, place);
    case 'copy':
    case 'move': {
      const { op, from } = operation;
      const value = yield* find(root, from);
      if (!value) throw notThere(`${place}.from`);
      if (op === 'copy') return yield* add(root, path, value, place);
      const isInPlace = path.length === from.length && isWithin(path, from);
      if (isInPlace) return root;
      return yield* add(yield* remove(root, from, place), path, value, place);
    }
  }
}

/** True if a pointer leads to `outer` or into it. */
export const isWithin = (pointer: Pointer, outer: Pointer): boolean =>
  outer.every((name, n) => pointer[n] === name);

/** @returns null if the document has no such value */
function* find(root: Value, path: Pointer): Portions<Value | null> {
  let value: Value | null = root;
  for (const name of path) {
    const container: Container | null = yield* value.open();
    value = container?.get(name) ?? null;
    if (!value) return null;
  }
  return value;
}

type Container = ChangeableList | ChangeableObject;

/**
 * Changes the object or list that the last name of a path is of, and so all above it.
 * @param edit returns null if the path is not there
 */
function* change(
  value: Value,
  [name = '', ...below]: Pointer,
  edit: (parent: Container, name: string) => Container | null,
): Portions<Container | null> {
  const container = yield* value.open();
  if (!container) return null;
  if (below.length === 0) return edit(container, name);
  const member = container.get(name);
  const changed = member && (yield* change(member, below, edit));
  return changed && container.replace(name, changed);
}

function* add(root: Value, path: Pointer, value: Value, place: string): Portions<Value> {
  if (path.length === 0) return bounded(value, path, value, place);
  const changed = yield* change(root, path, (parent, name) => parent.add(name, value));
  return bounded(changed, path, value, place);
}

function* remove(root: Value, path: Pointer, place: string): Portions<Value> {
  if (path.length === 0) throw notAnObject(place);
  const changed = yield* change(root, path, (parent, name) => parent.remove(name));
  if (!changed) throw notThere(`${place}.path`);
  return changed;
}

/**
 * The document after an operation that brings a value to a path.
 * @param root null: the path is not there
 * @throws JsonError not_applicable: that, or the document is out of bounds
 */
function bounded(root: Value | null, path: Pointer, value: Value, place: string): Value {
  if (!root) throw notThere(`${place}.path`);
  if (!root.isObject) throw notAnObject(place);
  if (path.length + value.depth > MAX_DEPTH) throw tooDeep(place);
  if (root.bytes > MAX_BYTES) throw tooLarge(place);
  return root;
}

/** A value as it is written need not be written again. */
const isEqual = (value: Value, expected: string): Portions<boolean> =>
  value instanceof WrittenValue
    ? isEqualValue(value.text, value.start, expected)
    : isEqualValue(textOf(value), 0, expected);

function textOf(value: Value): string {
  const pieces: string[] = [];
  value.write(pieces);
  // One piece: characters of a text that `+` has put together take several times as long to read.
  return pieces.join('');
}

/** True if two JSON texts differ in white space at most. */
function* isEqualText(one: string, two: string): Portions<boolean> {
  let pause = PORTION;
  for (let at = 0, other = 0; ; ) {
    at = skipSpace(one, at);
    other = skipSpace(two, other);
    const char = one.charCodeAt(at);
    if (at === one.length || char !== two.charCodeAt(other)) {
      return at === one.length && other === two.length;
    }
    const end = char === QUOTE ? endOfString(one, at) : at + 1;
    if (char === QUOTE && !two.startsWith(one.slice(at, end), other)) return false;
    other += end - at;
    at = end;
    if (at < pause) continue;
    yield;
    pause = at + PORTION;
  }
}

const notApplicable = (message: string) => new JsonError('not_applicable', message);

/** @param field of an operation, such as `body[3].path` */
const notThere = (field: string): JsonError =>
  notApplicable(`${field} is not there in the content: read the page again`);

/** @param place of an operation, such as `body[3]` */
const testFailed = (place: string): JsonError =>
  new JsonError(
    'test_failed',
    `${place}.value is not what the content has at this path: read the page again`,
  );

const notAnObject = (place: string): JsonError =>
  notApplicable(`${place} must leave the content a JSON object`);

const tooDeep = (place: string): JsonError =>
  notApplicable(`${place} must leave the content nested at most ${MAX_DEPTH} deep`);

const tooLarge = (place: string): JsonError =>
  notApplicable(`${place} must leave the content at most 1 MiB of JSON`);
