import type { PipeTransform } from '@nestjs/common';
import type { ListBounds } from './lists.js';
import { toRequests } from './request.pipe.js';

/** For a body that is a list: `@Body(new ListBodyPipe({ element, max, distinct }))`. */
export class ListBodyPipe<T extends object> implements PipeTransform<unknown, T[]> {
  constructor(private readonly bounds: ListBounds<T>) {}

  transform(value: unknown): T[] {
    return toRequests(this.bounds, value, 'the body', 'body');
  }
}
