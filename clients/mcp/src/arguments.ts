import { z } from 'zod';

/**
 * An object with these members, as models write it: `null` for a member that may be absent is no member, and the JSON
 * text of a value that is not a string is the value. Members that it does not name are left out.
 */
export const objectOf = <Shape extends z.ZodRawShape>(shape: Shape) =>
  z.preprocess((value) => understood(shape, value), z.object(shape));

function understood(shape: z.ZodRawShape, given: unknown): unknown {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return given;
  const members = Object.entries(given).flatMap(([name, value]) => {
    const schema = Object.hasOwn(shape, name) ? (shape[name] as z.ZodType) : undefined;
    if (schema === undefined) return [];
    if (value === null && isOptional(schema) && !schema.safeParse(null).success) return [];
    return [[name, typeof value === 'string' ? parsed(schema, value) : value]];
  });
  return Object.fromEntries(members);
}

const isOptional = (schema: z.ZodType): boolean => schema._zod.optin === 'optional';

/** What a text says in JSON, if only that is valid there. */
function parsed(schema: z.ZodType, text: string): unknown {
  if (schema.safeParse(text).success) return text;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value !== 'string' && schema.safeParse(value).success ? value : text;
  } catch {
    return text;
  }
}
