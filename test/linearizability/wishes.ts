import { randomUUID } from 'node:crypto';
import type { NewItem } from './history.js';
import type { Knowledge } from './knowledge.js';
import { below, type Dice, pick, shuffle } from './random.js';
import type { Sent } from './requests.js';

const WRITES = [
  ...(['create', 'batch', 'move', 'rename', 'save', 'patch', 'place', 'order'] as const),
  ...(['delete', 'restore'] as const),
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
  // Mostly there.
  ['deleteWorkspace', 'restoreWorkspace', 'restoreWorkspace', 'create', 'save', 'move', 'delete'],
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
  };
}

const UNCONDITIONAL: readonly Kind[] = [
  ...(['create', 'batch', 'restore', 'deleteWorkspace', 'restoreWorkspace'] as const),
  ...(['list', 'read'] as const),
];

/** A new page. */
export const page = (name: string, number: number): NewItem => ({
  name,
  object: 'item',
  content: JSON.stringify({ number }),
});

/** What a client wants to do: maybe a look first, then a command that goes by what is known then. */
export function wish(know: Knowledge, mood: Mood, dice: Dice) {
  const kind = pick(dice, mood.kinds);
  const known = [...know.objects.keys()];
  const id = dice() < 0.02 ? 'missing' : pick(dice, known.slice(0, mood.focus));
  const isCareful = dice() < mood.care;
  const parent = parentOf(know, mood, id, dice);
  const looked: Sent =
    kind === 'order' && parent === null
      ? { kind: 'list', withContent: false }
      : { kind: 'read', id: kind === 'order' ? String(parent) : id };
  const hasCondition = !UNCONDITIONAL.includes(kind);
  return {
    look: isCareful && hasCondition ? looked : null,
    decide: (called: string) =>
      commandOf(know, { kind, name: called, id, parent, isCareful }, dice),
  };
}

function parentOf({ objects }: Knowledge, { focus, top }: Mood, id: string, dice: Dice) {
  if (dice() < top) return null;
  if (dice() < 0.1) return id;
  const collections = [...objects].filter(([, object]) => object === 'collection');
  const [parent] = pick(dice, collections.slice(0, focus));
  return parent;
}

interface Wish {
  kind: Kind;
  name: string;
  id: string;
  parent: string | null;
  isCareful: boolean;
}

function commandOf(know: Knowledge, { kind, name, id, parent, isCareful }: Wish, dice: Dice): Sent {
  const index = below(dice, 5);
  const number = below(dice, 1_000_000);
  const object: NewItem['object'] = dice() < 0.4 ? 'item' : 'collection';
  const key = dice() < 0.3 ? { idempotencyKey: randomUUID() } : {};
  const etag = know.etags.get(id);
  const ifMatch = etag && (isCareful || dice() < 0.2) ? { ifMatch: etag } : {};
  switch (kind) {
    case 'create': {
      const place = { parent, ...(dice() < 0.7 && { index }) };
      const one = object === 'item' ? page(name, number) : { name, object };
      return { kind: 'create', ...place, items: [one], ...key };
    }
    case 'batch': {
      const children: NewItem[] = [page(`${name}-b`, number), { name: `${name}-c`, object }];
      const items: NewItem[] = [
        { name: `${name}-a`, object: 'collection', children },
        page(name, 0),
      ];
      return { kind: 'create', parent, index, items, ...key };
    }
    case 'move': {
      const to = dice() < 0.6 ? { newParent: parent } : {};
      return { kind: 'move', id, index, ...to, ...ifMatch, ...key };
    }
    case 'rename':
      return { kind: 'update', id, name: `${name}!`, ...ifMatch };
    case 'save': {
      const both = dice() < 0.2 ? { name: `${name}!` } : {};
      return { kind: 'update', id, content: JSON.stringify({ number }), ...both, ...ifMatch };
    }
    case 'patch':
      // Names of their own: the new member is the last one.
      return { kind: 'patch', id, member: `${name}-${number}`, ...ifMatch };
    case 'place':
      return { kind: 'update', id, parent, ...ifMatch };
    case 'order': {
      const list = parent === null ? know.listEtag : know.etags.get(parent);
      const movedIn = dice() < 0.2 ? [id] : [];
      const children = shuffle(dice, [...new Set([...know.childrenOf(parent), ...movedIn])]);
      return { kind: 'order', parent, children, ...(list && isCareful && { ifMatch: list }) };
    }
    case 'delete':
      return { kind: 'delete', id, ...ifMatch };
    case 'restore':
      return { kind: 'restore', id, parent, index, ...key };
    case 'deleteWorkspace':
    case 'restoreWorkspace':
      return { kind };
    case 'list': {
      if (dice() < 0.2 && parent !== null) return { kind: 'list', parent, withContent: true };
      const known = know.listEtag && dice() < 0.3 ? { ifNoneMatch: know.listEtag } : {};
      return { kind: 'list', withContent: false, ...known };
    }
    case 'read':
      if (dice() < 0.3) return { kind: 'read', id, withAncestors: true };
      return { kind: 'read', id, ...(etag && dice() < 0.3 && { ifNoneMatch: etag }) };
  }
}
