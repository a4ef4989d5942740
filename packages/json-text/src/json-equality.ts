import { MemberIterator } from './json-containers.js';
import {
  endOfScalar,
  isContainer,
  isDigit,
  MINUS,
  PORTION,
  type Portions,
  QUOTE,
} from './json-grammar.js';

/** A value to compare with: a list, an object, or any other value as it is written. */
type Expected = string | Expected[] | Map<string, Expected>;

/**
 * Compares two values as RFC 6902, section 4.6, says: numbers by value, objects without regard to the
 * order of their members.
 * @param start where the first value begins in `text`
 * @param expected JSON text of the second value
 */
export function* isEqualValue(text: string, start: number, expected: string): Portions<boolean> {
  return (yield* endOfEqual(text, start, yield* parse(expected))) !== -1;
}

/** A list or an object of which the end has not been read. */
interface Level {
  members: MemberIterator;
  value: Expected[] | Map<string, Expected>;
}

/** Without recursion, so that a long text can be read in portions. */
function* parse(text: string): Portions<Expected> {
  if (!isContainer(text.charCodeAt(0))) return text;
  const levels: Level[] = [begin(text, 0)];
  let pause = PORTION;
  for (;;) {
    const level = levels.at(-1) as Level;
    const { members } = level;
    if (!members.next()) {
      levels.pop();
      const parent = levels.at(-1);
      if (!parent) return level.value;
      parent.members.leave(members.start + 1);
      continue;
    }
    const at = members.value;
    if (isContainer(text.charCodeAt(at))) {
      const child = begin(text, at);
      put(level, child.value);
      levels.push(child);
    } else {
      const end = endOfScalar(text, at);
      put(level, text.slice(at, end));
      members.leave(end);
    }
    if (at < pause) continue;
    yield;
    pause = at + PORTION;
  }
}

function begin(text: string, at: number): Level {
  const members = new MemberIterator(text, at);
  return { members, value: members.isObject ? new Map() : [] };
}

function put({ members, value }: Level, child: Expected): void {
  if (Array.isArray(value)) value.push(child);
  else value.set(members.name, child);
}

/** Where the value that begins at `start` ends, if it equals the expected one; otherwise -1. */
function* endOfEqual(
  text: string,
  start: number,
  expected: Expected,
  turn = { end: start + PORTION },
): Portions<number> {
  const isScalar = !isContainer(text.charCodeAt(start));
  if (isScalar || typeof expected === 'string') {
    if (!isScalar || typeof expected !== 'string') return -1;
    const end = endOfScalar(text, start);
    return isEqualScalar(text.slice(start, end), expected) ? end : -1;
  }
  const members = new MemberIterator(text, start);
  if (members.isObject === Array.isArray(expected)) return -1;
  while (members.next()) {
    const child = Array.isArray(expected) ? expected[members.index] : expected.get(members.name);
    if (child === undefined) return -1;
    const end = yield* endOfEqual(text, members.value, child, turn);
    if (end === -1) return -1;
    members.leave(end);
    if (end < turn.end) continue;
    yield;
    turn.end = end + PORTION;
  }
  const size = Array.isArray(expected) ? expected.length : expected.size;
  return members.index === size ? members.start + 1 : -1;
}

function isEqualScalar(a: string, b: string): boolean {
  if (a === b) return true;
  const [first, second] = [a.charCodeAt(0), b.charCodeAt(0)];
  if (isNumber(first) && isNumber(second)) return isEqualNumber(a, b);
  const mayEqual = first === QUOTE && second === QUOTE && (a.includes('\\') || b.includes('\\'));
  return mayEqual && JSON.parse(a) === JSON.parse(b);
}

const isNumber = (char: number): boolean => char === MINUS || isDigit(char);

/** Digits of an exponent up to which it is reckoned with; a BigInt of more takes long to read. */
const MAX_EXPONENT_DIGITS = 100;

/**
 * Compares two JSON numbers by value, exactly: 1, 1.0 and 10e-1 are equal, and no digit is rounded
 * away. Numbers whose exponents have more than 100 digits are equal only if they are written with the
 * same exponent.
 */
export function isEqualNumber(a: string, b: string): boolean {
  const [one, two] = [read(a), read(b)];
  if (one.digits !== two.digits || one.isNegative !== two.isNegative) return false;
  return one.digits === '' || exponentOf(one) === exponentOf(two);
}

/** ±0.digits × 10^(exponent + shift) */
interface Decimal {
  isNegative: boolean;
  /** Without zeros at either end; '' is zero. */
  digits: string;
  exponent: string;
  shift: number;
}

function read(text: string): Decimal {
  const mark = text.search(/[eE]/);
  const exponent = mark === -1 ? '0' : text.slice(mark + 1);
  const mantissa = mark === -1 ? text : text.slice(0, mark);
  const isNegative = mantissa.startsWith('-');
  const [whole = '', fraction = ''] = mantissa.slice(isNegative ? 1 : 0).split('.');
  const all = whole + fraction;
  // Not by regular expressions: those for zeros at the end take the square of a long number's length.
  let from = 0;
  while (all[from] === '0') from++;
  let to = all.length;
  while (to > from && all[to - 1] === '0') to--;
  const digits = all.slice(from, to);
  // Zero has no sign.
  return { isNegative: isNegative && digits !== '', digits, exponent, shift: whole.length - from };
}

function exponentOf({ exponent, shift }: Decimal): bigint | string {
  return exponent.length > MAX_EXPONENT_DIGITS
    ? `${exponent} ${shift}`
    : BigInt(exponent.replace('+', '')) + BigInt(shift);
}
