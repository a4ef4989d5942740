import { ERROR_STATUS } from '../../../src/errors/error-status.js';
import type { ItemBody } from '../../support/builders.js';
import { everyItem } from '../../support/tree.js';
import { type Asked, FOLDER, type MixedLoad } from './mixed-load.js';

/** Milliseconds in which every request gets a response. */
const LONGEST = 10_000;

const UNKNOWN =
  /outcome of this (change|request) is unknown.*retry with the same Idempotency-Key is safe/;

/** Every request has a response of the contract, in time; or the balancer's, with the same body. */
export function assertResponses(
  asked: readonly Asked[],
  { mayBeCut = false, byBalancer = false } = {},
): void {
  for (const { kind, status, text, took } of asked) {
    const what = `${kind}: ${status} ${text}`;
    expect({ what, isInTime: took < LONGEST }).toEqual({ what, isInTime: true });
    if (status === 200 || (status === null && mayBeCut)) continue;
    const { error } = parsed(text);
    const isOfBalancer = byBalancer && (status === 502 || status === 503);
    expect({ what, status: isOfBalancer ? 500 : status }).toEqual({
      what,
      status: ERROR_STATUS[error?.code as keyof typeof ERROR_STATUS],
    });
    expect(Object.keys(error ?? {}).sort()).toEqual(['code', 'doc_url', 'message']);
  }
}

/**
 * What was acknowledged is there, nothing is there twice, and what failed did not happen unless its
 * answer said that nobody knows. Repeats what failed under its Idempotency-Key.
 * @returns how much of what was acknowledged is lost
 */
export async function countLost(load: MixedLoad): Promise<number> {
  await repeatWithKeys(load);
  const trees = new Map<string, ItemBody[]>();
  for (const workspace of load.workspaces) {
    const tree = await load.must<ItemBody[]>('GET', load.pathOf(workspace));
    trees.set(workspace, everyItem(tree));
  }
  const lost = [...lostItems(load, trees), ...(await lostInvites(load))];
  lost.push(...lostFolders(load, trees));
  for (const own of load.ownItems) {
    const page = await load.must<ItemBody & { content: { number?: string } }>(
      'GET',
      load.pathOf(own.workspace, `/${own.page}`),
    );
    const about = load.asked.filter(({ id }) => id === own.page);
    lost.push(...lostChanges(about, 'move', page.parent ?? '', own.shelves[0]));
    lost.push(...lostChanges(about, 'save', page.content.number ?? '', ''));
  }
  const { usage } = await load.must<{ usage: { pages: number } }>('GET', `/teams/${load.slug}`);
  const items = [...trees.values()].flat().filter(({ object }) => object === 'item');
  expect(usage.pages).toBe(items.length);
  expect(lost).toEqual([]);
  return lost.length;
}

/** A retry under the same key is safe, whatever became of the first try. */
async function repeatWithKeys(load: MixedLoad): Promise<void> {
  for (const one of load.asked) {
    if (one.key === null || one.status === 200) continue;
    const { path, body } = load.creation(one);
    const made = await load.must<ItemBody>('POST', path, body, one.key);
    Object.assign(one, { id: made.id, status: 200 });
  }
}

function lostItems(load: MixedLoad, trees: Map<string, ItemBody[]>): string[] {
  const lost: string[] = [];
  const names = new Map<string, number>();
  for (const { name } of [...trees.values()].flat()) names.set(name, (names.get(name) ?? 0) + 1);
  const ids = new Set([...trees.values()].flat().map(({ id }) => id));
  for (const one of load.asked.filter(({ kind }) => kind === 'create' || kind === 'copy')) {
    const times = names.get(one.wrote) ?? 0;
    if (one.status === 200 && !ids.has(one.id)) lost.push(`${one.wrote} is gone`);
    if (times > 1) lost.push(`${one.wrote} is there ${times} times`);
    if (times > 0) assertTold(one);
  }
  return lost;
}

/** A folder and each copy of it is whole; a folder that was transferred is in one of its workspaces. */
function lostFolders(load: MixedLoad, trees: Map<string, ItemBody[]>): string[] {
  const lost: string[] = [];
  for (const { folder, workspace, away } of load.ownItems) {
    const places = [...trees].flatMap(([slug, items]) =>
      items.flatMap((item) => (item.id === folder ? [{ slug, item }] : [])),
    );
    const [place] = places;
    if (places.length !== 1 || !place || ![workspace, away].includes(place.slug)) {
      lost.push(`folder of ${workspace} in ${places.map(({ slug }) => slug).join(' and ')}`);
    }
    const about = load.asked.filter(({ id }) => id === folder);
    lost.push(...lostChanges(about, 'transfer', place?.slug ?? '', workspace));
  }
  const whole = outlineOf(FOLDER.children);
  for (const { name, children = [] } of [...trees.values()].flat()) {
    const isFolder = name === FOLDER.name || name.startsWith('copy ');
    if (isFolder && outlineOf(children) !== whole) lost.push(`${name}: ${outlineOf(children)}`);
  }
  return lost;
}

interface Named {
  name: string;
  children?: Named[];
}

const outlineOf = (items: readonly Named[]): string =>
  items.map(({ name, children = [] }) => `${name}(${outlineOf(children)})`).join();

async function lostInvites(load: MixedLoad): Promise<string[]> {
  const path = `/teams/${load.slug}/invites`;
  const { users } = await load.must<{ users: { email: string }[] }>('GET', path);
  const emails = new Set(users.map(({ email }) => email));
  return load.asked.flatMap((one) => {
    if (one.kind !== 'invite') return [];
    if (emails.has(one.wrote)) assertTold(one);
    return one.status === 200 && !emails.has(one.wrote) ? [`${one.wrote} is not invited`] : [];
  });
}

/** One client made these changes, one behind the other: the last one stays, or one whose end is unknown. */
function lostChanges(
  about: readonly Asked[],
  kind: 'move' | 'save' | 'transfer',
  found: string,
  before: string,
): string[] {
  const changes = about.filter((one) => one.kind === kind);
  const last = changes.findLastIndex(({ status }) => status === 200);
  if (found === (changes[last]?.wrote ?? before)) return [];
  const later = changes.slice(last + 1).filter(({ wrote }) => wrote === found);
  if (later.length === 0) return [`${kind} to ${changes[last]?.wrote}, but found ${found}`];
  expect(later.some(isTold)).toBe(true);
  return [];
}

/** What happened is never reported as a failure that did not. */
const assertTold = (one: Asked): void =>
  expect({ one, isTold: isTold(one) }).toEqual({ one, isTold: true });

const isTold = ({ status, text }: Asked): boolean =>
  status === 200 || status === null || UNKNOWN.test(parsed(text).error?.message ?? '');

function parsed(text: string): { error?: { code: string; message: string } } {
  try {
    return JSON.parse(text) as { error?: { code: string; message: string } };
  } catch {
    return {};
  }
}
