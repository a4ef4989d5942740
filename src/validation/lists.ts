import type { PipeTransform, Type } from '@nestjs/common';
import { applyDecorators } from '@nestjs/common';
import { Type as TypeOf } from 'class-transformer';
import { Field, type FieldOptions } from './fields.js';
import { made } from './request.pipe.js';
import { checkRequest, problemOfList } from './request-check.js';
import type { ListBounds } from './request-rules.js';

type BoundsOf<T> = ListBounds & { distinct?: keyof T & string };

/**
 * A list of objects, each checked by the rules of its own class. A class may hold lists of itself;
 * then `total` and `depth` of the outermost list bound all of them together.
 * @param element a function, because a class is not there yet while it declares itself
 */
export function ListOf<T extends object>(
  element: () => Type<T>,
  bounds: BoundsOf<T>,
  options: FieldOptions,
): PropertyDecorator {
  return applyDecorators(
    Field(
      (value) => problemOfList(value, bounds),
      { type: () => [element()], minItems: bounds.min ?? 1, maxItems: bounds.max },
      options,
      { list: { ...bounds, element } },
    ),
    TypeOf(element),
  );
}

/** For a body that is a list: `@Body(new ListBodyPipe(ElementRequest, { max, distinct }))`. */
export class ListBodyPipe<T extends object> implements PipeTransform<unknown, T[]> {
  constructor(
    private readonly element: Type<T>,
    private readonly bounds: BoundsOf<T>,
  ) {}

  /** @throws DomainError bad_request: up to three problems, each with its place and bound */
  transform(body: unknown): T[] {
    const list = this.bounds;
    const findings = checkRequest(this.element, body, { whole: 'the body', list });
    return made(this.element, body as unknown[], findings);
  }
}
