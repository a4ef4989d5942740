import {
  BadRequestError,
  titleOf,
  UnauthorizedError,
  UnprocessableEntityError,
} from 'teamspaces-client';
import { sentenceOf } from './errors.js';
import { isComposing } from './keyboard.js';

/** What is typed is searched for after so long without a key. In milliseconds. */
const PAUSE = 150;
const LIMIT = 20;
/** Characters of a snippet before its first match. */
const LEAD = 40;
/** Code points that the service accepts. `maxlength` of the field would count UTF-16 units. */
const MAX_LENGTH = 100;

/**
 * Finds pages and collections by their titles, then pages by their text: a combobox, as the ARIA Authoring Practices
 * describe it. The focus stays in the field, arrows choose a result, Enter opens it. Before somebody chooses, Enter opens
 * the best result for what is typed now: if the response is not there yet, when it arrives. One response has both groups:
 * no result moves because others arrive later.
 */
export class SearchBox {
  #field;
  #list;
  #status;
  #actions;
  #results = [];
  /** Their elements, in the same order. */
  #options = [];
  /** The index of the active result; -1: there is none. */
  #active = -1;
  /** Whether an arrow has made it active. */
  #isChosen = false;
  #timer;
  /** Ends the search for what was typed before. */
  #request = new AbortController();
  #isPending = false;
  #opensFirst = false;
  /** What had the focus before the field. */
  #from = null;

  /**
   * @param root the element with the field, a `listbox` and a `status`
   * @param actions search(q, { in, limit, signal }), which resolves to { results, isBehind }; edit(result) for Enter,
   * open(result) for a click, leave() if nothing else takes the focus, fail(error)
   */
  constructor(root, actions) {
    this.#field = root.querySelector('[role=combobox]');
    this.#list = root.querySelector('[role=listbox]');
    this.#status = root.querySelector('[role=status]');
    this.#actions = actions;
    this.#field.addEventListener('input', () => this.#plan());
    this.#field.addEventListener('focus', ({ relatedTarget }) => {
      this.#from = relatedTarget;
      this.#plan();
    });
    this.#field.addEventListener('blur', () => this.#stop());
    this.#field.addEventListener('keydown', (event) => this.#press(event));
    // A click does not take the focus away, which would close the list.
    root.addEventListener('mousedown', (event) => {
      if (event.target !== this.#field) event.preventDefault();
    });
    this.#list.addEventListener('click', ({ target }) => {
      const index = this.#options.indexOf(target.closest('[role=option]'));
      if (index >= 0) this.#pick(this.#results[index], this.#actions.open);
    });
  }

  focus() {
    this.#field.focus();
    this.#field.select();
  }

  #press(event) {
    if (isComposing(event)) return;
    const keys = {
      ArrowDown: () => this.#choose(1),
      ArrowUp: () => this.#choose(-1),
      Enter: () => this.#enter(),
      Escape: () => this.#close(),
    };
    if (!Object.hasOwn(keys, event.key)) return;
    event.preventDefault();
    keys[event.key]();
  }

  #choose(step) {
    const { length } = this.#results;
    if (length === 0) return;
    this.#isChosen = true;
    this.#activate((this.#active + step + length) % length);
  }

  #enter() {
    if (this.#isPending && !this.#isChosen) {
      this.#opensFirst = true;
      if (this.#timer) this.#find();
    } else if (this.#active >= 0) this.#pick(this.#results[this.#active], this.#actions.edit);
  }

  #pick(result, open) {
    this.#field.value = '';
    this.#field.blur();
    open(result);
  }

  #close() {
    this.#field.value = '';
    this.#stop();
    this.#from?.focus();
    if (document.activeElement === this.#field) this.#actions.leave();
  }

  /** Ends the search, and shows nothing. */
  #stop() {
    this.#timer = clearTimeout(this.#timer);
    this.#request.abort();
    this.#isPending = false;
    this.#show([], '');
  }

  /** What is typed has changed: the results are those of before until the response arrives. */
  #plan() {
    this.#timer = clearTimeout(this.#timer);
    this.#request.abort();
    this.#isChosen = false;
    this.#opensFirst = false;
    if (this.#field.value.trim() === '') return this.#stop();
    this.#isPending = true;
    this.#timer = setTimeout(() => this.#find(), PAUSE);
  }

  async #find() {
    this.#timer = clearTimeout(this.#timer);
    this.#request = new AbortController();
    const { signal } = this.#request;
    const q = [...this.#field.value.trim()].slice(0, MAX_LENGTH).join('');
    this.#list.ariaBusy = true;
    if (this.#status.textContent === '') this.#status.textContent = 'Searching …';
    let found = NOTHING;
    let failure;
    try {
      found = await this.#search(q, signal);
    } catch (error) {
      failure = error;
    }
    // Somebody has typed meanwhile.
    if (signal.aborted) return;
    this.#isPending = false;
    // Only the line of messages has the button that helps.
    if (failure instanceof UnauthorizedError) {
      this.#show([], '');
      this.#actions.fail(failure);
    } else this.#show(found.results, failure ? sentenceOf(failure) : statusOf(q, found));
    if (this.#opensFirst && found.results.length > 0) this.#enter();
  }

  /** If the service does not search in pages, or not for this, titles are better than an error. */
  async #search(q, signal) {
    try {
      return await this.#actions.search(q, { in: 'all', limit: LIMIT, signal });
    } catch (error) {
      const reason = REFUSALS.find(([type]) => error instanceof type)?.[1];
      if (!reason) throw error;
      const found = await this.#actions.search(q, { in: 'name', limit: LIMIT, signal });
      return { ...found, reason };
    }
  }

  #show(results, text) {
    const chosen = this.#isChosen ? this.#results[this.#active]?.id : undefined;
    this.#results = results;
    this.#options = results.map(optionOf);
    const titles = this.#options.filter((_, index) => !results[index].snippet);
    const pages = this.#options.slice(titles.length);
    this.#list.replaceChildren(...groupOf('Titles', titles), ...groupOf('In pages', pages));
    this.#list.hidden = results.length === 0;
    this.#list.ariaBusy = false;
    this.#field.ariaExpanded = results.length > 0;
    this.#status.textContent = text;
    const index = results.findIndex(({ id }) => id === chosen);
    this.#isChosen = index >= 0;
    this.#activate(results.length > 0 ? Math.max(index, 0) : -1);
  }

  #activate(index) {
    this.#options[this.#active]?.setAttribute('aria-selected', false);
    this.#active = index;
    const option = this.#options[index];
    option?.setAttribute('aria-selected', true);
    option?.scrollIntoView({ block: 'nearest' });
    this.#field.setAttribute('aria-activedescendant', option?.id ?? '');
  }
}

const NOTHING = { results: [], isBehind: false };
/** Why only titles were searched, by the error. The messages of the service name a parameter that nobody has typed. */
const REFUSALS = [
  [BadRequestError, 'Only titles were searched: for pages, use at most 8 words.'],
  // It is switched off, or there is too much to read.
  [UnprocessableEntityError, 'Only titles were searched.'],
];

function statusOf(q, { results, isBehind, reason }) {
  const sentences = [countOf(q, results)];
  if (isBehind) sentences.push('The newest changes may be missing.');
  if (reason) sentences.push(reason);
  return sentences.join(' ');
}

function countOf(q, { length }) {
  if (length === 0) return `Nothing was found for “${q}”.`;
  if (length === LIMIT) return `The best ${LIMIT} results: more letters find others.`;
  return length === 1 ? '1 result.' : `${length} results.`;
}

/** What a listbox has of these options: nothing, or a group with its label. */
function groupOf(name, options) {
  if (options.length === 0) return [];
  const group = document.createElement('div');
  group.setAttribute('role', 'group');
  group.ariaLabel = name;
  const label = document.createElement('div');
  // Screen readers say the name of the group.
  label.ariaHidden = true;
  label.textContent = name;
  group.append(label, ...options);
  return [group];
}

function optionOf({ id, meta, object, ancestors, snippet }) {
  const option = document.createElement('div');
  option.id = `found-${id}`;
  option.setAttribute('role', 'option');
  option.setAttribute('aria-selected', false);
  option.innerHTML = object === 'item' ? PAGE : COLLECTION;
  option.querySelector('.name').textContent = meta.title;
  // Titles in Hebrew or Arabic do not turn the path around.
  const path = ancestors.flatMap((ancestor, index) => {
    const part = document.createElement('bdi');
    part.textContent = titleOf(ancestor);
    // A long one is cut.
    part.title = part.textContent;
    return [index > 0 ? ' / ' : 'in ', part];
  });
  option.querySelector('.path').append(...path);
  if (snippet) option.append(' ', excerptOf(snippet));
  return option;
}

/** The text around a match. Nothing in it is markup: other people have written it. */
function excerptOf(snippet) {
  const excerpt = document.createElement('span');
  excerpt.className = 'snippet';
  excerpt.dir = 'auto';
  for (const [index, { text, match }] of snippet.entries()) {
    const part = document.createElement(match ? 'mark' : 'span');
    part.textContent = index === 0 && !match ? endOf(text) : text;
    excerpt.append(part);
  }
  return excerpt;
}

const WORDS = new Intl.Segmenter(undefined, { granularity: 'word' });

/** The last words before the first match: of a snippet, the first lines are shown, and the match is in them. */
function endOf(text) {
  if (text.length <= LEAD) return text;
  const words = [...WORDS.segment(text)].filter(({ isWordLike }) => isWordLike);
  const first = words.find(({ index }) => text.length - index <= LEAD);
  return `… ${text.slice(first?.index ?? text.length)}`;
}

const PAGE = `
  <svg aria-hidden="true"><use href="icons.svg#page"/></svg>
  <bdi class="name"></bdi>
  <span class="path"></span>`;
const COLLECTION = `
  <svg role="img" aria-label="Collection"><use href="icons.svg#collection"/></svg>
  <bdi class="name"></bdi>
  <span class="path"></span>`;
