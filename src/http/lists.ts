import type { Type } from '@nestjs/common';
import { Field, type FieldOptions } from './fields.js';

/** What a list in a request holds: 1 to `max` objects of one class. */
export interface ListBounds<T extends object = object> {
  element: Type<T>;
  max: number;
  /** No two elements have the same text here, letter case aside. */
  distinct: keyof T & string;
}

const lists = new WeakMap<object, Map<string, ListBounds>>();

/** The fields of a request class that hold a list; the pipe checks their elements. */
export function listFields(requestClass: object): Map<string, ListBounds> {
  return lists.get(requestClass) ?? new Map();
}

/** A list of 1 to `max` objects, each checked by the rules of its own class. */
export function ListOf<T extends object>(
  bounds: ListBounds<T>,
  options: FieldOptions,
): PropertyDecorator {
  const { element, max } = bounds;
  const field = Field(
    (value) => problemOfList(value, max),
    { type: [element], minItems: 1, maxItems: max },
    options,
  );
  return (target, key) => {
    field(target, key);
    const fields = listFields(target.constructor);
    lists.set(target.constructor, fields.set(String(key), bounds as unknown as ListBounds));
  };
}

/** What is wrong with a list as such; its elements are not looked at. */
export function problemOfList(value: unknown, max: number): string | null {
  const isInBounds = Array.isArray(value) && value.length >= 1 && value.length <= max;
  return isInBounds ? null : `must be a list of 1 to ${max} objects`;
}

/** Where in the list a text stands again that stood before, or -1. */
export function repeated<T extends object>(list: readonly T[], field: keyof T & string): number {
  const seen = new Set<string>();
  return list.findIndex((element) => seen.size === seen.add(fold(String(element[field]))).size);
}

/**
 * Lower case, one code point for one, as PostgreSQL's lower() has it: what is the same to the
 * database is the same here.
 */
export function fold(text: string): string {
  return Array.from(text, (char) => Array.from(char.toLowerCase())[0]).join('');
}
