// A workspace in a page: the feed of changes fills it, drag and drop moves items, F2 renames them.
import { follow, Service } from './service.js';
import { draw } from './tree.js';

const form = document.querySelector('#connect');
const tree = document.querySelector('#tree');
const status = document.querySelector('#status');

/** The items by their ids, as the feed has them. */
let items = new Map();
/** Ends the connection before. */
let leaving = new AbortController();
/** Nothing is drawn while somebody drags or types: it would take the element away. */
let isBusy = false;

form.addEventListener('submit', async (event) => {
  event.preventDefault();
  leaving.abort();
  leaving = new AbortController();
  const { signal } = leaving;
  const service = new Service(Object.fromEntries(new FormData(form)));
  items = new Map();
  say('Loading …');
  const show = () => !isBusy && draw(tree, items, actionsOf(service, show));
  try {
    await follow(service, items, { signal, onChange: show, onStatus: say });
  } catch (error) {
    if (!signal.aborted) fail(error);
  }
});

/** What the tree lets a person do. */
const actionsOf = (service, show) => ({
  busy(value) {
    isBusy = value;
    show();
  },
  move: (id, to) => attempt(service.move(items.get(id), to), 'Moved.'),
  rename: (id, name) => attempt(service.rename(id, name), 'Renamed.'),
});

const attempt = (change, done) => change.then(() => say(done), fail);

function say(text) {
  status.className = '';
  status.textContent = text;
}

function fail(error) {
  status.className = 'failed';
  status.textContent = error.message;
}
