import { above, added, below, inside, outside } from './places.js';

/**
 * What a person can do with the active item: the toolbar shows these commands, and the keyboard runs them.
 * @param attempt runs a change when those before it have ended, and shows its error; resolves to whether it succeeded
 */
export function commandsOf({ workspace, tree, attempt, say }) {
  const add = (object) =>
    attempt(async () => {
      const place = added(workspace, tree.active);
      const title = object === 'item' ? 'New page' : 'New collection';
      const { id } = await workspace.create(object, { title, ...place });
      tree.reveal(id);
      tree.edit(workspace.items.get(id));
    });

  const rename = (id, title) =>
    attempt(async () => {
      // Somebody has deleted it while the title was typed.
      if (!workspace.items.has(id)) await workspace.restore(id);
      await workspace.rename(id, title);
      say(`The name is “${title}” now.`);
    });

  /** @param placeOf where to, when the changes before this one are there */
  const move = (id, placeOf) =>
    attempt(async () => {
      const item = workspace.items.get(id);
      const place = item && placeOf(workspace, item);
      if (!place) return say('It cannot be moved there.');
      await workspace.move(item, place);
      tree.reveal(id);
      say(whereIs(workspace, id));
    });

  /** The deletions that can be undone, the last one at the end. */
  const deleted = [];
  const undo = () =>
    attempt(async () => {
      const item = deleted.at(-1);
      if (!item) return say('There is nothing to undo.');
      await workspace.restore(item.id);
      deleted.pop();
      tree.reveal(item.id);
      say(`“${item.meta.title}” is back.`);
    });
  const remove = ({ id }) =>
    attempt(async () => {
      const item = workspace.items.get(id);
      await workspace.delete(id);
      deleted.push(item);
      say(`“${item.meta.title}” is in the trash.`, { label: 'Undo', run: undo });
    });

  const onActive = (run) => () => tree.active && run(tree.active);
  const commands = [
    { icon: 'add-page', label: 'New page', keys: ['Shift+Enter'], run: () => add('item') },
    {
      icon: 'add-collection',
      label: 'New collection',
      keys: ['Alt+Enter'],
      run: () => add('collection'),
    },
    { icon: 'rename', label: 'Rename', keys: ['F2'], run: onActive((item) => tree.edit(item)) },
    ...[
      { icon: 'up', label: 'Move up', keys: ['Alt+ArrowUp'], placeOf: above },
      { icon: 'down', label: 'Move down', keys: ['Alt+ArrowDown'], placeOf: below },
      {
        icon: 'in',
        label: 'Move into the collection above',
        keys: ['Alt+ArrowRight'],
        placeOf: inside,
      },
      {
        icon: 'out',
        label: 'Move out of the collection',
        keys: ['Alt+ArrowLeft'],
        placeOf: outside,
      },
    ].map(({ placeOf, ...command }) => ({
      ...command,
      run: onActive(({ id }) => move(id, placeOf)),
    })),
    { icon: 'delete', label: 'Delete', keys: ['Delete', 'Ctrl+Backspace'], run: onActive(remove) },
    { icon: 'undo', label: 'Undo the last deletion', keys: ['Ctrl+z'], run: undo },
  ];
  return { commands, rename, move };
}

function whereIs(workspace, id) {
  const item = workspace.items.get(id);
  const siblings = workspace.siblingsOf(item);
  const parent = workspace.items.get(item.parent)?.meta.title ?? 'the top level';
  return `“${item.meta.title}” is ${siblings.indexOf(item) + 1} of ${siblings.length} in ${parent}.`;
}
