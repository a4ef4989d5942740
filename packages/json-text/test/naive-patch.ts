import { MAX_BYTES, MAX_DEPTH } from '../src/json-text.js';

/** A JSON value whose members keep their order, whatever their names. */
export type Naive = string | number | boolean | null | Naive[] | Map<string, Naive>;

export interface NaiveOperation {
  op: 'add' | 'remove' | 'replace' | 'move' | 'copy' | 'test';
  path: string[];
  from: string[];
  value: Naive;
}

export function write(value: Naive, space = ''): string {
  if (Array.isArray(value)) {
    return `[${value.map((element) => write(element, space)).join(`,${space}`)}]`;
  }
  if (!(value instanceof Map)) return JSON.stringify(value);
  const members = [...value].map(
    ([name, member]) => `${JSON.stringify(name)}:${space}${write(member, space)}`,
  );
  return `{${members.join(`,${space}`)}}`;
}

export const pointer = (path: readonly string[]): string =>
  path.map((name) => `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');

export const depthOf = (value: Naive): number =>
  typeof value === 'object' && value !== null
    ? 1 + Math.max(0, ...[...value.values()].map(depthOf))
    : 0;

function copyOf(value: Naive): Naive {
  if (Array.isArray(value)) return value.map(copyOf);
  if (!(value instanceof Map)) return value;
  return new Map([...value].map(([name, member]) => [name, copyOf(member)]));
}

/** The text after the operations, each on a value of its own; or the code of the refusal. */
export function naivelyPatched(
  document: Naive,
  operations: readonly NaiveOperation[],
): string | { code: string } {
  let root = copyOf(document);
  for (const operation of operations) {
    const next = apply(copyOf(root), operation);
    if (next === CONFLICT) return { code: 'test_failed' };
    const isContent =
      next instanceof Map &&
      depthOf(next) <= MAX_DEPTH &&
      Buffer.byteLength(write(next)) <= MAX_BYTES;
    if (!isContent) return { code: 'not_applicable' };
    root = next;
  }
  return write(root);
}

const CONFLICT = Symbol('test_failed');
type Outcome = Naive | typeof CONFLICT | undefined;

function find(root: Naive, path: readonly string[]): Naive | undefined {
  let value: Naive | undefined = root;
  for (const name of path) {
    if (value instanceof Map) value = value.get(name);
    else if (Array.isArray(value)) value = /^(0|[1-9]\d*)$/.test(name) ? value[+name] : undefined;
    else return undefined;
  }
  return value;
}

function apply(root: Naive, { op, path, from, value }: NaiveOperation): Outcome {
  if (op === 'test') {
    const target = find(root, path);
    return target !== undefined && isEqual(target, value) ? root : CONFLICT;
  }
  if (op === 'remove') return remove(root, path);
  if (op === 'add') return add(root, path, value);
  if (op === 'replace') {
    if (find(root, path) === undefined) return undefined;
    if (path.length === 0) return value;
    const parent = find(root, path.slice(0, -1));
    const name = path.at(-1) as string;
    if (parent instanceof Map) parent.set(name, value);
    else (parent as Naive[])[Number(name)] = value;
    return root;
  }
  const moved = find(root, from);
  if (moved === undefined) return undefined;
  if (op === 'copy') return add(root, path, copyOf(moved));
  if (pointer(path) === pointer(from)) return root;
  const rest = remove(root, from);
  return rest === undefined ? undefined : add(rest, path, moved);
}

function add(root: Naive, path: readonly string[], value: Naive): Naive | undefined {
  const name = path.at(-1);
  if (name === undefined) return value;
  const parent = find(root, path.slice(0, -1));
  if (parent instanceof Map) parent.set(name, value);
  else if (Array.isArray(parent)) {
    const index = name === '-' ? parent.length : /^(0|[1-9]\d*)$/.test(name) ? +name : -1;
    if (index < 0 || index > parent.length) return undefined;
    parent.splice(index, 0, value);
  } else return undefined;
  return root;
}

function remove(root: Naive, path: readonly string[]): Naive | undefined {
  if (path.length === 0 || find(root, path) === undefined) return undefined;
  const parent = find(root, path.slice(0, -1));
  const name = path.at(-1) as string;
  if (parent instanceof Map) parent.delete(name);
  else (parent as Naive[]).splice(Number(name), 1);
  return root;
}

function isEqual(a: Naive, b: Naive): boolean {
  if (a instanceof Map && b instanceof Map) {
    return a.size === b.size && [...a].every(([name, value]) => isSame(value, b.get(name)));
  }
  if (Array.isArray(a) && Array.isArray(b)) {
    return a.length === b.length && a.every((value, n) => isSame(value, b[n]));
  }
  return a === b;
}

const isSame = (a: Naive, b: Naive | undefined): boolean => b !== undefined && isEqual(a, b);
