import { randomUUID } from 'node:crypto';
import type { NewItem, Sent } from '../support/tree-model/command.js';
import type { Knowledge } from './knowledge.js';
import { below, type Dice, pick, shuffle } from './random.js';

const WRITES = [
  ...(['create', 'batch', 'move', 'rename', 'save', 'patch', 'place', 'order'] as const),
  ...(['delete', 'restore', 'duplicate', 'transfer'] as const),
] as const;
type Kind = (typeof WRITES)[number] | 'deleteWorkspace' | 'restoreWorkspace' | 'list' | 'read';

/** What most clients of a history are about. */
const THEMES: readonly (readonly Kind[])[] = [
  ['order'],
  ['rename', 'save'],
  ['save', 'patch'],
  ['move', 'place'],
  ['create', 'batch', 'delete'],
  ['delete', 'restore', 'move'],
  ['transfer'],
  ['transfer', 'save', 'move'],
  ['transfer', 'create', 'delete', 'restore'],
  ['duplicate', 'save', 'rename', 'move'],
  ['duplicate', 'create', 'batch', 'delete', 'place'],
  ['duplicate', 'transfer', 'create'],
  // Mostly there.
  ['deleteWorkspace', 'restoreWorkspace', 'restoreWorkspace', 'create', 'save', 'move', 'delete'],
  ['deleteWorkspace', 'restoreWorkspace', 'restoreWorkspace', 'transfer', 'duplicate'],
  WRITES,
];

/** What the clients of a history are like: most races need a few kinds of commands on a few items. */
export interface Mood {
  /** The kinds of commands; some are there several times. */
  kinds: Kind[];
  /** Milliseconds between two commands of a client, at most: those that come alone take another way. */
  pause: number;
  /** How many items they write, of those that they know. */
  focus: number;
  /** How often they look at something before they change it, on condition that it is still so. */
  care: number;
  /** How often they want to be at the top level. */
  top: number;
  /** How often they name the workspace of an item. */
  named: number;
}

export function moodOf(dice: Dice): Mood {
  const writes = [...pick(dice, THEMES), ...(dice() < 0.3 ? pick(dice, THEMES) : [])];
  const weighted = writes.flatMap((kind) => Array<Kind>(1 + below(dice, 3)).fill(kind));
  const reads = Math.ceil(weighted.length * (0.5 + dice()));
  return {
    kinds: [
      ...weighted,
      ...Array.from({ length: reads }, () => pick(dice, ['list', 'list', 'read'] as const)),
    ],
    pause: pick(dice, [0, 4, 20]),
    focus: pick(dice, [2, 4, Number.POSITIVE_INFINITY]),
    care: pick(dice, [0, 0.7, 1]),
    top: pick(dice, [0.2, 0.8]),
    named: pick(dice, [0, 0.5, 1]),
  };
}

const UNCONDITIONAL: readonly Kind[] = [
  ...(['create', 'batch', 'restore', 'deleteWorkspace', 'restoreWorkspace'] as const),
  ...(['list', 'read'] as const),
];

/** Does not exist. */
const MISSING = '00000000-0000-7000-8000-000000000000';
/** Larger collections are not copied: copies of copies would fill the tree. */
const MOST_COPIED = 6;

/** A new page. */
export const page = (name: string, number: number): NewItem => ({
  name,
  object: 'item',
  content: JSON.stringify({ number }),
});

/** What a client wants to do: maybe a look first, then a command that goes by what is known then. */
export function wish(know: Knowledge, mood: Mood, dice: Dice) {
  const kind = pick(dice, mood.kinds);
  const id = dice() < 0.02 ? MISSING : pick(dice, [...know.items.keys()].slice(0, mood.focus));
  const isCareful = dice() < mood.care;
  const everywhere = [...know.team.workspaces.keys()];
  const here = kind === 'list' ? pick(dice, everywhere) : workspaceOf(know, id, dice);
  const parent = parentOf(know, mood, { id, workspace: here }, dice);
  const named = dice() < mood.named ? { workspace: here } : {};
  const looked: Sent =
    kind !== 'order'
      ? { kind: 'read', id, ...named }
      : parent === null
        ? { kind: 'list', workspace: here, withContent: false }
        : { kind: 'read', id: parent };
  const hasCondition = !UNCONDITIONAL.includes(kind);
  return {
    look: isCareful && hasCondition ? looked : null,
    decide: (called: string) =>
      commandOf(know, mood, { kind, name: called, id, here, named, parent, isCareful }, dice),
  };
}

/** Where an item was seen last; now and then another workspace. */
function workspaceOf({ items, team }: Knowledge, id: string, dice: Dice): string {
  const seen = items.get(id)?.workspace;
  return seen && dice() < 0.9 ? seen : pick(dice, [...team.workspaces.keys()]);
}

/** A parent in a workspace for an item, mostly. */
function parentOf(
  { items }: Knowledge,
  { focus, top }: Mood,
  { id, workspace }: { id: string; workspace: string },
  dice: Dice,
): string | null {
  if (dice() < top) return null;
  if (dice() < 0.1) return id;
  const anywhere = dice() < 0.1;
  const parents = [...items].flatMap(([one, seen]) =>
    seen.object === 'collection' && (anywhere || seen.workspace === workspace) ? [one] : [],
  );
  return parents.length > 0 ? pick(dice, parents.slice(0, focus)) : null;
}

interface Wish {
  kind: Kind;
  name: string;
  id: string;
  /** The workspace that it is about. */
  here: string;
  /** That workspace, if the command on an item names it. */
  named: { workspace?: string };
  parent: string | null;
  isCareful: boolean;
}

function commandOf(know: Knowledge, mood: Mood, wished: Wish, dice: Dice): Sent {
  const { kind, name, id, here, named, parent, isCareful } = wished;
  const workspace = here;
  const index = below(dice, 5);
  const number = below(dice, 1_000_000);
  const object: NewItem['object'] = dice() < 0.4 ? 'item' : 'collection';
  const key = dice() < 0.3 ? { idempotencyKey: randomUUID() } : {};
  const etag = know.etags.get(id);
  const ifMatch = etag && (isCareful || dice() < 0.2) ? { ifMatch: etag } : {};
  switch (kind) {
    case 'create': {
      const place = { workspace, parent, ...(dice() < 0.7 && { index }) };
      const one = object === 'item' ? page(name, number) : { name, object };
      return { kind: 'create', ...place, items: [one], ...key };
    }
    case 'batch': {
      const children: NewItem[] = [page(`${name}-b`, number), { name: `${name}-c`, object }];
      const items: NewItem[] = [
        { name: `${name}-a`, object: 'collection', children },
        page(name, 0),
      ];
      return { kind: 'create', workspace, parent, index, items, ...key };
    }
    case 'move': {
      const to = dice() < 0.6 ? { newParent: parent } : {};
      return { kind: 'move', workspace, id, index, ...to, ...ifMatch, ...key };
    }
    case 'rename':
      return { kind: 'update', id, ...named, name: `${name}!`, ...ifMatch };
    case 'save': {
      const both = dice() < 0.2 ? { name: `${name}!` } : {};
      return {
        ...{ kind: 'update', id, ...named, content: JSON.stringify({ number }), ...both },
        ...ifMatch,
      };
    }
    case 'patch':
      // Names of their own: the new member is the last one.
      return { kind: 'patch', id, ...named, member: `${name}-${number}`, ...ifMatch };
    case 'place':
      return { kind: 'update', id, ...named, parent, ...ifMatch };
    case 'order': {
      const list = know.etags.get(parent ?? workspace);
      const movedIn = dice() < 0.2 ? [id] : [];
      const present = know.childrenOf(parent ?? workspace);
      const children = shuffle(dice, [...new Set([...present, ...movedIn])]);
      return {
        ...{ kind: 'order', workspace, parent, children },
        ...(list && isCareful && { ifMatch: list }),
      };
    }
    case 'delete':
      return { kind: 'delete', id, ...named, ...ifMatch };
    case 'restore':
      return { kind: 'restore', id, ...named, parent, index, ...key };
    case 'duplicate':
    case 'transfer':
      return arriving(know, mood, { ...wished, kind }, { ...ifMatch, ...key }, dice);
    case 'deleteWorkspace':
    case 'restoreWorkspace':
      return { kind, workspace };
    case 'list': {
      if (dice() < 0.2 && parent !== null) {
        return { kind: 'list', workspace, parent, withContent: true };
      }
      const list = know.etags.get(workspace);
      const known = list && dice() < 0.3 ? { ifNoneMatch: list } : {};
      return { kind: 'list', workspace, withContent: false, ...known };
    }
    case 'read':
      if (dice() < 0.3) return { kind: 'read', id, ...named, withAncestors: true };
      return { kind: 'read', id, ...named, ...(etag && dice() < 0.3 && { ifNoneMatch: etag }) };
  }
}

/** A copy of a collection has a key in any case: see Recorder.copiesToRepeat. */
function arriving(
  know: Knowledge,
  mood: Mood,
  { kind, name, id, here, named }: Wish & { kind: 'duplicate' | 'transfer' },
  given: { ifMatch?: string; idempotencyKey?: string },
  dice: Dice,
): Sent {
  const others = [...know.team.workspaces.keys()].filter((one) => one !== here);
  const target = dice() < 0.05 ? here : pick(dice, others);
  const index = dice() < 0.5 ? { index: below(dice, 5) } : {};
  const parent = dice() < 0.4 ? parentOf(know, mood, { id, workspace: target }, dice) : null;
  const into = parent === null && dice() < 0.5 ? {} : { parent };
  if (kind === 'transfer') return { kind, id, ...named, target, ...into, ...index, ...given };
  if (know.childrenOf(id).length > MOST_COPIED) return { kind: 'read', id, ...named };
  const isPage = know.items.get(id)?.object === 'item';
  const keyed = isPage ? {} : { idempotencyKey: randomUUID() };
  const copy = { kind, id, ...named, name, ...index, ...keyed, ...given };
  if (dice() < 0.5) return copy;
  // Large ones stay out of each other.
  return { ...copy, target, ...(isPage ? into : {}) };
}
