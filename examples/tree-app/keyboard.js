/** Letters typed with less than this between them are one word. In milliseconds. */
const TYPEAHEAD_PAUSE = 800;

/**
 * The keys of a tree, as the ARIA Authoring Practices describe them, and the keys of the commands.
 * @param open what Enter does with a page
 * @param search what `/` does
 */
export function listenToKeys(list, tree, { commands, open, search }) {
  let typed = '';
  let typedAt = 0;

  /** Makes the next row active whose title begins with what was typed. */
  function find(letter, now) {
    typed = now - typedAt < TYPEAHEAD_PAUSE ? typed + letter : letter;
    typedAt = now;
    const at = tree.shown.indexOf(tree.active);
    // The first letter goes on to the next row; more letters may still mean the one that was found.
    const from = typed.length === 1 ? at + 1 : at;
    const rows = [...tree.shown.slice(from), ...tree.shown.slice(0, from)];
    const found = rows.find(({ meta }) => meta.title.toLowerCase().startsWith(typed.toLowerCase()));
    if (found) tree.activate(found.id);
  }

  function go(step) {
    const to = tree.shown[tree.shown.indexOf(tree.active) + step];
    if (to) tree.activate(to.id);
  }

  const keys = {
    ArrowDown: () => go(1),
    ArrowUp: () => go(-1),
    Home: () => tree.activate(tree.shown[0].id),
    End: () => tree.activate(tree.shown.at(-1).id),
    ArrowRight(item) {
      if (item.object === 'collection' && !tree.isOpen(item)) tree.toggle(item, true);
      else if (tree.shown[tree.shown.indexOf(item) + 1]?.parent === item.id) go(1);
    },
    ArrowLeft(item) {
      if (tree.isOpen(item)) tree.toggle(item, false);
      else if (item.parent) tree.activate(item.parent);
    },
    Enter: (item) => (item.object === 'collection' ? tree.toggle(item) : open(item.id)),
    '*': (item) => tree.openSiblings(item),
    '/': search,
  };

  list.addEventListener('keydown', (event) => {
    const item = tree.active;
    const key = keyOf(event);
    const command = commands.find((each) => each.keys.includes(key));
    const isTyping = event.timeStamp - typedAt < TYPEAHEAD_PAUSE;
    const isLetter = key.length === 1 && (key !== ' ' || isTyping);
    if (command) command.run();
    else if (item && Object.hasOwn(keys, key)) keys[key](item);
    else if (item && isLetter) find(key, event.timeStamp);
    else return;
    // The browser scrolls, or goes back at Alt and an arrow, where this page does something else.
    event.preventDefault();
  });
}

/**
 * Whether a key belongs to an input method, for example of Japanese: Enter ends its composition, Escape drops it. Safari
 * ends the composition before it sends the key, with the code 229.
 */
export const isComposing = ({ isComposing, keyCode }) => isComposing || keyCode === 229;

/** A key with its modifiers: `Alt+ArrowUp`. Command on a Mac counts as Ctrl. */
export function keyOf({ key, ctrlKey, metaKey, altKey, shiftKey }) {
  const shift = shiftKey && key.length > 1;
  return [(ctrlKey || metaKey) && 'Ctrl', altKey && 'Alt', shift && 'Shift', key]
    .filter(Boolean)
    .join('+');
}
