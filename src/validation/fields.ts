import { applyDecorators } from '@nestjs/common';
import {
  ApiHideProperty,
  ApiProperty,
  ApiPropertyOptional,
  type ApiPropertyOptions,
} from '@nestjs/swagger';
import { keepAsText } from '@teamspaces/json-text/json-reader';
import { JsonText, problemOfText } from '@teamspaces/json-text/json-text';
import { Transform } from 'class-transformer';
import {
  ArrayMaxSize,
  IsArray,
  IsBoolean,
  IsIn,
  IsInt,
  IsNotEmpty,
  IsString,
  Length,
  Matches,
  Min,
  ValidateBy,
  ValidateIf,
} from 'class-validator';
import { EMAIL_MAX_LENGTH, isEmail } from '../auth/email.js';
import { NUMBER } from './request.pipe.js';

interface FieldOptions {
  /** Absent is allowed. */
  optional?: boolean;
  /** `null` has a meaning here; otherwise it is rejected. */
  nullable?: boolean;
  /** Left out of the OpenAPI document. */
  hidden?: boolean;
  example?: unknown;
  default?: unknown;
}

/** How each decorator of fields ends: what the field is, for the OpenAPI document, and its options. */
export type Described = [description: string, options?: FieldOptions];

/**
 * Declares a field of a request class: one decorator, whose constraints and OpenAPI schema come from
 * the same bounds. Of the constraints that a value violates, the first one is reported.
 * @param constraints decorators of class-validator; a message begins after the name of the field
 */
export function Field(
  schema: ApiPropertyOptions,
  [description, { optional = false, nullable = false, hidden, ...more } = {}]: Described,
  ...constraints: PropertyDecorator[]
): PropertyDecorator {
  const shown = { ...(nullable && { nullable }), description, ...more };
  const api = { ...schema, ...shown } as ApiPropertyOptions;
  return applyDecorators(
    hidden ? ApiHideProperty() : optional ? ApiPropertyOptional(api) : ApiProperty(api),
    ValidateIf((_, value) => !((optional && value === undefined) || (nullable && value === null))),
    ...(optional
      ? []
      : [Check('isPresent', (value) => (value === undefined ? 'is required' : null))]),
    ...constraints,
  );
}

/**
 * A constraint that class-validator does not have.
 * @param problemOf the problem with a value, or null
 */
export const Check = (
  name: string,
  problemOf: (value: unknown) => string | null,
): PropertyDecorator =>
  ValidateBy({
    name,
    validator: {
      validate: (value) => problemOf(value) === null,
      defaultMessage: (args) => `${problemOf(args?.value)}`,
    },
  });

/** Length in Unicode code points. */
function codePoints(text: string): number {
  let count = 0;
  for (const _ of text) count++;
  return count;
}

/** White space as Unicode defines it, and the byte order mark. */
const BLANK = /^[\p{White_Space}\uFEFF]*$/u;

/** U+0000 to U+001F, U+007F to U+009F. */
const CONTROL = /\p{Cc}/u;

/** Characters of a key, at most. */
export const MAX_KEY = 512;

/**
 * Text of `min` to `max` code points; `notBlank`: not only white space; `noControls`: without
 * control characters.
 */
export function Text(
  bounds: { min: number; max: number; notBlank?: boolean; noControls?: boolean },
  ...field: Described
): PropertyDecorator {
  const { min, max, notBlank, noControls } = bounds;
  const length = min === 0 ? `at most ${max} characters` : `${min} to ${max} characters`;
  return Field(
    { type: String, ...(min > 0 && { minLength: min }), maxLength: max },
    field,
    Check('text', (value) => {
      if (typeof value !== 'string') return `must be a string of ${length}`;
      // A code point has at most two UTF-16 units: a much longer text need not be counted.
      const size = value.length > 2 * max ? value.length : codePoints(value);
      if (size < min || size > max) return `must be ${length}`;
      if (notBlank && BLANK.test(value)) return 'must not be blank';
      if (noControls && CONTROL.test(value)) return 'must not contain control characters';
      return problemOfText(value);
    }),
  );
}

/** A key of 1 to 512 characters without control characters. */
export const Key = (...field: Described): PropertyDecorator =>
  Text({ min: 1, max: MAX_KEY, noControls: true }, ...field);

/** A name of 1 to 32 characters, not only white space. */
export const Name = (...field: Described): PropertyDecorator =>
  Text({ min: 1, max: 32, notBlank: true }, ...field);

/** A title of 1 to 255 characters, not only white space; null has a meaning. */
export const Title = (description: string): PropertyDecorator =>
  Text({ min: 1, max: 255, notBlank: true }, description, { optional: true, nullable: true });

/** A description of at most 120 characters. */
export const Description = (...field: Described): PropertyDecorator =>
  Text({ min: 0, max: 120 }, ...field);

/** Lower-case letters, digits and single hyphens between them. */
const SLUG = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;

/** A slug of 3 to 48 characters. */
export const Slug = (...field: Described): PropertyDecorator =>
  Field(
    { type: String, minLength: 3, maxLength: 48, pattern: SLUG.source },
    field,
    IsString({ message: 'must be a string of 3 to 48 characters' }),
    Length(3, 48, { message: 'must be 3 to 48 characters' }),
    Matches(SLUG, {
      message: 'must be lower-case letters and digits, with single hyphens between them',
    }),
  );

/** Words that a message lists; of more, it names a few. */
const MAX_WORDS = 10;

const listOf = (words: readonly string[]): string =>
  words.length > MAX_WORDS
    ? `${words.length} words that the OpenAPI document lists, such as ${words.slice(0, 3).join(', ')}`
    : words.join(', ');

/** One of a closed set of words. */
export const OneOf = (words: readonly string[], ...field: Described): PropertyDecorator =>
  Field(
    { type: String, enum: [...words] },
    field,
    IsIn(words, { message: `must be ${words.length > 1 ? 'one of ' : ''}${listOf(words)}` }),
  );

/** An email address of at most 320 characters: the same rule as for tokens. */
export const Email = (...field: Described): PropertyDecorator =>
  Field(
    { type: String, format: 'email', minLength: 1, maxLength: EMAIL_MAX_LENGTH },
    field,
    Check('email', (value) => {
      if (typeof value !== 'string') return 'must be an email address';
      if (value.length < 1 || value.length > EMAIL_MAX_LENGTH) {
        return `must be 1 to ${EMAIL_MAX_LENGTH} characters`;
      }
      return isEmail(value) ? null : 'must be an email address';
    }),
  );

/** An id. Whether it exists is the service's question; here it only has to be a string. */
export const Id = (
  description: string,
  { emptyAllowed = false, ...options }: FieldOptions & { emptyAllowed?: boolean } = {},
): PropertyDecorator =>
  Field(
    { type: String, ...(!emptyAllowed && { minLength: 1 }) },
    [description, options],
    IsString({ message: 'must be a string' }),
    ...(emptyAllowed ? [] : [IsNotEmpty({ message: 'must be at least 1 character' })]),
  );

/** True or false. */
export const Flag = (...field: Described): PropertyDecorator =>
  Field({ type: Boolean }, field, IsBoolean({ message: 'must be true or false' }));

/** A list of up to `max` ids, none of them twice. */
export function Ids({ max }: { max: number }, ...field: Described): PropertyDecorator {
  const message = `must be a list of at most ${max} ids`;
  return Field(
    { type: [String], maxItems: max, uniqueItems: true },
    field,
    IsArray({ message }),
    ArrayMaxSize(max, { message }),
    IsString({ each: true, message: 'must hold only strings' }),
    // Not @ArrayUnique, which compares each with each.
    Check('unique', (value) =>
      Array.isArray(value) && new Set(value).size < value.length
        ? 'must not hold an id twice'
        : null,
    ),
  );
}

/** A whole number from 0. */
export function Index(...field: Described): PropertyDecorator {
  const message = 'must be a whole number from 0';
  return Field({ type: 'integer', minimum: 0 }, field, IsInt({ message }), Min(0, { message }));
}

/** A whole number in a query string, from `min`, and to `max` if there is one; it becomes a number. */
export function QueryNumber(
  { min, max = Number.POSITIVE_INFINITY }: { min: number; max?: number },
  ...field: Described
): PropertyDecorator {
  const isBounded = Number.isFinite(max);
  const message = `must be a whole number from ${min}${isBounded ? ` to ${max}` : ''}`;
  return Field(
    { type: 'integer', minimum: min, ...(isBounded && { maximum: max }) },
    field,
    Check(NUMBER, (value) =>
      typeof value === 'number' && value >= min && value <= max ? null : message,
    ),
  );
}

/** A moment in a query string, as text: ISO 8601 with an offset from UTC. */
export const QueryTime = (...field: Described): PropertyDecorator =>
  Field({ type: String, format: 'date-time' }, field, Check('time', problemOfTime));

function problemOfTime(value: unknown): string | null {
  if (isTime(value)) return null;
  // Servers read a + in a query as a space.
  return isTime(`${value}`.replace(' ', '+'))
    ? 'must have its + encoded as %2B, such as 2026-01-31T12:00:00%2B02:00'
    : 'must be a date and time such as 2026-01-31T12:00:00Z';
}

/**
 * A JSON object that comes back equal in value, or is refused. The field's type is JsonText: the
 * name of the field has this meaning in every request class.
 */
export const JsonObject = (...field: Described): PropertyDecorator =>
  applyDecorators(
    (_request: object, field: string | symbol) => keepAsText(String(field)),
    // As it came: class-transformer would copy it.
    Transform(({ obj, key }) => obj[key]),
    Field(
      { type: 'object', additionalProperties: true },
      field,
      Check('jsonObject', (value) =>
        value instanceof JsonText ? value.problemAsContent : 'must be a JSON object',
      ),
    ),
  );

/** RFC 3339, with seconds, and an offset from UTC. */
const DATE_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?(Z|[+-]\d\d:\d\d)$/;

/** True for a date and time that exists, such as 2026-01-31T12:00:00Z: there is no 30 February. */
export const isTime = (value: unknown): value is string =>
  typeof value === 'string' &&
  DATE_TIME.test(value) &&
  !Number.isNaN(Date.parse(value)) &&
  isDay(value.slice(0, 10));

/** JavaScript reads 31 February as 3 March. @param text such as 2026-01-31, which JavaScript can read */
const isDay = (text: string): boolean => new Date(text).toISOString().startsWith(text);
