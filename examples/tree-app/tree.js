/** The children of an item, or of the top level (null), in order. */
const childrenOf = (items, parent) =>
  [...items.values()]
    .filter((item) => (item.parent ?? null) === parent)
    .sort((one, other) => (one.position < other.position ? -1 : 1));

/** The item that is being dragged. */
let dragged = null;

/**
 * Draws the tree.
 * @param actions busy(whether somebody drags or types), move(id, { index, newParent }), rename(id, name)
 */
export function draw(list, items, actions) {
  const focused = document.activeElement?.dataset?.id;
  const listOf = (parent) =>
    childrenOf(items, parent).map((item) => {
      const element = document.createElement('li');
      element.append(rowOf(item, items, actions));
      if (item.object === 'collection') {
        const children = document.createElement('ul');
        children.append(...listOf(item.id));
        element.append(children);
      }
      return element;
    });
  list.replaceChildren(...listOf(null));
  if (focused) list.querySelector(`[data-id="${CSS.escape(focused)}"]`)?.focus();
}

function rowOf(item, items, actions) {
  const row = document.createElement('div');
  row.className = 'row';
  row.textContent = item.name;
  row.draggable = true;
  row.tabIndex = 0;
  row.dataset.id = item.id;
  row.dataset.kind = item.object;
  const rename = () => edit(row, item, actions);
  row.addEventListener('dblclick', rename);
  row.addEventListener('keydown', (event) => event.key === 'F2' && rename());
  row.addEventListener('dragstart', () => {
    dragged = item;
    actions.busy(true);
  });
  row.addEventListener('dragend', () => {
    dragged = null;
    actions.busy(false);
  });
  row.addEventListener('dragover', (event) => {
    if (!dragged || isInside(items, item, dragged.id)) return;
    event.preventDefault();
    row.className = `row ${placeOf(row, item, event)}`;
  });
  row.addEventListener('dragleave', () => {
    row.className = 'row';
  });
  row.addEventListener('drop', (event) => {
    event.preventDefault();
    actions.move(dragged.id, target(items, item, placeOf(row, item, event)));
  });
  return row;
}

/** Whether an item is, or is below, the item with this id. */
function isInside(items, item, id) {
  for (let at = item; at; at = items.get(at.parent)) if (at.id === id) return true;
  return false;
}

/** Where a drop would put the dragged item: before or after this one, or into a collection. */
function placeOf(row, { object }, { clientY }) {
  const { top, height } = row.getBoundingClientRect();
  const share = (clientY - top) / height;
  if (object === 'collection' && share > 0.25 && share < 0.75) return 'into';
  return share < 0.5 ? 'before' : 'after';
}

/** The new parent, and the final position among its children. */
function target(items, item, place) {
  if (place === 'into') return { newParent: item.id, index: childrenOf(items, item.id).length };
  const newParent = item.parent ?? null;
  // The dragged item does not count: the index is its position after the move.
  const siblings = childrenOf(items, newParent).filter(({ id }) => id !== dragged.id);
  const index = siblings.findIndex(({ id }) => id === item.id) + (place === 'after' ? 1 : 0);
  return { newParent, index };
}

/** Lets a person type a new name: Enter saves it, Escape and leaving the field do not. */
function edit(row, { id, name }, actions) {
  const input = document.createElement('input');
  input.value = name;
  input.maxLength = 32;
  input.required = true;
  input.setAttribute('aria-label', 'Name');
  actions.busy(true);
  row.replaceChildren(input);
  input.select();
  let isOpen = true;
  const close = (save) => {
    if (!isOpen || (save && !input.reportValidity())) return;
    isOpen = false;
    if (save && input.value !== name) actions.rename(id, input.value);
    actions.busy(false);
  };
  input.addEventListener('blur', () => close(false));
  input.addEventListener('keydown', (event) => {
    event.stopPropagation();
    if (event.key === 'Enter') close(true);
    if (event.key === 'Escape') close(false);
  });
}
