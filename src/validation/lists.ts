import { applyDecorators, type PipeTransform, type Type } from '@nestjs/common';
import { Transform, Type as TypeOf } from 'class-transformer';
import { ValidateBy, ValidateNested } from 'class-validator';
import { foldEmail } from '../auth/email.js';
import { type Described, Field } from './fields.js';
import { LIST, type List, type ListBounds, tooManyOrFew, toRequest } from './request.pipe.js';

type BoundsOf<T> = ListBounds & {
  /** No two elements have the same text here, letter case aside. */
  distinct?: keyof T & string;
};

/**
 * A list of objects, each checked by the rules of its own class. A class may hold lists of itself;
 * then `total` and `depth` of the outermost list bound all of them together.
 * @param element a function, because a class does not exist yet while it is declared
 */
export function ListOf<T extends object>(
  element: () => Type<T>,
  { distinct, ...bounds }: BoundsOf<T>,
  ...field: Described
): PropertyDecorator {
  const { min = 1, max } = bounds;
  return applyDecorators(
    TypeOf(element),
    // class-validator would validate the elements of a list in the list, which is not an object.
    Transform(({ value }) =>
      Array.isArray(value) ? value.map((one) => (Array.isArray(one) ? null : one)) : value,
    ),
    Field(
      { type: () => [element()], minItems: min, maxItems: max },
      field,
      ValidateBy({
        name: LIST,
        constraints: [{ ...bounds, element } satisfies List],
        validator: {
          validate: (value) => Array.isArray(value) && value.length >= min && value.length <= max,
          defaultMessage: () => tooManyOrFew(bounds),
        },
      }),
      ...(distinct === undefined
        ? []
        : [
            ValidateBy({
              name: 'distinct',
              validator: {
                validate: (value) => placeOfRepeated(value, distinct) === null,
                defaultMessage: (args) => {
                  const place = placeOfRepeated(args?.value, distinct);
                  return `${place} is already in the list: name each once`;
                },
              },
            }),
          ]),
      ValidateNested({ message: 'must be a JSON object' }),
    ),
  );
}

/** Where in a list a text is repeated, compared as emails are: `[2].email`. */
function placeOfRepeated(list: unknown, field: string): string | null {
  const seen = new Set<string>();
  const index = (Array.isArray(list) ? list : []).findIndex((element) => {
    const text = (element as Record<string, unknown> | null)?.[field];
    return typeof text === 'string' && seen.size === seen.add(foldEmail(text)).size;
  });
  return index === -1 ? null : `[${index}].${field}`;
}

/**
 * For a body that is a list: `@Body(new ListBodyPipe(ElementRequest, { max, distinct }))`. class-validator
 * validates objects only, so the list is validated as the field of one.
 */
export class ListBodyPipe<T extends object> implements PipeTransform<unknown, T[]> {
  private readonly requestClass: Type<{ body: T[] }>;

  constructor(element: Type<T>, bounds: BoundsOf<T>) {
    class ListBody {
      body!: T[];
    }
    ListOf(() => element, bounds, 'The body.')(ListBody.prototype, 'body');
    this.requestClass = ListBody;
  }

  /** @throws DomainError bad_request: up to three problems, each with its place and bound */
  transform(body: unknown): T[] {
    return toRequest(this.requestClass, { body: body ?? null }).body;
  }
}
