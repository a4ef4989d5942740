import { agree } from '../support/tree-model/command.js';
import { effectOf, isSame } from '../support/tree-model/rules.js';
import type { Tree } from '../support/tree-model/tree.js';
import type { History, Operation } from './history.js';

/** `undecided`: the search has used up its steps. */
export type Verdict = 'linearizable' | 'violation' | 'undecided';

/** Operations tried on a state, at most. Most histories take some hundred. */
export const STEPS = 100_000;

/** What a search is left with. */
export interface Search {
  verdict: Verdict;
  steps: number;
  /** The longest run of operations that the model explains, in its order. */
  longest: Operation[];
}

/**
 * Looks for an order of the operations in which each response is what the model says, and which keeps
 * the order of any two that did not overlap: the search of Wing and Gong, which with Lowe remembers
 * what it has tried, a set of operations and the state that they led to. An operation without a
 * response may be anywhere behind its start, or nowhere.
 */
export function search({ initial, operations }: History, steps = STEPS): Search {
  const found: Search = { verdict: 'violation', steps: 0, longest: [] };
  const bits = new Map(operations.map((operation, n) => [operation, 1n << BigInt(n)]));
  const compared = comparedTags(operations);
  const tried = new Set<string>();
  const path: Operation[] = [];

  const explore = (tree: Tree, left: readonly Operation[], done: bigint): boolean => {
    if (path.length > found.longest.length) found.longest = [...path];
    const firstEnd = Math.min(...left.map(({ end }) => end));
    if (firstEnd === Number.POSITIVE_INFINITY) return true;
    const state = `${done.toString(36)} ${tree.fingerprint}`;
    if (tried.has(state)) return false;
    tried.add(state);
    const choices: [Operation, Tree][] = [];
    for (const operation of left) {
      if (operation.start > firstEnd) continue;
      if (found.steps === steps) throw new OutOfSteps();
      found.steps++;
      const next = step(tree, operation, compared);
      if (next === null || (next === tree && operation.response === null)) continue;
      choices.push([operation, next]);
      // What can never change anything, and fits, may as well come now.
      if (next !== tree || !changesNothing(operation)) continue;
      choices.splice(0, choices.length - 1);
      break;
    }
    // What may never have happened comes last.
    choices.sort(([a], [b]) => a.end - b.end);
    return choices.some(([operation, next]) => {
      path.push(operation);
      const rest = left.filter((one) => one !== operation);
      if (explore(next, rest, done | (bits.get(operation) as bigint))) return true;
      path.pop();
      return false;
    });
  };

  try {
    if (explore(initial, operations, 0n)) found.verdict = 'linearizable';
  } catch (error) {
    if (!(error instanceof OutOfSteps)) throw error;
    found.verdict = 'undecided';
  }
  return found;
}

/** The ETags that occur more than once: only these are worth remembering. */
function comparedTags(operations: readonly Operation[]): ReadonlySet<string> {
  const seen = new Set<string>();
  const compared = new Set<string>();
  for (const { command, response } of operations) {
    const { ifMatch, ifNoneMatch } = command as { ifMatch?: string; ifNoneMatch?: string };
    for (const etag of [ifMatch, ifNoneMatch, response?.etag]) {
      if (etag === undefined) continue;
      if (seen.has(etag)) compared.add(etag);
      seen.add(etag);
    }
  }
  return compared;
}

/** True for what leaves every tree as it is: reads, and what was refused. */
export const changesNothing = ({ command: { kind }, response }: Operation): boolean =>
  isRead(kind) || (response !== null && response.status !== 200);

/** True for commands that only look. */
export const isRead = (kind: Operation['command']['kind']): boolean =>
  kind === 'list' || kind === 'read' || kind === 'children';

class OutOfSteps extends Error {}

/** The tree after an operation; null where its response is not what the model says. */
function step(
  tree: Tree,
  { command, response }: Operation,
  compared: ReadonlySet<string>,
): Tree | null {
  const { must, may, next, shown, tag } = effectOf(tree, command);
  if (response === null) return must.length === 0 ? next : null;
  const { status, etag } = response;
  if (status !== 200) return must.includes(status) || may.includes(status) ? tree : null;
  if (must.length > 0) return null;
  if (response.shown !== undefined && !agree(response.shown, shown)) return null;
  if (etag === undefined || tag === undefined || !compared.has(etag)) return next;
  const known = next.tags.get(etag);
  if (known === undefined) return next.withTag(etag, tag);
  return isSame(known, tag) === false ? null : next;
}
