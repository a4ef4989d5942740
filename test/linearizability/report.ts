import type { Shown } from '../support/tree-model/command.js';
import type { Tree } from '../support/tree-model/tree.js';
import { changesNothing, isRead, STEPS, search } from './checker.js';
import type { History, Operation } from './history.js';

/**
 * A part of a history that no order explains, as small as it is found in a short time. Both ways to a
 * smaller one keep it a history of the same tree: to end it earlier, when what is under way may have
 * happened or not, and to leave out what has changed nothing.
 */
export function minimize(history: History): History {
  const { initial } = history;
  const isWrong = (operations: Operation[]): boolean =>
    search({ initial, operations }, STEPS / 10).verdict === 'violation';
  const moments = history.operations.map(({ end }) => end).sort((a, b) => a - b);
  const end = moments.find((moment) => isWrong(endedAt(history.operations, moment)));
  let left = end === undefined ? history.operations : endedAt(history.operations, end);
  for (const operation of left.filter(changesNothing)) {
    const rest = left.filter((one) => one !== operation);
    if (isWrong(rest)) left = rest;
  }
  return { initial, operations: left };
}

const endedAt = (operations: readonly Operation[], moment: number): Operation[] =>
  operations.flatMap((operation) => {
    if (operation.start > moment) return [];
    if (operation.end <= moment) return operation;
    return isRead(operation.command.kind)
      ? []
      : { ...operation, end: Number.POSITIVE_INFINITY, response: null };
  });

/** A history for a person: a line for each operation, in the order of their starts. */
export function describeHistory({ initial, operations }: History): string {
  const { longest } = search({ initial, operations }, STEPS / 10);
  const lines = operations
    .toSorted((a, b) => a.start - b.start)
    .map((operation) => {
      const { client, instance, start, end } = operation;
      const place = longest.indexOf(operation);
      return [
        `${start}`.padStart(5),
        `${end === Number.POSITIVE_INFINITY ? '?' : end}`.padStart(5),
        `client ${client} at ${instance}`,
        place < 0 ? ' – ' : `#${place + 1}`.padStart(3),
        describe(operation),
      ].join('  ');
    });
  return [
    ...initial.workspaces.map((one) => `before, in ${one}: ${outline(shownTree(initial, one))}`),
    'start    end  who            order  what (– is not part of the longest order that is explained)',
    ...lines,
  ].join('\n');
}

function describe({ command, response }: Operation): string {
  const { kind, ...given } = command;
  const asked = `${kind} ${JSON.stringify(given)}`;
  if (!response) return `${asked} → unknown`;
  const { status, shown, etag } = response;
  const tag = etag ? ` ${etag.slice(0, 7)}"` : '';
  return `${asked} → ${status}${tag}${shown ? ` ${outline(shown)}` : ''}`;
}

/** A tree in one line: `shelf(a=renamed, b:{"n":1})`. */
const outline = (items: readonly Shown[]): string =>
  items
    .map(({ id, name, workspace, parent, content, children }) => {
      const named = name === id ? id : `${id}=${name}`;
      const where = parent === undefined ? '' : `@${parent ?? workspace ?? 'top'}`;
      const held = content === undefined || content === '{}' ? '' : `:${content}`;
      return `${named}${where}${held}${children ? `(${outline(children)})` : ''}`;
    })
    .join(', ') || '–';

const shownTree = (tree: Tree, parent: string): Shown[] =>
  tree.children(parent).map((id) => {
    const { name, object, content } = tree.items.get(id) as NonNullable<
      ReturnType<Tree['items']['get']>
    >;
    const children = object === 'collection' ? shownTree(tree, id) : undefined;
    return { id, name, object, content, children };
  });
