import type { Type } from '@nestjs/common';
import { getMetadataStorage } from 'class-validator';
import { badRequest, unprocessable } from '../errors/domain-error.js';
import { JsonText } from '../json/json-text.js';

/** What a list in a request holds. */
export interface ListBounds {
  /** Fewest and most elements of this one list; 1 at least by default. */
  min?: number;
  max: number;
  /** For elements that hold lists of their own kind: most elements on all levels together. */
  total?: number;
  /** For elements that hold lists of their own kind: most levels; the list itself is the first. */
  depth?: number;
}

export type List = ListBounds & { element: () => Type };

/** Name of the constraint that holds a List. */
export const LIST = 'list';

/** At most this many problems are listed in one message. */
export const MOST_PROBLEMS = 3;

/** The fields of a request class; for a list of objects its List, otherwise null. */
type Fields = ReadonlyMap<string, List | null>;
const NONE: Fields = new Map();
const known = new WeakMap<Type, Fields>();

/** What the decorators of a request class have told class-validator; none of another class. */
export function fieldsOf(requestClass: Type): Fields {
  const before = known.get(requestClass);
  if (before) return before;
  const fields = new Map<string, List | null>();
  const all = getMetadataStorage().getTargetValidationMetadatas(requestClass, '', false, false);
  for (const { propertyName, name, constraints } of all) {
    const list = name === LIST ? (constraints[0] as List) : fields.get(propertyName);
    fields.set(propertyName, list ?? null);
  }
  known.set(requestClass, fields);
  return fields;
}

/** What nested lists may still hold. */
interface Budget {
  place: string;
  total: number;
  depth: number;
  left: number;
}

/** An object or a list that is still to be looked at. */
interface Open {
  value: object;
  place: string;
  /** The class of an object, or of the elements of a list, if it is a part of the request that has one. */
  type: Type | null;
  budget: Budget | null;
  level: number;
}

/**
 * Refuses what must not get as far as class-transformer and class-validator, which take an input of
 * any size and depth: a body that is not an object, lists beyond their bounds, and names that every
 * JavaScript object has (`constructor`), by which class-transformer chooses a class. Walks without
 * recursion.
 * @returns how many objects and lists the body holds
 * @throws DomainError bad_request, or unprocessable_entity if lists are nested too deep: the first
 *   problem, with its place
 */
export function checkStructure(requestClass: Type, body: unknown): number {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw badRequest('the body must be a JSON object');
  }
  const open: Open[] = [{ value: body, place: '', type: requestClass, budget: null, level: 0 }];
  let objects = 0;
  for (let at = open.pop(); at; at = open.pop()) {
    objects++;
    if (Array.isArray(at.value)) {
      // `open` is a stack: pushed in reverse to be visited in the order of the document.
      for (let n = at.value.length - 1; n >= 0; n--) {
        const value: unknown = at.value[n];
        if (isOpen(value)) open.push({ ...at, value, place: `${at.place}[${n}]` });
      }
      continue;
    }
    const fields = at.type ? fieldsOf(at.type) : NONE;
    refuseUnknown(at, fields);
    for (const [key, value] of Object.entries(at.value).reverse()) {
      if (!isOpen(value)) continue;
      const place = placeIn(at.place, key);
      const list = Array.isArray(value) ? fields.get(key) : null;
      open.push(
        list
          ? openList(value as unknown[], place, list, at)
          : { value, place, type: null, budget: null, level: 0 },
      );
    }
  }
  return objects;
}

/**
 * Rejects unknown properties that must not reach class-transformer: inherited names always, and all of
 * them from MOST_PROBLEMS on, since it compares every name with every other. The message lists the
 * first MOST_PROBLEMS.
 */
function refuseUnknown({ value, place }: Open, fields: Fields): void {
  const unknown = Object.keys(value).filter((key) => !fields.has(key));
  const inherited = unknown.filter((key) => key in Object.prototype);
  const refused = unknown.length < MOST_PROBLEMS ? inherited : unknown;
  if (refused.length === 0) return;
  const problems = refused.slice(0, MOST_PROBLEMS).map((key) => unknownIn(place, key, fields));
  throw badRequest(problems.join('; '));
}

const isOpen = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !(value instanceof JsonText);

function openList(value: unknown[], place: string, list: List, at: Open): Open {
  if (value.length > list.max) throw badRequest(`${nameOf(place)} ${tooManyOrFew(list)}`);
  const { total = Number.POSITIVE_INFINITY, depth = Number.POSITIVE_INFINITY } = list;
  const budget = at.budget ?? { place, total, depth, left: total };
  // How deep data may go is a rule of the data, hence 422.
  if (value.length > 0 && at.level >= budget.depth) {
    throw unprocessable(
      `${place}[0] is too deep: nesting goes at most ${budget.depth} levels deep`,
    );
  }
  budget.left -= value.length;
  if (budget.left < 0) {
    throw badRequest(`${nameOf(budget.place)} must hold at most ${budget.total} in all`);
  }
  return { value, place, type: list.element(), budget, level: at.level + 1 };
}

/** What is wrong with the length of a list, or with a value that is no list. */
export const tooManyOrFew = ({ min = 1, max }: ListBounds): string =>
  `must be a list of ${min === 0 ? 'at most' : `${min} to`} ${max} objects`;

/** Says that an object has a property that is not in its class. */
export function unknownIn(place: string, key: string, fields: Fields): string {
  const name = JSON.stringify(key.length > 64 ? `${key.slice(0, 64)}…` : key).slice(1, -1);
  const meant = [...fields.keys()].find((field) => field.toLowerCase() === key.toLowerCase());
  return `${placeIn(place, name.toWellFormed())} is not a known property${meant ? `, did you mean ${meant}?` : ': leave it out'}`;
}

/** The place of a property of the object at `outer`; '' is the request itself. */
export const placeIn = (outer: string, property: string): string =>
  outer === '' ? property : `${outer}.${property}`;

/** How messages call a place: a body that is a list is the field `body` (ListBodyPipe). */
export const nameOf = (place: string): string => (place === 'body' ? 'the body' : place);
