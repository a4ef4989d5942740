import type { ArgumentMetadata, PipeTransform, Type } from '@nestjs/common';
import { plainToInstance } from 'class-transformer';
import { badRequest } from '../errors/domain-error.js';
import { checkRequest, type Findings } from './request-check.js';
import { rulesOf } from './request-rules.js';

/**
 * The global pipe: bodies and queries become instances of their request classes, or the answer is
 * 400 with one sentence. Unknown properties of a body are refused by name; unknown query parameters
 * are left alone (`teamId` is accepted everywhere).
 */
export class RequestPipe implements PipeTransform {
  transform(value: unknown, { type, metatype }: ArgumentMetadata): unknown {
    if (!metatype || rulesOf(metatype as Type).size === 0) return value;
    if (type === 'body')
      return toRequest(metatype as Type<object>, value === undefined ? {} : value);
    return type === 'query' ? toQuery(metatype as Type<object>, value ?? {}) : value;
  }
}

/**
 * Makes an instance of a request class from a body.
 * @throws DomainError bad_request: up to three problems, each with its place and bound
 */
export function toRequest<T extends object>(requestClass: Type<T>, body: unknown): T {
  const findings = checkRequest(requestClass, body, { whole: 'the body' });
  return made(requestClass, body as object, findings);
}

/**
 * Makes an instance of a request class from a query. Its rules judge the texts that were sent, then
 * `@Type` makes numbers of those that are to be numbers.
 * @throws DomainError bad_request: up to three problems, each with its parameter and bound
 */
export function toQuery<T extends object>(requestClass: Type<T>, query: object): T {
  const given: Record<string, unknown> = {};
  for (const key of rulesOf(requestClass).keys()) {
    const value = (query as Record<string, unknown>)[key];
    if (Array.isArray(value)) throw badRequest(`${key} must be given once`);
    if (value !== undefined) given[key] = value;
  }
  return made(requestClass, given, checkRequest(requestClass, given, { whole: 'the query' }));
}

/**
 * Lets class-transformer make what was found to be well-formed, and puts back where it stood what
 * class-transformer is kept away from.
 * @throws DomainError bad_request: it was not
 */
export function made<T extends object, V extends object>(
  requestClass: Type<T>,
  value: V,
  { problems, opaque }: Findings,
): V extends unknown[] ? T[] : T {
  if (problems.length > 0) throw badRequest(problems.join('; '));
  const instance = plainToInstance(requestClass, value) as Holder;
  for (const { path, value: json } of opaque) {
    const holder = path.slice(0, -1).reduce((outer, step) => outer[step] as Holder, instance);
    holder[path.at(-1) as string] = json;
  }
  return instance as V extends unknown[] ? T[] : T;
}

type Holder = Record<string | number, unknown>;
