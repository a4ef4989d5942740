import type { ArgumentMetadata, PipeTransform, Type } from '@nestjs/common';
import { plainToInstance } from 'class-transformer';
import { getMetadataStorage, type ValidationError, validateSync } from 'class-validator';
import { badRequest } from '../errors/domain-error.js';
import { type ListBounds, listFields, problemOfList, repeated } from './lists.js';
import { opaqueFields } from './opaque-json.js';

/**
 * The global pipe: bodies and queries become instances of their request classes, or the answer is
 * 400 with one sentence. Unknown properties of a body are refused by name; unknown query parameters
 * are left alone (`teamId` is accepted everywhere).
 */
export class RequestPipe implements PipeTransform {
  transform(value: unknown, { type, metatype }: ArgumentMetadata): unknown {
    if ((type !== 'body' && type !== 'query') || !metatype || !isRequestClass(metatype)) {
      return value;
    }
    return toRequest(
      metatype,
      value === undefined ? {} : value,
      type === 'body' ? 'the body' : 'the query',
    );
  }
}

/**
 * Makes one instance of `requestClass`, checked.
 * @param what how the message calls the whole, as in «the body must be a JSON object»
 * @param at put before the names of its fields, as in `invites[3].`
 * @throws DomainError bad_request
 */
export function toRequest<T extends object>(
  requestClass: Type<T>,
  value: unknown,
  what: string,
  at = '',
): T {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw badRequest(`${what} must be a JSON object`);
  }
  const strict = what !== 'the query';
  const instance = instantiate(requestClass, value as Record<string, unknown>, strict, at);
  const [error] = validateSync(instance, { stopAtFirstError: true, forbidUnknownValues: false });
  if (error) throw badRequest(at + sentence(error));
  for (const [key, bounds] of listFields(requestClass)) {
    const list = (instance as Record<string, unknown>)[key];
    if (list !== undefined) Object.assign(instance, { [key]: toRequests(bounds, list, key, key) });
  }
  return instance;
}

/**
 * Makes a list of instances, each checked by the rules of its class; the length comes first.
 * @param what how the message calls the whole, as in «the body must be a list of …»
 * @param name how it calls an element, without the index
 * @throws DomainError bad_request
 */
export function toRequests<T extends object>(
  bounds: ListBounds<T>,
  value: unknown,
  what: string,
  name: string,
): T[] {
  const problem = problemOfList(value, bounds.max);
  if (problem) throw badRequest(`${what} ${problem}`);
  const list = (value as unknown[]).map((element, index) =>
    toRequest(bounds.element, element, `${name}[${index}]`, `${name}[${index}].`),
  );
  const again = repeated(list, bounds.distinct);
  if (again !== -1) throw badRequest(`${name}[${again}].${bounds.distinct} is in the list already`);
  return list;
}

/**
 * Only what is declared, and only plain values, go through class-transformer, which is slow and
 * recursive on what it is given; the rest is attached to the instance as it came.
 */
function instantiate<T extends object>(
  requestClass: Type<T>,
  value: Record<string, unknown>,
  strict: boolean,
  at: string,
): T {
  const known = fieldsOf(requestClass);
  const plain: Record<string, unknown> = {};
  const asTheyCame: Record<string, unknown> = {};
  for (const key of Object.keys(value)) {
    if (!known.has(key)) {
      if (strict) throw badRequest(at + unknownProperty(key, known));
      continue;
    }
    if (!strict && Array.isArray(value[key])) throw badRequest(`${key} must be given once`);
    const isPlain = typeof value[key] !== 'object' && !opaqueFields(requestClass).has(key);
    (isPlain ? plain : asTheyCame)[key] = value[key];
  }
  return Object.assign(plainToInstance(requestClass, plain), asTheyCame);
}

function unknownProperty(key: string, known: Set<string>): string {
  const name = JSON.stringify(key.length > 64 ? `${key.slice(0, 64)}…` : key).slice(1, -1);
  const meant = [...known].find((field) => field.toLowerCase() === key.toLowerCase());
  return `${name.toWellFormed()} is not a known property${meant ? `, did you mean ${meant}?` : ''}`;
}

const fields = new Map<unknown, Set<string>>();

function fieldsOf(requestClass: Type): Set<string> {
  let names = fields.get(requestClass);
  if (!names) {
    const rules = getMetadataStorage().getTargetValidationMetadatas(requestClass, '', false, false);
    names = new Set(rules.map((rule) => rule.propertyName));
    fields.set(requestClass, names);
  }
  return names;
}

function isRequestClass(metatype: Type): boolean {
  return fieldsOf(metatype).size > 0;
}

function sentence(error: ValidationError): string {
  return Object.values(error.constraints ?? {})[0] ?? `${error.property} is not valid`;
}
