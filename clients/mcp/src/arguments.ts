import { z } from 'zod';

/** Elements that a list has at most, on all levels together. */
export const MAX_ELEMENTS = 100;
/** Bounds of JSON that is written as a text: what it takes to build and to look at. */
const MAX_TEXT = { length: 1024 * 1024, depth: 100, parts: 50_000 };

/**
 * An object with these members, as models write it: `null` for a member that may be absent is no member, and the JSON
 * text of a value that is not a string is the value. Members that it does not name are left out.
 */
export const objectOf = <Shape extends z.ZodRawShape>(shape: Shape) =>
  z.preprocess((value) => readMembers(shape, value, true), z.object(shape));

/** The same for an object in a list, without texts. */
export const elementOf = <Shape extends z.ZodRawShape>(shape: Shape) =>
  z.preprocess((value) => readMembers(shape, value, false), z.object(shape));

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const OBJECT =
  'must be an object; as a text, it must be JSON of at most 1 MiB with at most 50,000 values';

/** Any object: unlike z.record(), it does not look at its members. */
export const ANY_OBJECT = z
  .custom<Record<string, unknown>>(isObject, { error: OBJECT })
  .meta({ type: 'object', additionalProperties: true });

function readMembers(shape: z.ZodRawShape, given: unknown, hasTexts: boolean): unknown {
  if (!isObject(given)) return given;
  const members: Record<string, unknown> = {};
  for (const name of Object.keys(shape)) {
    if (!Object.hasOwn(given, name)) continue;
    const schema = shape[name] as z.ZodType;
    const value = given[name];
    if (value === null && isOptional(schema) && !schema.safeParse(null).success) continue;
    const isText = hasTexts && typeof value === 'string' && !schema.safeParse(value).success;
    members[name] = truncate(isText ? parseText(value) : value);
  }
  return members;
}

const isOptional = (schema: z.ZodType): boolean => schema._zod.optin === 'optional';

/** What a text says in JSON, unless that is a string or takes too much to look at. */
export function parseText(text: string): unknown {
  if (!isSmall(text)) return text;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'string' ? text : value;
  } catch {
    return text;
  }
}

/** A list that is too long is refused by its length: the rest of it is not looked at. */
const truncate = (value: unknown): unknown =>
  Array.isArray(value) ? value.slice(0, MAX_ELEMENTS + 1) : value;

const [QUOTE, BACKSLASH, COMMA] = [...'"\\,'].map((char) => char.charCodeAt(0));
const [OPEN_OBJECT, CLOSE_OBJECT, OPEN_LIST, CLOSE_LIST] = [...'{}[]'].map((char) =>
  char.charCodeAt(0),
);

/** Whether a text is within MAX_TEXT. Reads brackets and commas outside strings; the rest is for JSON.parse. */
function isSmall(text: string): boolean {
  if (text.length > MAX_TEXT.length) return false;
  let depth = 0;
  let parts = 0;
  for (let at = 0; at < text.length; at++) {
    const char = text.charCodeAt(at);
    if (char === QUOTE) at = endOfString(text, at);
    else if (char === CLOSE_OBJECT || char === CLOSE_LIST) depth--;
    else if (char === COMMA) parts++;
    else if (char === OPEN_OBJECT || char === OPEN_LIST) {
      parts++;
      depth++;
    }
    if (parts > MAX_TEXT.parts || depth > MAX_TEXT.depth) return false;
  }
  return true;
}

/** Where the string ends that begins at `start`. */
function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    const char = text.charCodeAt(at);
    if (char === BACKSLASH) at++;
    else if (char === QUOTE) return at;
  }
  return text.length;
}
