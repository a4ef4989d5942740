import { dropped } from './places.js';

/**
 * Drag and drop: before a row, after it, or into a collection.
 * @param move called with the id of an item, and a function of the workspace and the item that says where it goes
 */
export function listenToDrag(list, tree, workspace, move) {
  let draggedId = null;
  let marked = null;

  const mark = (row, where) => {
    if (marked) delete marked.dataset.drop;
    marked = row;
    if (row) row.dataset.drop = where;
  };

  list.addEventListener('dragstart', (event) => {
    const { id, meta } = tree.itemOf(event.target);
    draggedId = id;
    event.dataTransfer.setData('text/plain', meta.title);
    event.dataTransfer.effectAllowed = 'move';
  });
  list.addEventListener('dragend', () => {
    draggedId = null;
    mark(null);
  });
  list.addEventListener('dragover', (event) => {
    const item = workspace.items.get(draggedId);
    const { row, target, where } = aim(event, tree);
    if (!item || !dropped(workspace, item, target, where)) return mark(null);
    event.preventDefault();
    mark(row, where);
  });
  list.addEventListener('drop', (event) => {
    event.preventDefault();
    const { target, where } = aim(event, tree);
    move(draggedId, (_, item) => dropped(workspace, item, workspace.items.get(target.id), where));
  });
}

/** The item that the mouse is over, and which part of its row. */
function aim({ target: element, clientY }, tree) {
  const row = element.closest('[role=treeitem]');
  const target = tree.itemOf(element);
  if (!target) return {};
  const { top, height } = row.getBoundingClientRect();
  const share = (clientY - top) / height;
  const isMiddle = target.object === 'collection' && share > 0.25 && share < 0.75;
  return { row, target, where: isMiddle ? 'into' : share < 0.5 ? 'before' : 'after' };
}
