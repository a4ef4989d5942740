import { ApiProperty, type ApiPropertyOptions, ApiSchema } from '@nestjs/swagger';

/**
 * Names the class in the OpenAPI document: as in the code, without `Response`.
 * @param name if it is another one
 */
export const Schema =
  (description: string, name?: string): ClassDecorator =>
  (described) =>
    ApiSchema({ name: name ?? described.name.replace(/Response$/, ''), description })(described);

/**
 * Documents a property of a response class. Its type is that of the code, if `schema` has none: except of lists,
 * unions and whole numbers, whose types are not known at run time. Whatever can be null is text otherwise.
 */
export function Property(
  description: string,
  { optional = false, ...schema }: ApiPropertyOptions & { optional?: boolean } = {},
): PropertyDecorator {
  const { nullable } = schema;
  return ApiProperty({
    ...(nullable && { type: String }),
    ...schema,
    // `required` of an object would name properties of its own.
    ...(optional && { selfRequired: false }),
    description,
  } as ApiPropertyOptions);
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
