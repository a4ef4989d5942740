import type { ArgumentMetadata, PipeTransform, Type } from '@nestjs/common';
import { plainToInstance } from 'class-transformer';
import {
  getMetadataStorage,
  type ValidationArguments,
  type ValidationError,
  ValidationTypes,
  validateSync,
} from 'class-validator';
import { badRequest, type DomainError } from '../errors/domain-error.js';
import { yieldToEventLoop } from '../event-loop.js';
import {
  checkStructure,
  fieldsOf,
  LIST,
  MAX_PROBLEMS,
  NUMBER,
  nameOf,
  placeIn,
  unknownIn,
} from './structure.js';

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
