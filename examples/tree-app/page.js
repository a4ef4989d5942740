import { NotFoundError, UnauthorizedError } from 'teamspaces-client';
import { Draft, textOf } from './draft.js';
import { sentenceOf } from './errors.js';
import { VersionsView } from './versions.js';

/** The page that is open: its title, its text, and what became of the last save. */
export class PageView {
  #root;
  #pages;
  #workspace;
  #actions;
  #versions;
  #id = null;
  /** Why the page could not be read. */
  #error = null;
  /** The drafts of this window, by their pages' ids. Text that is not saved yet stays here when another page is opened. */
  #drafts = new Map();
  /** What was told last of pages that are not open, by their ids. */
  #told = new Map();

  /**
   * @param root the element that holds `data-part`s
   * @param pages of the client
   * @param actions signIn(), open(id), restore(id), say(text, button), fail(error), changed()
   */
  constructor(root, pages, workspace, actions) {
    this.#root = root;
    this.#pages = pages;
    this.#workspace = workspace;
    this.#actions = actions;
    const draft = () => this.#drafts.get(this.#id);
    this.#versions = new VersionsView(this.#part('versions'), pages, {
      ...actions,
      restore: (id, version) => this.#restoreVersion(this.#drafts.get(id), version),
    });
    this.#part('history').addEventListener('click', () => this.#toggleVersions());
    this.#part('text').addEventListener('input', ({ target }) => {
      draft().type(target.value);
      this.#show();
    });
    this.#part('keep').addEventListener('click', () => draft().keepMine());
    this.#part('take').addEventListener('click', () => this.#takeTheirs(draft()));
  }

  isUnsaved = (id) => this.#drafts.get(id)?.isUnsaved ?? false;

  get hasUnsaved() {
    return [...this.#drafts.values()].some((draft) => draft.isUnsaved);
  }

  /** @param id null: no page */
  async open(id) {
    const before = this.#id;
    if (id !== before) this.#versions.close();
    this.#id = id;
    this.#error = null;
    this.#show();
    if (id !== before) this.#tellStuck(before);
    const isPage = this.#workspace.items.get(id)?.object !== 'collection';
    if (id === null || this.#drafts.has(id) || !isPage) return this.synced();
    try {
      const record = await this.#pages.get(id);
      // It may have been opened twice meanwhile, and the first draft have text already.
      if (!this.#drafts.has(id)) {
        this.#drafts.set(id, new Draft(this.#pages, record, () => this.#changed(id)));
      }
    } catch (error) {
      if (id === this.#id) this.#error = error;
      this.#actions.fail(error);
    }
    this.#show();
  }

  /** @param snippet of a search: its first match is selected, if the text has it as it stands there */
  focus(snippet = []) {
    const text = this.#part('text');
    const range = rangeOf(text.value, snippet);
    if (!range) return text.focus();
    // A browser scrolls to the caret when the field gets the focus, and not to a selection.
    text.blur();
    text.setSelectionRange(range[0], range[0]);
    text.focus();
    text.setSelectionRange(...range);
  }

  /** The copy of the tree is in sync: the page may have another title or text, or be deleted. */
  synced() {
    const item = this.#workspace.items.get(this.#id);
    const draft = this.#drafts.get(this.#id);
    // If it cannot be read now, the next call tries again.
    if (item) draft?.refresh(item.updatedAt).catch(() => {});
    this.#show();
  }

  /** Saves what could not be saved, for example with an old token. */
  saveAll() {
    for (const draft of this.#drafts.values()) draft.save();
  }

  /** Tells of a page that is not open and has text that cannot be saved. */
  tellUnsaved() {
    for (const id of this.#drafts.keys()) if (id !== this.#id) this.#tellStuck(id);
  }

  async #toggleVersions() {
    if (this.#versions.isOpen) this.#versions.close();
    else await this.#versions.open(this.#id);
    this.#show();
  }

  async #restoreVersion(draft, version) {
    try {
      const isRestored = await draft.restore(version);
      if (!isRestored) this.#actions.say('Nothing was restored: your text is not saved yet.');
      return isRestored;
    } catch (error) {
      this.#actions.fail(error);
      return false;
    }
  }

  #takeTheirs(draft) {
    const mine = draft.text;
    draft.takeTheirs();
    this.focus();
    const putBack = () => {
      draft.type(mine);
      this.#show();
    };
    this.#actions.say('Your text was replaced.', { label: 'Undo', run: putBack });
  }

  #changed(id) {
    this.#actions.changed();
    if (id === this.#id) this.#show();
    // A save that fails again is not news.
    else if (this.#stuckSentence(id) !== this.#told.get(id)) this.#tellStuck(id);
    if (!this.isUnsaved(id)) this.#told.delete(id);
  }

  /** Tells that a page which is not open cannot be saved, and leads to it: if it was deleted, nothing else does. */
  #tellStuck(id) {
    const sentence = this.#stuckSentence(id);
    if (sentence === null) return;
    this.#told.set(id, sentence);
    this.#actions.say(sentence, { label: 'Open it', run: () => this.#actions.open(id) });
  }

  /** What keeps a page from being saved; null: nothing does. */
  #stuckSentence(id) {
    const draft = this.#drafts.get(id);
    if (draft?.state !== 'failed' && draft?.state !== 'conflict') return null;
    return `“${this.#titleOf(id)}”: ${this.#stateOf(draft)[0]}`;
  }

  #titleOf = (id) => this.#workspace.items.get(id)?.meta.title ?? this.#drafts.get(id)?.title;

  #show() {
    const item = this.#workspace.items.get(this.#id);
    const draft = this.#drafts.get(this.#id);
    // A deleted page stays as long as it has text that is nowhere else.
    const isOpen = item?.object === 'item' || draft?.isUnsaved === true;
    this.#part('open').hidden = !isOpen;
    this.#part('empty').hidden = isOpen;
    if (!isOpen) return;
    this.#part('title').textContent = this.#titleOf(this.#id);
    this.#part('history').setAttribute('aria-expanded', String(this.#versions.isOpen));
    const text = this.#part('text');
    text.readOnly = !draft?.isEditable;
    setText(text, draft?.text ?? '');
    const [state, button] = draft ? this.#stateOf(draft) : this.#loading();
    if (this.#part('state').textContent !== state) this.#part('state').textContent = state;
    const action = this.#part('action');
    action.hidden = !button;
    action.textContent = button?.label ?? '';
    action.onclick = button?.run;
    this.#part('conflict').hidden = draft?.state !== 'conflict';
    if (draft?.theirs) this.#part('theirs').value = textOf(draft.theirs);
  }

  #loading() {
    if (!this.#error) return ['Loading …'];
    const again = { label: 'Try again', run: () => this.open(this.#id) };
    return [`Not loaded. ${sentenceOf(this.#error)}`, again];
  }

  /** What became of the text, and the button that helps. */
  #stateOf(draft) {
    const { state, error } = draft;
    if (!draft.isEditable) return ['This app edits text only.'];
    if (state !== 'failed') return [STATES[state]];
    const sentence = `Not saved yet. ${sentenceOf(error)}`;
    if (error instanceof UnauthorizedError) {
      return [sentence, { label: 'Sign in', run: this.#actions.signIn }];
    }
    if (error instanceof NotFoundError) {
      const restore = async () => (await this.#actions.restore(this.#id)) && draft.save();
      return ['Not saved yet. This page was deleted.', { label: 'Restore it', run: restore }];
    }
    return [sentence, { label: 'Try again', run: () => draft.save() }];
  }

  #part(name) {
    return this.#root.querySelector(`[data-part=${name}]`);
  }
}

const STATES = {
  saved: 'Saved',
  unsaved: 'Editing …',
  saving: 'Saving …',
  conflict: 'Not saved yet. Somebody else has saved this page.',
};

/** Changes the text of a field and leaves the caret where it was, as far as possible. */
function setText(field, text) {
  if (field.value === text) return;
  const { selectionStart, selectionEnd } = field;
  field.value = text;
  field.setSelectionRange(selectionStart, selectionEnd);
}

/** Characters before a match by which its place is known: the text may have markup that a snippet does not show. */
const CONTEXT = 10;

/** Where the first match of a snippet is in a text; undefined: it is not there. */
function rangeOf(text, snippet) {
  const index = snippet.findIndex(({ match }) => match);
  if (index < 0) return undefined;
  const found = snippet[index].text;
  const before = snippet[index - 1]?.text.slice(-CONTEXT) ?? '';
  const place = text.indexOf(before + found);
  const start = place < 0 ? text.indexOf(found) : place + before.length;
  return start < 0 ? undefined : [start, start + found.length];
}
