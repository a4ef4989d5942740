import { ConflictError, etagOf, UnauthorizedError } from 'teamspaces-client';
import { isPassing, pauseAfter } from './errors.js';

/** What is typed is saved so often, at most. In milliseconds. */
const SAVE_EVERY = 1_000;
const TRY_AGAIN_AFTER = 5_000;
/** After so long a save has failed: a connection may be lost without a word. The service waits as long for a body. */
const TIMEOUT = 60_000;

/**
 * The text of one page while somebody edits it, and how it reaches the service. `state` is one of:
 *
 * - `saved`: the service has the text;
 * - `unsaved`: it is about to be saved;
 * - `saving`: a request is in flight. What is typed meanwhile goes with the next one;
 * - `failed`: see `error`. It is tried again by itself if that may help, and after more was typed;
 * - `conflict`: somebody else has saved another text: see `theirs`. A person decides.
 *
 * The text is lost in none of them: only `takeTheirs` drops it.
 */
export class Draft {
  state = 'saved';
  text;
  error = null;
  theirs = null;
  #pages;
  #record;
  #onChange;
  #timer;

  /**
   * @param pages of the client
   * @param record the page as `get` returns it: it remembers its ETag
   * @param onChange called when the state, or the text by others, has changed
   */
  constructor(pages, record, onChange) {
    this.#pages = pages;
    this.#record = record;
    this.#onChange = onChange;
    this.text = textOf(record);
  }

  get title() {
    return this.#record.meta.title;
  }

  /** What is not saved yet can be edited even if others have made something else of the page. */
  get isEditable() {
    return this.isUnsaved || isText(this.#record);
  }

  get isUnsaved() {
    return this.text !== textOf(this.#record);
  }

  type(text) {
    this.text = text;
    if (this.state === 'saving' || this.state === 'conflict') return;
    // A failed request is sent again when its time comes, or when there is another token.
    if (this.#timer || this.error instanceof UnauthorizedError) return;
    // While it fails, the error stays to be read.
    if (this.state === 'failed') return this.#plan(TRY_AGAIN_AFTER);
    this.#become('unsaved');
    this.#plan(SAVE_EVERY);
  }

  async save() {
    this.#timer = clearTimeout(this.#timer);
    if (this.state === 'saving' || this.state === 'conflict') return;
    try {
      if (this.isUnsaved) {
        this.#become('saving');
        await this.#write(this.text);
      }
    } catch (error) {
      this.error = error;
      this.#become('failed');
      if (isPassing(error)) this.#plan(pauseAfter(error, TRY_AGAIN_AFTER));
      return;
    }
    if (this.state === 'conflict') return;
    this.#become(this.isUnsaved ? 'unsaved' : 'saved');
    if (this.isUnsaved) this.#plan(SAVE_EVERY);
  }

  /**
   * One request to save a text. It changes the text alone, not the rest of the content, and only if nobody has
   * changed the page since the record was read: the client sends the ETag of the record as `If-Match`.
   */
  async #write(text) {
    const record = this.#record;
    const options = { signal: AbortSignal.timeout(TIMEOUT) };
    let refusal = null;
    try {
      // Without an ETag, the save would overwrite whatever others have saved.
      const operation = { op: 'add', path: `/${fieldOf(record)}`, value: text };
      const saved = etagOf(record) && (await this.#pages.patch(record, [operation], options));
      // If the response was lost, the client has sent the request again: that response has no ETag.
      if (etagOf(saved)) {
        this.#record = saved;
        return;
      }
    } catch (error) {
      if (!(error instanceof ConflictError)) throw error;
      refusal = error;
    }
    const current = await this.#pages.get(record.id, options);
    if (!etagOf(current)) throw new Error('the response has no ETag: a proxy may have removed it');
    // Nobody has changed the page: there is another reason, such as a change of the workspace that is in progress. Behind a
    // proxy, tags of one version may differ: then the next save finds it out.
    if (refusal && etagOf(current) === etagOf(record)) throw refusal;
    // The ETag also changes when the page is renamed or moved: then it still has one of our texts.
    if ([textOf(record), text].includes(textOf(current))) this.#record = current;
    else this.#conflict(current);
  }

  keepMine() {
    // With the ETag of their text: if they save once more before this does, that is a conflict again.
    this.#resolve();
    this.save();
  }

  takeTheirs() {
    this.text = textOf(this.theirs);
    this.#resolve();
    this.#become('saved');
  }

  /** Reads the page again, since the feed says that it has changed at `updatedAt`. */
  async refresh(updatedAt) {
    if (this.isUnsaved || this.state !== 'saved' || updatedAt === this.#record.updatedAt) return;
    const record = await this.#pages.get(this.#record.id);
    // Somebody has typed meanwhile: saving will find out whether the texts differ.
    if (this.isUnsaved || this.state !== 'saved') return;
    this.#record = record;
    this.text = textOf(record);
    this.#onChange();
  }

  /**
   * Gives the page the content of one of its versions. What is typed is saved first, so that it becomes a version.
   * @returns whether it did; not if the text could not be saved
   * @throws ConflictError somebody has changed the page since the record was read
   */
  async restore(version) {
    await this.save();
    if (this.state !== 'saved') return false;
    const before = this.text;
    const restored = await this.#pages.restore(this.#record, version);
    // If the response was lost, the client has sent the request again: that response has no ETag.
    this.#record = etagOf(restored) ? restored : await this.#pages.get(restored.id);
    // What was typed meanwhile stays, and is saved next.
    if (this.text === before) this.text = textOf(this.#record);
    this.#onChange();
    return true;
  }

  #conflict(theirs) {
    this.theirs = theirs;
    this.#become('conflict');
  }

  #resolve() {
    this.#record = this.theirs;
    this.theirs = null;
    this.state = 'unsaved';
  }

  #plan(ms) {
    this.#timer ??= setTimeout(() => this.save(), ms);
  }

  #become(state) {
    if (state !== 'failed') this.error = null;
    if (state === this.state) return;
    this.state = state;
    this.#onChange();
  }
}

/** Imported Markdown has `markdown`; other pages here have `text`. */
const fieldOf = ({ content }) => ('markdown' in content ? 'markdown' : 'text');

/** Whether a page has a text, or nothing yet: other content needs an editor of its own, and is shown as it is. */
const isText = (record) =>
  typeof record.content[fieldOf(record)] === 'string' || Object.keys(record.content).length === 0;

export const textOf = (record) =>
  isText(record)
    ? (record.content[fieldOf(record)] ?? '')
    : JSON.stringify(record.content, null, 2);
