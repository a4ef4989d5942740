// A workspace in one page: its tree, and the text of the page that is open.
import { createClient, secondsBehind } from 'teamspaces-client';
import { commandsOf } from './commands.js';
import { listenToDrag } from './drag.js';
import { sentenceOf } from './errors.js';
import { isComposing, keyOf, listenToKeys } from './keyboard.js';
import { messagesIn } from './messages.js';
import { PageView } from './page.js';
import { SearchBox } from './search.js';
import { Tree } from './tree.js';
import { Workspace } from './workspace.js';

const $ = (selector) => document.querySelector(selector);
const dialog = $('#connect');
const form = dialog.querySelector('form');

/** In memory only: what a page stores, every script on it can read, also tomorrow's. */
let token = '';
/** Continues after a token was accepted; null: no workspace is open yet. */
let resume = null;

// The address names the workspace, so that a link to it can be sent. It does not name the service: a link must not decide
// where the token goes.
const linked = new URLSearchParams(location.search);
for (const name of ['team', 'workspace']) form.elements[name].value = linked.get(name) ?? '';
ask();
dialog.addEventListener('cancel', (event) => {
  if (!resume) event.preventDefault();
});

form.addEventListener('submit', async (event) => {
  event.preventDefault();
  const { service, team, workspace, token: entered } = Object.fromEntries(new FormData(form));
  token = entered;
  $('#connect-error').textContent = '';
  try {
    const client = createClient({
      baseUrl: service,
      token: () => token,
      // A person who waits longer is told so: the client's default is a minute.
      retry: { longestWait: 3_000 },
    });
    const { name } = await client.team(team).workspaces.get(workspace);
    if (!resume) {
      history.replaceState(
        null,
        '',
        `?${new URLSearchParams({ team, workspace })}${location.hash}`,
      );
      for (const field of ['service', 'team', 'workspace']) form.elements[field].readOnly = true;
      resume = show(client.workspace(team, workspace), name);
    }
    dialog.close();
    resume();
  } catch (error) {
    $('#connect-error').textContent = sentenceOf(error);
  }
});

/** Asks for what is missing, or for another token. */
function ask() {
  dialog.showModal();
  const empty = [...form.querySelectorAll('input')].find(({ value }) => value === '');
  (empty ?? form.elements.token).select();
}

/** Shows a workspace; returns what continues when there is another token. */
function show(api, name) {
  const list = $('#tree');
  $('#workspace').textContent = name;
  document.title = name;
  const { say, fail } = messagesIn($('#messages'), ask);
  const workspace = new Workspace(api);

  /** The changes of the tree, one after the other: the place of a move depends on the move before it. */
  let changes = Promise.resolve();
  let isOffline = false;
  const attempt = (change) => {
    if (isOffline && workspace.isWaiting) {
      say(
        'This waits until the service responds: the change before it is saved, but not in the tree yet.',
      );
    }
    const run = async () => {
      try {
        await change();
        return true;
      } catch (error) {
        fail(error);
        return false;
      }
    };
    changes = changes.then(run);
    return changes;
  };

  const page = new PageView($('#page'), api.pages, workspace, {
    say,
    fail,
    signIn: ask,
    open: (id) => open(id),
    restore: (id) => attempt(() => workspace.restore(id)),
    changed: () => tree.draw(),
  });
  const tree = new Tree(workspace, list, {
    rename: (id, newTitle) => rename(id, newTitle),
    onDeleted: ({ meta }) =>
      say(`“${meta.title}” was deleted. Enter restores it with the new name, Escape does not.`),
    onTooLong: say,
    isUnsaved: page.isUnsaved,
  });
  const { commands, rename, move } = commandsOf({ workspace, tree, attempt, say });

  // The address names the open page: Back leads to the one before, and a link opens it.
  const addressed = () => location.hash.slice(1) || null;
  const showAddressed = async () => {
    document.body.dataset.view = addressed() ? 'page' : 'tree';
    tree.openId = addressed();
    tree.reveal(addressed());
    tree.draw();
    await page.open(addressed());
  };
  const open = (id) => {
    if (id === addressed()) return;
    history.pushState(null, '', `#${id ?? ''}`);
    return showAddressed();
  };
  window.addEventListener('popstate', showAddressed);
  window.addEventListener('beforeunload', (event) => {
    if (!page.hasUnsaved) return;
    event.preventDefault();
    page.tellUnsaved();
  });
  window.addEventListener('online', () => page.saveAll());

  $('#back').addEventListener('click', () => open(null));
  const edit = async (id, snippet) => {
    await open(id);
    page.focus(snippet);
  };
  /** Goes to what a search has found. */
  const goTo = (openPage) => (found) => {
    tree.reveal(found.id);
    if (found.object === 'item') return openPage(found.id, found.snippet);
    if (!workspace.items.has(found.id)) say(`“${found.meta.title}” is not in the tree.`);
  };
  const box = new SearchBox($('#search'), {
    search: async (q, options) => {
      const results = await api.search(q, options);
      return { results, isBehind: secondsBehind(results) !== undefined };
    },
    edit: goTo(edit),
    open: goTo(open),
    leave: () => tree.focus(),
    fail,
  });
  const search = () => {
    // A phone shows either the tree, with the search, or the page.
    if (!$('#search').checkVisibility()) open(null);
    box.focus();
  };
  document.addEventListener(
    'keydown',
    (event) => {
      if (keyOf(event) !== 'Ctrl+k' || isComposing(event) || dialog.open) return;
      event.preventDefault();
      search();
    },
    true,
  );
  listenToKeys(list, tree, { commands, open: edit, search });
  listenToDrag(list, tree, workspace, move);
  listenToMouse(list, tree, open);
  $('#page').addEventListener('keydown', (event) => {
    if (event.key === 'Escape' && !isComposing(event)) tree.focus();
  });
  $('#toolbar').replaceChildren(...commands.map(buttonOf));

  let isFollowing = false;
  let isLoaded = false;
  return async () => {
    page.saveAll();
    if (isFollowing) return;
    isFollowing = true;
    try {
      await workspace.follow({
        // It follows until the window is closed.
        signal: new AbortController().signal,
        onSync() {
          isOffline = false;
          showConnection('In sync');
          tree.draw();
          if (isLoaded) return page.synced();
          isLoaded = true;
          tree.activate(tree.activeId);
          showAddressed();
        },
        onOffline() {
          isOffline = true;
          showConnection(
            workspace.isWaiting ? 'Offline, changes wait …' : 'Offline, trying again …',
          );
        },
      });
    } catch (error) {
      showConnection('Not connected');
      fail(error);
    }
    isFollowing = false;
  };
}

/** Screen readers say what is written, so nothing is written twice. */
function showConnection(state) {
  const element = $('#connection');
  if (element.textContent !== state) element.textContent = state;
}

function listenToMouse(list, tree, open) {
  list.addEventListener('click', ({ target }) => {
    const item = tree.itemOf(target);
    if (!item || target.matches('input')) return;
    tree.activate(item.id);
    if (target.closest('.twisty')) tree.toggle(item);
    else if (item.object === 'item') open(item.id);
  });
  list.addEventListener('dblclick', ({ target }) => {
    const item = tree.itemOf(target);
    if (item && target.matches('.name')) tree.edit(item);
  });
}

function buttonOf({ label, icon, keys, run }) {
  const button = document.createElement('button');
  button.type = 'button';
  button.title = `${label} (${keys[0]})`;
  button.setAttribute('aria-label', label);
  button.setAttribute('aria-keyshortcuts', keys.join(' ').replaceAll('Ctrl', 'Control'));
  button.innerHTML = `<svg aria-hidden="true"><use href="icons.svg#${icon}"/></svg>`;
  button.addEventListener('click', run);
  return button;
}
