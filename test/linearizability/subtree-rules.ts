import type { Command } from './history.js';
import {
  conditionOf,
  done,
  type Effect,
  END,
  find,
  parentRefusals,
  refusal,
  replay,
  shownWhole,
  tagOf,
} from './rule-parts.js';
import type { Item, Tree } from './tree.js';

// The rules of the model for whole subtrees that come in.

type Arriving = Command & { kind: 'duplicate' | 'transfer' };

/** A copy goes right behind its original, or to the end of the top level of another workspace. */
export const duplicate = (tree: Tree, command: Command & { kind: 'duplicate' }): Effect =>
  arrive(tree, command, (from) => {
    const { id, name, target = from, index } = command;
    const isBeside = target === from && command.parent === undefined;
    const own = tree.items.get(id)?.parent as string;
    const parent = isBeside ? own : (command.parent ?? target);
    const behind = isBeside ? tree.children(own).indexOf(id) + 1 : END;
    const must = parentRefusals(tree, parent, target);
    const copy = () => tree.copy(id, name, parent, index ?? behind).write(target);
    return { must, next: copy, id: name };
  });

/** The item goes to the end of the top level there. */
export const transfer = (tree: Tree, command: Command & { kind: 'transfer' }): Effect =>
  arrive(tree, command, (from) => {
    const { id, target, index = END } = command;
    const parent = command.parent ?? target;
    const must = [...(target === from ? [422] : []), ...parentRefusals(tree, parent, target)];
    const move = () => tree.transfer(id, parent, index).write(from).write(target);
    return { must, next: move, id };
  });

interface Arrival {
  must: number[];
  next: () => Tree;
  /** What is shown. */
  id: string;
}

/** @param decide gets the workspace that the item is in */
function arrive(tree: Tree, command: Arriving, decide: (from: string) => Arrival): Effect {
  const { id, workspace, target, ifMatch, idempotencyKey } = command;
  const replayed = replay(tree, idempotencyKey);
  if (replayed) return replayed;
  const item: Item | undefined = find(tree, id, workspace);
  if (!item || (target !== undefined && tree.gone.has(target))) return refusal(tree, [404]);
  const from = tree.workspaceOf(id);
  const { must, may } = conditionOf(tree, ifMatch, tagOf(tree, id));
  const decided = decide(from);
  must.push(...decided.must);
  if (must.length > 0) return refusal(tree, must, may);
  const next = decided.next();
  const shown = [shownWhole(next, decided.id)];
  const places = [from, target ?? from];
  return {
    must,
    may,
    next: done(next, idempotencyKey, places, shown),
    shown,
    tag: tagOf(next, decided.id),
  };
}
