// Where a move puts an item: { newParent, index }. `index` is the final position among the new siblings, so
// the item itself is not counted. null: there is no such place.

/** Before the sibling above. */
export function above(workspace, item) {
  const index = workspace.siblingsOf(item).indexOf(item);
  return index > 0 ? { newParent: item.parent ?? null, index: index - 1 } : null;
}

/** After the sibling below. */
export function below(workspace, item) {
  const siblings = workspace.siblingsOf(item);
  const index = siblings.indexOf(item);
  return index < siblings.length - 1 ? { newParent: item.parent ?? null, index: index + 1 } : null;
}

/** To the end of the collection that is the sibling above. */
export function inside(workspace, item) {
  const siblings = workspace.siblingsOf(item);
  const before = siblings[siblings.indexOf(item) - 1];
  return before?.object === 'collection' ? endOf(workspace, before) : null;
}

/** Out of its collection, after it. */
export function outside(workspace, item) {
  const parent = workspace.items.get(item.parent);
  if (!parent) return null;
  return {
    newParent: parent.parent ?? null,
    index: workspace.siblingsOf(parent).indexOf(parent) + 1,
  };
}

/**
 * Where a drop puts an item.
 * @param target undefined: there is none, or it was deleted meanwhile
 * @param where 'before' or 'after' the target, or 'into' it
 */
export function dropped(workspace, item, target, where) {
  if (!target || target === item || workspace.ancestorsOf(target).includes(item)) return null;
  if (where === 'into') return endOf(workspace, target);
  const others = workspace.siblingsOf(target).filter((sibling) => sibling !== item);
  const index = others.indexOf(target) + (where === 'after' ? 1 : 0);
  return { newParent: target.parent ?? null, index };
}

/** Where a new item goes: to the end of the selected collection, or after the selected page. */
export function added(workspace, selected) {
  if (!selected) return {};
  if (selected.object === 'collection') return { parent: selected.id };
  const index = workspace.siblingsOf(selected).indexOf(selected) + 1;
  return { parent: selected.parent ?? null, index };
}

const endOf = (workspace, { id }) => ({ newParent: id, index: workspace.childrenOf(id).length });
