import type { Type } from '@nestjs/common';
import { foldEmail } from '../auth/email.js';
import { unprocessable } from '../errors/domain-error.js';
import type { FieldRules, ListBounds } from './request-rules.js';
import { rulesOf } from './request-rules.js';

/** Steps from the whole request to a place in it, as in `items`, 2, `children`. */
type Path = readonly (string | number)[];

/** So many problems are named in one message; the rest is not looked for. */
const MOST_PROBLEMS = 3;

/** What looking at a request found. */
export interface Findings {
  /** Sentences that name the place and the bound; none where all is well. */
  problems: string[];
  /** Values of any shape, and where they stand; nobody has looked inside but their rules. */
  opaque: { path: Path; value: object }[];
}

/** What nested lists may still hold. */
interface Budget {
  name: string;
  total: number;
  depth: number;
  left: number;
}

/** An object that is still to be looked at. */
interface Open {
  requestClass: Type;
  value: unknown;
  path: Path;
  budget: Budget | null;
  level: number;
}

/**
 * Looks at a request before anything is made of it. Walks without recursion and stops at the first
 * bound: the input decides the depth and the number.
 * @param whole how messages call the request itself: `the body`
 * @param list its bounds, where the body is a list of `requestClass`
 */
export function checkRequest(
  requestClass: Type,
  value: unknown,
  { whole, list }: { whole: string; list?: ListBounds },
): Findings {
  const findings: Findings = { problems: [], opaque: [] };
  const open: Open[] = [];
  if (list) {
    const problem = problemOfList(value, list);
    if (problem) return { ...findings, problems: [`${whole} ${problem}`] };
    openList(findings, open, value as unknown[], { ...list, element: () => requestClass }, []);
  } else {
    open.push({ requestClass, value, path: [], budget: null, level: 0 });
  }
  for (let next = open.pop(); next; next = open.pop()) {
    checkObject(findings, open, next, whole);
    if (findings.problems.length >= MOST_PROBLEMS) break;
  }
  findings.problems.length = Math.min(findings.problems.length, MOST_PROBLEMS);
  return findings;
}

/** What is wrong with a list as such; its elements are not looked at. */
export function problemOfList(value: unknown, { min = 1, max }: ListBounds): string | null {
  const isInBounds = Array.isArray(value) && value.length >= min && value.length <= max;
  if (isInBounds) return null;
  return `must be a list of ${min === 0 ? 'at most' : `${min} to`} ${max} objects`;
}

function checkObject({ problems, opaque }: Findings, open: Open[], at: Open, whole: string): void {
  const { requestClass, value, path, budget, level } = at;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    problems.push(`${placeOf(path) || whole} must be a JSON object`);
    return;
  }
  const rules = rulesOf(requestClass);
  const prefix = path.length > 0 ? `${placeOf(path)}.` : '';
  for (const key of Object.keys(value)) {
    if (rules.has(key)) continue;
    problems.push(`${prefix}${unknownProperty(key, rules)}`);
    if (problems.length >= MOST_PROBLEMS) return;
  }
  const lists: [FieldRules['list'] & object, unknown[], Path][] = [];
  for (const [key, field] of rules) {
    const member = (value as Record<string, unknown>)[key];
    const problem = field.problemOf(member, value);
    if (problem) problems.push(`${prefix}${problem}`);
    else if (member === undefined || member === null) continue;
    else if (field.opaque) opaque.push({ path: [...path, key], value: member as object });
    else if (field.list) lists.push([field.list, member as unknown[], [...path, key]]);
  }
  // What is opened last is looked at first: in the order of the text.
  for (const [list, elements, where] of lists.reverse()) {
    openList({ problems, opaque }, open, elements, list, where, budget, level);
  }
}

function openList(
  { problems }: Findings,
  open: Open[],
  elements: unknown[],
  list: FieldRules['list'] & object,
  path: Path,
  outer: Budget | null = null,
  level = 0,
): void {
  const budget = outer ?? budgetOf(list, path);
  if (budget) {
    budget.left -= elements.length;
    const { name, total, depth, left } = budget;
    const isTooDeep = elements.length > 0 && level >= depth;
    // Before anything recurses over it: how deep data may go is a rule of the data, hence 422.
    if (isTooDeep) {
      const place = placeOf([...path, 0]);
      throw unprocessable(`${place} is too deep: nesting goes at most ${depth} levels deep`);
    }
    if (left < 0) {
      problems.push(`${name} must hold at most ${total} in all`);
      // Beyond its bounds, no more of it is looked at.
      open.length = 0;
      return;
    }
  }
  const again = list.distinct === undefined ? -1 : repeated(elements, list.distinct);
  if (again !== -1)
    problems.push(
      `${placeOf([...path, again])}.${list.distinct} is in the list already: name each once`,
    );
  const requestClass = list.element();
  for (let index = elements.length - 1; index >= 0; index--) {
    const value = elements[index];
    open.push({ requestClass, value, path: [...path, index], budget, level: level + 1 });
  }
}

function budgetOf(list: ListBounds, path: Path): Budget | null {
  const { total = Number.POSITIVE_INFINITY, depth = Number.POSITIVE_INFINITY } = list;
  const isBounded = Number.isFinite(total) || Number.isFinite(depth);
  return isBounded ? { name: placeOf(path) || 'the body', total, depth, left: total } : null;
}

/** Where in the list a text is repeated, compared as emails are; -1: nowhere. */
function repeated(list: readonly unknown[], field: string): number {
  const seen = new Set<string>();
  return list.findIndex((element) => {
    const text = (element as Record<string, unknown> | null)?.[field];
    return typeof text === 'string' && seen.size === seen.add(foldEmail(text)).size;
  });
}

function unknownProperty(key: string, rules: ReadonlyMap<string, unknown>): string {
  const name = JSON.stringify(key.length > 64 ? `${key.slice(0, 64)}…` : key).slice(1, -1);
  const meant = [...rules.keys()].find((field) => field.toLowerCase() === key.toLowerCase());
  return `${name.toWellFormed()} is not a known property${meant ? `, did you mean ${meant}?` : ': leave it out'}`;
}

/** `items[2].children[0]`; `body[3]` in a body that is a list. */
export function placeOf(path: Path): string {
  const [first, ...rest] = path;
  const begin = typeof first === 'number' ? `body[${first}]` : (first ?? '');
  return rest.reduce<string>(
    (text, step) => (typeof step === 'number' ? `${text}[${step}]` : `${text}.${step}`),
    begin,
  );
}
