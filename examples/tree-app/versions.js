import { textOf } from './draft.js';

/** What the open page was before it was overwritten: a list with who and when, one of them to look at, and a way back. */
export class VersionsView {
  #root;
  #pages;
  #actions;
  /** null: the list is closed. */
  #id = null;
  #chosen = null;

  /**
   * @param root the element that holds `data-part`s
   * @param pages of the client
   * @param actions restore(id, version), which resolves to whether it succeeded; say(text), fail(error)
   */
  constructor(root, pages, actions) {
    this.#root = root;
    this.#pages = pages;
    this.#actions = actions;
    this.#part('restore').addEventListener('click', () => this.#restore());
  }

  get isOpen() {
    return this.#id !== null;
  }

  /** Reads the versions of a page, and shows them. */
  async open(id) {
    this.#id = id;
    try {
      const versions = await this.#pages.versions(id);
      // Another page was opened meanwhile, or the list closed.
      if (this.#id !== id) return;
      this.#part('list').replaceChildren(...versions.map((version) => this.#rowOf(version)));
      this.#part('none').hidden = versions.length > 0;
      this.#choose(null);
      this.#root.hidden = false;
    } catch (error) {
      this.close();
      this.#actions.fail(error);
    }
  }

  close() {
    this.#id = null;
    this.#root.hidden = true;
  }

  #rowOf({ version, since, until, by }) {
    const row = document.createElement('li');
    const button = document.createElement('button');
    button.type = 'button';
    button.textContent = `${by?.name ?? 'Unknown'}, ${periodOf(since, until)}`;
    button.addEventListener('click', () => this.#look(version, button));
    row.append(button);
    return row;
  }

  async #look(number, button) {
    const id = this.#id;
    try {
      const version = await this.#pages.version(id, number);
      if (this.#id !== id) return;
      this.#choose(version, button);
    } catch (error) {
      this.#actions.fail(error);
    }
  }

  #choose(version, button = null) {
    this.#chosen = version;
    for (const other of this.#part('list').querySelectorAll('button')) {
      other.setAttribute('aria-pressed', String(other === button));
    }
    this.#part('look').hidden = version === null;
    this.#part('old').value = version === null ? '' : textOf(version);
  }

  async #restore() {
    const { version } = this.#chosen;
    const id = this.#id;
    if (!(await this.#actions.restore(id, version))) return;
    this.#actions.say('The version is back. What was there is a version now.');
    if (this.#id === id) await this.open(id);
  }

  #part(name) {
    return this.#root.querySelector(`[data-part=${name}]`);
  }
}

// With seconds: two people may overwrite each other within a minute.
const FORMAT = new Intl.DateTimeFormat([], { dateStyle: 'medium', timeStyle: 'medium' });
const periodOf = (since, until) => FORMAT.formatRange(new Date(since), new Date(until));
