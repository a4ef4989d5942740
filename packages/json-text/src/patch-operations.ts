import { invalid } from './errors.js';
import { isWithin, type PatchOperation, type Pointer, placeOf } from './json-patch.js';
import { keepAsText, repeatedIn } from './json-reader.js';
import { JsonText, MAX_DEPTH, problemOfText } from './json-text.js';

/** Operations in a patch, at most. */
export const MAX_OPERATIONS = 100;

export const OPS = ['add', 'remove', 'replace', 'move', 'copy', 'test'] as const;
/** The members of an operation; others are ignored. */
const MEMBERS: readonly string[] = ['op', 'path', 'from', 'value'];
const OPS_WITH_VALUE: readonly unknown[] = ['add', 'replace', 'test'];

// Numbers, too: JSON.parse would round them.
keepAsText('value', 'all');

/**
 * The operations of a JSON Patch (RFC 6902), of which unknown members are ignored.
 * @param body as readJson() returns it
 * @throws JsonError invalid: the first problem, with its place
 */
export function readPatch(body: unknown): PatchOperation[] {
  if (!Array.isArray(body) || body.length > MAX_OPERATIONS) {
    throw invalid(`the body must be a list of at most ${MAX_OPERATIONS} operations`);
  }
  const repeated = repeatedIn(body).find(({ name }) => MEMBERS.includes(name));
  if (repeated) throw invalid(`${placeOf(repeated.index)}.${repeated.name} must be given once`);
  return body.map(toOperation);
}

function toOperation(given: unknown, n: number): PatchOperation {
  const place = placeOf(n);
  const isObject = typeof given === 'object' && given !== null && !Array.isArray(given);
  if (!isObject) throw invalid(`${place} must be a JSON object`);
  const { op, ...members } = given as Record<string, unknown>;
  const path = toPointer(members, 'path', place);
  if (OPS_WITH_VALUE.includes(op)) {
    return { op: op as 'add', path, value: toValue(members.value, place) };
  }
  if (op === 'remove') return { op, path };
  if (op !== 'move' && op !== 'copy') {
    throw invalid(`${place}.op must be one of ${OPS.join(', ')}`);
  }
  const from = toPointer(members, 'from', place);
  if (op === 'move' && path.length > from.length && isWithin(path, from)) {
    throw invalid(`${place}.path must not lie in the value that moves`);
  }
  return { op, path, from };
}

function toValue(value: unknown, place: string): JsonText {
  if (!(value instanceof JsonText)) throw invalid(`${place}.value is required`);
  if (value.problem) throw invalid(`${place}.value ${value.problem}`);
  return value;
}

/** Names of a pointer that are read: with more, it leads deeper than content goes. */
const MAX_NAMES = MAX_DEPTH + 2;

function toPointer(members: Record<string, unknown>, name: string, place: string): Pointer {
  const field = `${place}.${name}`;
  const text = members[name];
  if (text === undefined) throw invalid(`${field} is required`);
  if (typeof text !== 'string') throw invalid(`${field} must be a string`);
  const problem = problemOfText(text);
  if (problem) throw invalid(`${field} ${problem}`);
  if ((text !== '' && !text.startsWith('/')) || /~(?![01])/.test(text)) {
    throw invalid(
      `${field} must be a JSON Pointer: empty, or names that each begin with /, with ~ written as ~0 and / as ~1`,
    );
  }
  const names = text.split('/', MAX_NAMES).slice(1);
  return names.map((written) => written.replaceAll('~1', '/').replaceAll('~0', '~'));
}
