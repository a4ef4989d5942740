import {
  ApiProperty,
  ApiPropertyOptional,
  type ApiPropertyOptions,
  ApiSchema,
} from '@nestjs/swagger';

/**
 * Describes a wire class. Its name in the OpenAPI document is that in the code, without `Response`.
 * @param name if it has another one
 */
export const Schema =
  (description: string, name?: string): ClassDecorator =>
  (described) =>
    ApiSchema({ name: name ?? described.name.replace(/Response$/, ''), description })(described);

/**
 * Describes a property of a response class. `schema` has what the type in the code does not say, and the type itself
 * where it is not known at run time: of lists, whole numbers, objects without a class, and classes or null. Text or
 * null needs none.
 */
export function Property(
  description: string,
  { optional = false, ...schema }: ApiPropertyOptions & { optional?: boolean } = {},
): PropertyDecorator {
  const type = schema.nullable && { type: String };
  const api = { ...type, ...schema, description } as ApiPropertyOptions;
  return optional ? ApiPropertyOptional(api) : ApiProperty(api);
}

/**
 * A time in a response, as isoTime() writes it.
 * @param what it is, and `more` about it
 */
export const Time = (what = '', more = ''): PropertyDecorator =>
  Property(
    [what && `${what}:`, 'ISO 8601 UTC with milliseconds.', more].filter(Boolean).join(' '),
    { format: 'date-time' },
  );
