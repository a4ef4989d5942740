import { applyDecorators } from '@nestjs/common';
import {
  ApiHideProperty,
  ApiProperty,
  ApiPropertyOptional,
  type ApiPropertyOptions,
} from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { ValidateBy, type ValidationArguments } from 'class-validator';
import { EMAIL_MAX_LENGTH, isEmail } from '../auth/email.js';
import type { FieldShape } from './request-rules.js';

/**
 * One decorator a field: its rule for class-validator and its schema for OpenAPI come from the same
 * bounds. A rule looks at a value and says what is wrong with it (`must be 1 to 32 characters`), or
 * null; the field's name is put before it.
 */
export type Rule = (value: unknown) => string | null;

export interface FieldOptions {
  /** Absent is allowed. */
  optional?: boolean;
  /** `null` has a meaning here; elsewhere it is refused. */
  nullable?: boolean;
  /** Left out of the OpenAPI document. */
  hidden?: boolean;
  description: string;
  example?: unknown;
  default?: unknown;
}

/**
 * Declares a field by its rule.
 * @param shape what the field is where it is not a plain value
 */
export function Field(
  rule: Rule,
  schema: ApiPropertyOptions,
  options: FieldOptions,
  shape: FieldShape = {},
): PropertyDecorator {
  const judge = (value: unknown): string | null => {
    if (value === undefined) return options.optional ? null : 'is required';
    if (value === null && options.nullable) return null;
    return rule(value);
  };
  const { optional, nullable, hidden, ...documented } = options;
  const api = {
    ...schema,
    ...(nullable && { nullable: true }),
    ...documented,
  } as ApiPropertyOptions;
  return applyDecorators(
    hidden ? ApiHideProperty() : optional ? ApiPropertyOptional(api) : ApiProperty(api),
    ValidateBy({
      name: 'field',
      constraints: [shape],
      validator: {
        validate: (value: unknown) => judge(value) === null,
        defaultMessage: (args?: ValidationArguments) => `${args?.property} ${judge(args?.value)}`,
      },
    }),
  );
}

/** Length in Unicode code points. */
function codePoints(text: string): number {
  let count = 0;
  for (const _ of text) count++;
  return count;
}

/** What no text may hold: PostgreSQL would refuse it, or give it back changed. */
export function malformedText(value: string): string | null {
  if (!value.isWellFormed()) return 'must be well-formed Unicode, without lone surrogates';
  return value.includes('\0') ? 'must not contain the character NUL' : null;
}

/** White space as Unicode has it, and the byte order mark. */
const BLANK = /^[\p{White_Space}\uFEFF]*$/u;

/** Text of `min` to `max` code points; `notBlank`: something other than white space. */
export function Text(
  bounds: { min: number; max: number; notBlank?: boolean },
  options: FieldOptions,
): PropertyDecorator {
  const { min, max, notBlank } = bounds;
  const length = min === 0 ? `at most ${max} characters` : `${min} to ${max} characters`;
  return Field(
    (value) => {
      if (typeof value !== 'string') return `must be a string of ${length}`;
      // A code point takes at most two UTF-16 units: no need to count what is far too long.
      const size = value.length > 2 * max ? value.length : codePoints(value);
      if (size < min || size > max) return `must be ${length}`;
      if (notBlank && BLANK.test(value)) return 'must hold something other than white space';
      return malformedText(value);
    },
    { type: String, ...(min > 0 && { minLength: min }), maxLength: max },
    options,
  );
}

/** A name of 1 to 32 characters, not only white space. */
export const Name = (options: FieldOptions): PropertyDecorator =>
  Text({ min: 1, max: 32, notBlank: true }, options);

/** A description of at most 120 characters. */
export const Description = (options: FieldOptions): PropertyDecorator =>
  Text({ min: 0, max: 120 }, options);

/** Lower-case letters, digits and single hyphens between them. */
const SLUG = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;

/** A slug of 3 to 48 characters. */
export const Slug = (options: FieldOptions): PropertyDecorator =>
  Field(
    (value) => {
      if (typeof value !== 'string') return 'must be a string of 3 to 48 characters';
      if (value.length < 3 || value.length > 48) return 'must be 3 to 48 characters';
      return SLUG.test(value)
        ? null
        : 'must be lower-case letters and digits, with single hyphens between them';
    },
    { type: String, minLength: 3, maxLength: 48, pattern: SLUG.source },
    options,
  );

/** One of a closed set of words. */
export const OneOf = (words: readonly string[], options: FieldOptions): PropertyDecorator =>
  Field(
    (value) =>
      words.includes(value as string)
        ? null
        : `must be ${words.length > 1 ? 'one of ' : ''}${words.join(', ')}`,
    { type: String, enum: [...words] },
    options,
  );

/** An email address of at most 320 characters: the rule that tokens are held to, too. */
export const Email = (options: FieldOptions): PropertyDecorator =>
  Field(
    (value) => {
      if (typeof value !== 'string') return 'must be an email address';
      if (value.length < 1 || value.length > EMAIL_MAX_LENGTH) {
        return `must be 1 to ${EMAIL_MAX_LENGTH} characters`;
      }
      return isEmail(value) ? null : 'must be an email address';
    },
    { type: String, format: 'idn-email', minLength: 1, maxLength: EMAIL_MAX_LENGTH },
    options,
  );

/** An id. Whether it exists is the service's question; here it only has to be a string. */
export const Id = (options: FieldOptions & { emptyAllowed?: boolean }): PropertyDecorator => {
  const { emptyAllowed, ...rest } = options;
  return Field(
    (value) => {
      if (typeof value !== 'string') return 'must be a string';
      return value === '' && !emptyAllowed ? 'must be at least 1 character' : null;
    },
    { type: String, ...(!emptyAllowed && { minLength: 1 }) },
    rest,
  );
};

/** A list of up to `max` ids, none of them twice. */
export const Ids = ({ max }: { max: number }, options: FieldOptions): PropertyDecorator =>
  Field(
    (value) => {
      if (!Array.isArray(value) || value.length > max)
        return `must be a list of at most ${max} ids`;
      if (!value.every((id) => typeof id === 'string')) return 'must hold nothing but strings';
      return new Set(value).size === value.length ? null : 'must not hold an id twice';
    },
    { type: [String], maxItems: max, uniqueItems: true },
    options,
  );

/** A whole number from 0. */
export const Index = (options: FieldOptions): PropertyDecorator =>
  Field(
    (value) =>
      Number.isInteger(value) && (value as number) >= 0 ? null : 'must be a whole number from 0',
    { type: 'integer', minimum: 0 },
    options,
  );

/** A whole number in a query string, from `min`, and to `max` where there is one; it arrives as a number. */
export const QueryNumber = (
  { min, max = Number.POSITIVE_INFINITY }: { min: number; max?: number },
  options: FieldOptions,
): PropertyDecorator => {
  const isBounded = Number.isFinite(max);
  const problem = `must be a whole number from ${min}${isBounded ? ` to ${max}` : ''}`;
  return applyDecorators(
    Field(
      (value) => {
        const number = typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : -1;
        return number >= min && number <= max ? null : problem;
      },
      { type: 'integer', minimum: min, ...(isBounded && { maximum: max }) },
      options,
    ),
    Type(() => Number),
  );
};
