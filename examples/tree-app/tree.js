import { isComposing } from './keyboard.js';

/** Code points of the longest title. */
const MAX_TITLE = 255;

/**
 * The tree as a flat list of rows, one for each item that is not in a closed collection; `aria-level` says how deep
 * it is. Rows are kept by their ids and changed in place, so focus, a drag and a half-typed title survive what others do.
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
  #onDeleted;
  #onTooLong;
  #isUnsaved;
  /** What is shown of each item: its level, and its place among its siblings. */
  #entries = new Map();
  #rows = new Map();
  #closed = new Set();

  /**
   * @param list the element with `role="tree"`
   * @param rename called with an item and its new title; resolves to whether it has that title now
   * @param onDeleted called with an item that was deleted while somebody types its new title
   * @param onTooLong called with a sentence if somebody leaves a title that is too long
   * @param isUnsaved whether the page with an id has text that the service does not have
   */
  constructor(workspace, list, { rename, onDeleted, onTooLong, isUnsaved }) {
    this.#workspace = workspace;
    this.#list = list;
    this.#rename = rename;
    this.#onDeleted = onDeleted;
    this.#onTooLong = onTooLong;
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
    const before = this.activeId;
    this.activeId = id;
    for (const entry of [this.#entries.get(before), this.#entries.get(id)]) {
      if (entry) this.#row(entry);
    }
    const { activeElement } = document;
    if (activeElement === document.body || activeElement.parentElement === this.#list) this.focus();
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
    this.draw();
    this.activate(id);
  }

  /** Shows what the workspace has now. */
  draw() {
    const before = this.shown.findIndex(({ id }) => id === this.activeId);
    const hadFocus = this.#list.contains(document.activeElement);
    const entries = this.#entriesOf(null, 1);
    const entriesBefore = this.#entries;
    this.#entries = new Map(entries.map((entry) => [entry.item.id, entry]));
    this.shown = entries.map(({ item }) => item);
    this.activeId = this.#nearest(before);
    const rows = new Map(entries.map((entry) => [entry.item.id, this.#row(entry)]));
    const arranged = [...rows.values()];
    for (const [id, row] of this.#rows) {
      if (rows.has(id)) continue;
      if (row.querySelector('input')) {
        // A half-typed title stays where it is, also if others delete or hide its item.
        arranged.splice([...this.#list.children].indexOf(row), 0, row);
        rows.set(id, row);
        const entry = entriesBefore.get(id);
        if (entry && !this.#workspace.items.has(id)) this.#onDeleted(entry.item);
      } else row.remove();
    }
    this.#rows = rows;
    arrange(this.#list, arranged);
    if (hadFocus && !this.#list.contains(document.activeElement)) this.focus();
  }

  /** Lets a person type a new title: Enter or leaving the field saves it, Escape does not. */
  edit({ id, meta: { title } }) {
    const row = this.#rows.get(id);
    const label = row?.querySelector('.name');
    if (!label) return;
    const input = document.createElement('input');
    Object.assign(input, { value: title, required: true, pattern: '.*\\S.*' });
    input.setAttribute('aria-label', `New name of ${title}`);
    const close = (focus) => {
      // Leaving the field saves nothing now.
      input.readOnly = true;
      if (focus) row.focus();
      input.replaceWith(label);
      row.draggable = true;
      this.draw();
    };
    const save = async () => {
      if (input.value === title || !input.checkValidity()) return close(false);
      input.readOnly = true;
      if (await this.#rename(id, input.value)) close(document.activeElement === input);
      // What was typed stays: Enter tries again.
      else input.readOnly = false;
    };
    // `maxLength` would count UTF-16 units, of which an emoji has two, and cut what is pasted.
    input.addEventListener('input', () => input.setCustomValidity(lengthProblem(input.value)));
    input.addEventListener('blur', () => {
      // What was deleted is not restored by accident.
      const isGone = !this.#workspace.items.has(id) && input.value !== title;
      if (!input.isConnected || input.readOnly || isGone) return;
      // What was typed stays, to be shortened.
      if (input.validity.customError) this.#onTooLong(input.validationMessage);
      else save();
    });
    input.addEventListener('keydown', (event) => {
      // The keys of the tree mean nothing here.
      event.stopPropagation();
      if (isComposing(event)) return;
      if (event.key === 'Escape') input.value = title;
      else if (event.key !== 'Enter' || !input.reportValidity()) return;
      if (input.value === title) close(true);
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
    const attributes = {
      'aria-level': level,
      'aria-posinset': position,
      'aria-setsize': size,
      'aria-selected': item.id === this.activeId,
      'aria-expanded': item.object === 'collection' ? this.isOpen(item) : null,
      'aria-current': item.id === this.openId ? 'page' : null,
      'data-unsaved': this.#isUnsaved(item.id) || null,
      tabindex: item.id === this.activeId ? 0 : -1,
      style: `--level: ${level}`,
    };
    const label = row.querySelector('.name');
    // Of thousands of rows nearly all stay as they are.
    const { title } = item.meta;
    const look = [label && title, ...Object.values(attributes)].join();
    if (row.look === look) return row;
    row.look = look;
    // A long title is cut: the mouse shows all of it.
    if (label) Object.assign(label, { textContent: title, title });
    for (const [name, value] of Object.entries(attributes)) {
      if (value === null) row.removeAttribute(name);
      else row.setAttribute(name, value);
    }
    return row;
  }
}

/** A sentence, or '' if a title is not too long. */
function lengthProblem(title) {
  const { length } = [...title];
  return length > MAX_TITLE
    ? `A name has at most ${MAX_TITLE} characters, and this one has ${length}.`
    : '';
}

// Drawings are hidden from screen readers: the attributes of the row say the same.
const PAGE = `
  <svg aria-hidden="true"><use href="icons.svg#page"/></svg>
  <span class="name"></span>`;
const COLLECTION = `
  <svg class="twisty" aria-hidden="true"><use href="icons.svg#chevron"/></svg>
  <svg aria-hidden="true"><use href="icons.svg#collection"/></svg>
  <span class="name"></span>`;
const TEMPLATES = { item: rowOf(PAGE), collection: rowOf(COLLECTION) };

function rowOf(inside) {
  const row = document.createElement('div');
  row.setAttribute('role', 'treeitem');
  row.draggable = true;
  row.innerHTML = inside;
  return row;
}

function newRow({ id, object }) {
  const row = TEMPLATES[object].cloneNode(true);
  row.dataset.id = id;
  return row;
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
