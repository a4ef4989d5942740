// What the pages of the manual run: a search over the headings and texts, and contents that are folded
// on phones.
const MAX_RESULTS = 15;

const search = document.querySelector('search');
const input = search.querySelector('input');
const results = search.querySelector('ol');
const { root } = search.dataset;
let entries;

search.hidden = false;
if (window.matchMedia('(max-width: 860px)').matches) {
  document.querySelector('.contents').open = false;
}

/** What holds all words: in its heading first, then in the name of its page, then in its text. */
function matches(words) {
  const has = (text) => words.every((word) => text.toLowerCase().includes(word));
  const rank = ({ page, heading, text }) =>
    [heading, `${page} ${heading}`, `${page} ${heading} ${text}`].findIndex(has);
  return entries
    .map((entry) => ({ entry, at: rank(entry) }))
    .filter(({ at }) => at !== -1)
    .sort((a, b) => a.at - b.at)
    .slice(0, MAX_RESULTS)
    .map(({ entry }) => entry);
}

function shown({ at, page, heading }) {
  const link = document.createElement('a');
  link.href = `${root}manual${at.startsWith('#') ? '' : '/'}${at}`;
  link.textContent = heading;
  const where = document.createElement('small');
  where.textContent = page;
  if (page !== heading) link.append(where);
  const item = document.createElement('li');
  item.append(link);
  return item;
}

input.addEventListener('input', async () => {
  entries ??= await (await fetch(`${root}manual/search.json`)).json();
  const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
  const found = words.length === 0 ? [] : matches(words).map(shown);
  if (words.length > 0 && found.length === 0) {
    const none = document.createElement('li');
    none.textContent = 'Nothing was found.';
    found.push(none);
  }
  results.replaceChildren(...found);
});
