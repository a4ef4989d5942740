import type { ArgumentMetadata, PipeTransform, Type } from '@nestjs/common';
import { JsonText } from '@teamspaces/json-text/json-text';
import { plainToInstance } from 'class-transformer';
import {
  getMetadataStorage,
  type ValidationArguments,
  type ValidationError,
  ValidationTypes,
  validateSync,
} from 'class-validator';
import { badRequest, type DomainError, unprocessable } from '../errors/domain-error.js';
import { yieldToEventLoop } from '../event-loop.js';

/**
 * The global pipe: bodies and queries become instances of their request classes, or the response is
 * 400 with one sentence. Unknown properties of a body are rejected by name; unknown query
 * parameters are ignored (`teamId` is accepted everywhere).
 */
export class RequestPipe implements PipeTransform {
  transform(value: unknown, { type, metatype }: ArgumentMetadata): unknown {
    if (!metatype || fieldsOf(metatype as Type).size === 0) return value;
    if (type === 'body')
      return this.body(metatype as Type<object>, value === undefined ? {} : value);
    return type === 'query' ? toQuery(metatype as Type<object>, value ?? {}) : value;
  }

  /** A large body is validated in its own turn of the event loop. */
  private body(requestClass: Type<object>, body: unknown): object | Promise<object> {
    const objects = checkStructure(requestClass, body);
    const request = instanceOf(requestClass, body as object, objects);
    return objects < LARGE ? validated(request) : yieldToEventLoop().then(() => validated(request));
  }
}

/** Objects and lists of a large body. */
const LARGE = 100;

/**
 * Makes an instance of a request class from a body.
 * @throws DomainError bad_request: up to three problems, each with its place and bound;
 *   unprocessable_entity: lists are nested too deep
 */
export function toRequest<T extends object>(requestClass: Type<T>, body: unknown): T {
  const objects = checkStructure(requestClass, body);
  return validated(instanceOf(requestClass, body as object, objects));
}

/** class-transformer makes the elements of lists; a body that is one object needs no more than its class. */
const instanceOf = <T extends object>(requestClass: Type<T>, body: object, objects: number): T =>
  objects === 1 ? Object.assign(new requestClass(), body) : plainToInstance(requestClass, body);

/**
 * Makes an instance of a request class from a query, with numbers for the numeric parameters.
 * @throws DomainError bad_request: up to three problems, each with its parameter and bound
 */
export function toQuery<T extends object>(requestClass: Type<T>, query: object): T {
  const given = query as Record<string, unknown>;
  const request = new requestClass();
  for (const [key, kind] of fieldsOf(requestClass)) {
    const value = given[key];
    if (value === undefined) continue;
    if (Array.isArray(value)) throw badRequest(`${key} must be given once`);
    const isNumber = kind === NUMBER && /^\d+$/.test(String(value));
    Reflect.set(request, key, isNumber ? Number(value) : value);
  }
  return validated(request);
}

/** @throws DomainError bad_request */
function validated<T extends object>(request: T): T {
  if (isCertainlyValid(request)) return request;
  const errors = validateSync(request, { whitelist: true, forbidNonWhitelisted: true });
  if (errors.length > 0) throw toBadRequest(errors);
  return request;
}

type Rule = ReturnType<
  ReturnType<typeof getMetadataStorage>['getTargetValidationMetadatas']
>[number];

/** Whether a value keeps all rules of its field. */
type Check = (value: unknown, request: object) => boolean;

const CHECKS = new Map<unknown, ReadonlyMap<string, Check>>();

/**
 * True for an object that class-validator would accept. Its decorators are looked up once for each class:
 * class-validator looks up, groups and filters them for each object, which takes ten times as long. False
 * for all others, and for some that it accepts: it is asked about them.
 */
function isCertainlyValid(request: object): boolean {
  const checks = checksOf(request.constructor as Type);
  for (const field of Object.keys(request)) if (!checks.has(field)) return false;
  for (const [field, check] of checks) {
    if (!check((request as Record<string, unknown>)[field], request)) return false;
  }
  return checks.size > 0;
}

function checksOf(requestClass: Type): ReadonlyMap<string, Check> {
  const known = CHECKS.get(requestClass);
  if (known) return known;
  const storage = getMetadataStorage();
  const all = storage.getTargetValidationMetadatas(requestClass, '', false, false);
  const byField = Object.entries(storage.groupByPropertyName(all));
  const checks = new Map(byField.map(([field, rules]) => [field, checkOf(rules)]));
  CHECKS.set(requestClass, checks);
  return checks;
}

function checkOf(rules: readonly Rule[]): Check {
  const ofType = (type: string) => rules.filter((rule) => rule.type === type);
  const conditions = ofType(ValidationTypes.CONDITIONAL_VALIDATION).map(
    ({ constraints: [applies] }) => applies as (request: object, value: unknown) => boolean,
  );
  const constraints = ofType(ValidationTypes.CUSTOM_VALIDATION).flatMap(constraintsOf);
  const isNested = ofType(ValidationTypes.NESTED_VALIDATION).length > 0;
  return (value, request) =>
    !conditions.every((applies) => applies(request, value)) ||
    (constraints.every((holds) => holds(value)) && (!isNested || areCertainlyValid(value)));
}

/** The constraints of one decorator; with `each`, of the elements of a list. */
function constraintsOf({ constraintCls, constraints, each }: Rule) {
  const args = { constraints } as ValidationArguments;
  return getMetadataStorage()
    .getTargetValidatorConstraints(constraintCls)
    .map(({ instance }) => {
      const holds = (value: unknown) => instance.validate(value, args) === true;
      return each ? (value: unknown) => Array.isArray(value) && value.every(holds) : holds;
    });
}

const areCertainlyValid = (list: unknown): boolean =>
  Array.isArray(list) &&
  list.every((one) => typeof one === 'object' && one !== null && isCertainlyValid(one));

/** Makes the error from the problems that class-validator found: up to three, each with its place. */
function toBadRequest(errors: readonly ValidationError[]): DomainError {
  const problems: string[] = [];
  for (const problem of problemsOf(errors, '')) {
    if (problems.push(problem) === MAX_PROBLEMS) break;
  }
  return badRequest(problems.join('; '));
}

/** @param outer the place of the object or list that the errors belong to; '' is the request itself */
function* problemsOf(errors: readonly ValidationError[], outer: string): Generator<string> {
  for (const { target, property, constraints = {}, children = [] } of errors) {
    if (ValidationTypes.WHITELIST in constraints) {
      yield unknownIn(outer, property, fieldsOf(target?.constructor as Type));
      continue;
    }
    const place = Array.isArray(target) ? `${outer}[${property}]` : placeIn(outer, property);
    const [problem] = Object.values(constraints);
    // Some messages begin with the element of a list.
    if (problem) yield problem.startsWith('[') ? place + problem : `${nameOf(place)} ${problem}`;
    if (!(LIST in constraints)) yield* problemsOf(children, place);
  }
}

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
/** Name of the constraint of a number in a query, where it comes as text. */
export const NUMBER = 'number';

/** At most this many problems are listed in one message. */
export const MAX_PROBLEMS = 3;

/**
 * Most objects and lists in a body. class-transformer and class-validator walk undeclared objects, too:
 * 12,000 objects in the place of ids took up to 111 ms of CPU. The largest valid body has about 2,010:
 * 1,000 items, each with a list of children.
 */
const MAX_OBJECTS = 2_500;

/** The fields of a request class: a list of objects, a number in a query, or anything else. */
type Fields = ReadonlyMap<string, List | typeof NUMBER | null>;
const NONE: Fields = new Map();
const known = new WeakMap<Type, Fields>();

/** The fields that the decorators of a request class declare; none if it has no decorators. */
export function fieldsOf(requestClass: Type): Fields {
  const before = known.get(requestClass);
  if (before) return before;
  const fields = new Map<string, List | typeof NUMBER | null>();
  const all = getMetadataStorage().getTargetValidationMetadatas(requestClass, '', false, false);
  for (const { propertyName, name, constraints } of all) {
    const kind = name === LIST ? (constraints[0] as List) : name === NUMBER ? NUMBER : null;
    fields.set(propertyName, kind ?? fields.get(propertyName) ?? null);
  }
  known.set(requestClass, fields);
  return fields;
}

/** How much nested lists may still hold. */
interface Budget {
  place: string;
  total: number;
  depth: number;
  left: number;
}

/** An object or a list that is not checked yet. */
interface Unchecked {
  value: object;
  place: string;
  /** The class of an object, or of the elements of a list, if it is a part of the request that has one. */
  type: Type | null;
  budget: Budget | null;
  level: number;
}

/**
 * Rejects what must not reach class-transformer and class-validator, which accept an input of any size
 * and depth: a body that is not an object, more than MAX_OBJECTS objects and lists, lists beyond their
 * bounds, and names that every JavaScript object has (`constructor`), by which class-transformer chooses
 * a class. Walks without recursion.
 * @returns how many objects and lists the body holds
 * @throws DomainError bad_request, or unprocessable_entity if lists are nested too deep: the first
 *   problem, with its place
 */
export function checkStructure(requestClass: Type, body: unknown): number {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw badRequest('the body must be a JSON object');
  }
  const unchecked: Unchecked[] = [
    { value: body, place: '', type: requestClass, budget: null, level: 0 },
  ];
  let objects = 1;
  const add = (inner: Unchecked, outer: string) => {
    if (++objects > MAX_OBJECTS) throw tooManyObjects(outer);
    unchecked.push(inner);
  };
  for (let at = unchecked.pop(); at; at = unchecked.pop()) {
    if (Array.isArray(at.value)) {
      // `unchecked` is a stack: added in reverse to be visited in the order of the document.
      for (let n = at.value.length - 1; n >= 0; n--) {
        const value: unknown = at.value[n];
        if (isObject(value)) add({ ...at, value, place: `${at.place}[${n}]` }, at.place);
      }
      continue;
    }
    const fields = at.type ? fieldsOf(at.type) : NONE;
    rejectUnknown(at, fields);
    for (const [key, value] of Object.entries(at.value).reverse()) {
      if (!isObject(value)) continue;
      const place = placeIn(at.place, fields.has(key) ? key : printable(key));
      const list = Array.isArray(value) ? fields.get(key) : null;
      const inner =
        list && list !== NUMBER
          ? checkList(value as unknown[], place, list, at)
          : { value, place, type: null, budget: null, level: 0 };
      add(inner, at.place);
    }
  }
  return objects;
}

const tooManyObjects = (place: string): DomainError =>
  badRequest(
    `${nameOf(place)} holds too many objects: a body holds at most ${MAX_OBJECTS} objects and lists`,
  );

/**
 * Rejects unknown properties that must not reach class-transformer: inherited names always, and all of
 * them from MAX_PROBLEMS on, since it compares every name with every other. The message lists the
 * first MAX_PROBLEMS.
 */
function rejectUnknown({ value, place }: Unchecked, fields: Fields): void {
  const unknown = Object.keys(value).filter((key) => !fields.has(key));
  const inherited = unknown.filter((key) => key in Object.prototype);
  const rejected = unknown.length < MAX_PROBLEMS ? inherited : unknown;
  if (rejected.length === 0) return;
  const problems = rejected.slice(0, MAX_PROBLEMS).map((key) => unknownIn(place, key, fields));
  throw badRequest(problems.join('; '));
}

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !(value instanceof JsonText);

/** Checks the length and depth of a list of objects. @throws DomainError as checkStructure() */
function checkList(value: unknown[], place: string, list: List, at: Unchecked): Unchecked {
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

/** The problem with the length of a list, or with a value that is not a list. */
export const tooManyOrFew = ({ min = 1, max }: ListBounds): string =>
  `must be a list of ${min === 0 ? 'at most' : `${min} to`} ${max} objects`;

/** Says that an object has a property that is not in its class. */
export function unknownIn(place: string, key: string, fields: Fields): string {
  const meant = [...fields.keys()].find((field) => field.toLowerCase() === key.toLowerCase());
  return `${placeIn(place, printable(key))} is not a known property${meant ? `, did you mean ${meant}?` : ': leave it out'}`;
}

/** The name of an unknown property as a message shows it: a caller may send any. */
const printable = (key: string): string =>
  JSON.stringify(key.length > 64 ? `${key.slice(0, 64)}…` : key).slice(1, -1);

/** The place of a property of the object at `outer`; '' is the request itself. */
export const placeIn = (outer: string, property: string): string =>
  outer === '' ? property : `${outer}.${property}`;

/** How messages call a place: '' is the body, and so is the field `body` of ListBodyPipe. */
export const nameOf = (place: string): string =>
  place === '' || place === 'body' ? 'the body' : place;
