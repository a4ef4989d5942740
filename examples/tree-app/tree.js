/**
 * The tree as a flat list of rows, one for each item that is not in a closed collection; `aria-level` says how deep
 * it is. Rows are kept by their ids and changed in place, so focus, a drag and a half-typed name survive what others do.
 * One row is active: the arrows move it, commands act on it, and only it is in the tab order.
 */
export class Tree {
  /** The items of the rows, from top to bottom. */
  shown = [];
  activeId = null;
  /** The id of the page that is open. */
  openId = null;
  #workspace;
  #list;
  #rename;
  #isUnsaved;
  #rows = new Map();
  #closed = new Set();

  /**
   * @param list the element with `role="tree"`
   * @param rename called with an item and its new name; resolves to whether it has that name now
   * @param isUnsaved whether the page with an id has text that the service does not have
   */
  constructor(workspace, list, { rename, isUnsaved }) {
    this.#workspace = workspace;
    this.#list = list;
    this.#rename = rename;
    this.#isUnsaved = isUnsaved;
    // Screen readers and the mouse move the focus to any row.
    list.addEventListener('focusin', ({ target }) => {
      const item = this.itemOf(target);
      if (item && item.id !== this.activeId) this.activate(item.id);
    });
  }

  get active() {
    return this.#workspace.items.get(this.activeId);
  }

  itemOf(element) {
    return this.#workspace.items.get(element.closest?.('[role=treeitem]')?.dataset.id);
  }

  isOpen({ id, object }) {
    return object === 'collection' && !this.#closed.has(id);
  }

  toggle(item, open = !this.isOpen(item)) {
    if (open) this.#closed.delete(item.id);
    else this.#closed.add(item.id);
    this.draw();
  }

  openSiblings(item) {
    for (const { id } of this.#workspace.siblingsOf(item)) this.#closed.delete(id);
    this.draw();
  }

  /** Makes a row active. The keyboard goes there, too, unless a person uses it elsewhere. */
  activate(id) {
    this.activeId = id;
    this.draw();
    if ([document.body, ...this.#list.children].includes(document.activeElement)) this.focus();
    this.#rows.get(this.activeId)?.scrollIntoView({ block: 'nearest' });
  }

  focus() {
    this.#rows.get(this.activeId)?.focus();
  }

  /** Opens the collections around an item and makes it active. */
  reveal(id) {
    const item = this.#workspace.items.get(id);
    if (!item) return;
    for (const ancestor of this.#workspace.ancestorsOf(item)) this.#closed.delete(ancestor.id);
    this.activate(id);
  }

  /** Shows what the workspace has now. */
  draw() {
    const before = this.shown.findIndex(({ id }) => id === this.activeId);
    const hadFocus = this.#list.contains(document.activeElement);
    const entries = this.#entriesOf(null, 1);
    this.shown = entries.map(({ item }) => item);
    this.activeId = this.#nearest(before);
    const rows = new Map(entries.map((entry) => [entry.item.id, this.#row(entry)]));
    for (const [id, row] of this.#rows) if (!rows.has(id)) row.remove();
    this.#rows = rows;
    arrange(this.#list, [...rows.values()]);
    if (hadFocus && !this.#list.contains(document.activeElement)) this.focus();
  }

  /** Lets a person type a new name: Enter or leaving the field saves it, Escape does not. */
  edit({ id, name }) {
    const row = this.#rows.get(id);
    const label = row.querySelector('.name');
    const input = document.createElement('input');
    Object.assign(input, { value: name, maxLength: 32, required: true, pattern: '.*\\S.*' });
    input.setAttribute('aria-label', `New name of ${name}`);
    const close = (focus) => {
      if (focus) row.focus();
      input.replaceWith(label);
      row.draggable = true;
      this.draw();
    };
    const save = async () => {
      if (input.value === name || !input.checkValidity()) return close(false);
      input.readOnly = true;
      if (await this.#rename(id, input.value)) close(document.activeElement === input);
      // What was typed stays: Enter tries again.
      else input.readOnly = false;
    };
    input.addEventListener('blur', () => input.isConnected && !input.readOnly && save());
    input.addEventListener('keydown', (event) => {
      // The keys of the tree mean nothing here.
      event.stopPropagation();
      if (event.key === 'Escape') input.value = name;
      else if (event.key !== 'Enter' || !input.reportValidity()) return;
      if (input.value === name) close(true);
      else save();
    });
    // Otherwise the mouse would drag the row instead of selecting text.
    row.draggable = false;
    label.replaceWith(input);
    input.focus();
    input.select();
  }

  /** What is to be shown of a collection, or of the top level (null). */
  #entriesOf(parent, level) {
    const items = this.#workspace.childrenOf(parent);
    return items.flatMap((item, index) => {
      const entry = { item, level, position: index + 1, size: items.length };
      return this.isOpen(item) ? [entry, ...this.#entriesOf(item.id, level + 1)] : [entry];
    });
  }

  /** The row that is active now: the same one, the closed collection around it, or the one in its place. */
  #nearest(before) {
    const around = this.active ? [this.active, ...this.#workspace.ancestorsOf(this.active)] : [];
    const shown = new Set(this.shown);
    const item =
      around.find((each) => shown.has(each)) ??
      this.shown[Math.max(before, 0)] ??
      this.shown.at(-1);
    return item?.id ?? null;
  }

  /** The row of an item, as the item is now. */
  #row({ item, level, position, size }) {
    const row = this.#rows.get(item.id) ?? newRow(item);
    const label = row.querySelector('.name');
    if (label && label.textContent !== item.name) label.textContent = item.name;
    row.style.setProperty('--level', level);
    row.tabIndex = item.id === this.activeId ? 0 : -1;
    const attributes = {
      'aria-level': level,
      'aria-posinset': position,
      'aria-setsize': size,
      'aria-selected': item.id === this.activeId,
      'aria-expanded': item.object === 'collection' ? this.isOpen(item) : null,
      'aria-current': item.id === this.openId ? 'page' : null,
      'data-unsaved': this.#isUnsaved(item.id) || null,
    };
    for (const [name, value] of Object.entries(attributes)) {
      if (value === null) row.removeAttribute(name);
      else if (row.getAttribute(name) !== `${value}`) row.setAttribute(name, value);
    }
    return row;
  }
}

function newRow({ id, object }) {
  const row = document.createElement('div');
  row.setAttribute('role', 'treeitem');
  row.dataset.id = id;
  row.draggable = true;
  const kind = object === 'collection' ? 'collection' : 'page';
  const twisty = kind === 'collection' ? icon('twisty', 'chevron') : '';
  const label = document.createElement('span');
  label.className = 'name';
  row.append(twisty, icon('kind', kind), label);
  return row;
}

/** A drawing, which screen readers ignore: the attributes of the row say the same. */
function icon(className, name) {
  const template = document.createElement('template');
  template.innerHTML = `<svg class="${className}" aria-hidden="true"><use href="icons.svg#${name}"/></svg>`;
  return template.content.firstChild;
}

/** Brings the rows into this order. `moveBefore` keeps focus where it is; older browsers lack it. */
function arrange(list, rows) {
  rows.forEach((row, index) => {
    const there = list.children[index] ?? null;
    if (row === there) return;
    if (row.isConnected && list.moveBefore) list.moveBefore(row, there);
    else list.insertBefore(row, there);
  });
}
