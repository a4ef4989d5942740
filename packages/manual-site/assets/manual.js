// What the pages of the manual run: a search over the headings and texts; a hint above tables that are wider than
// the page; on phones the same above code and pictures, contents that are folded, and cards in place of the rows
// of cramped tables.
const MAX_RESULTS = 15;
/** Pixels: a row that is higher has a column of a few letters. */
const MAX_ROW_HEIGHT = 180;

const search = document.querySelector('search');
const input = search.querySelector('input');
const results = search.querySelector('ol');
const { root } = search.dataset;
let entries;

search.hidden = false;
const isPhone = window.matchMedia('(max-width: 860px)').matches;
if (isPhone) {
  document.querySelector('.contents').open = false;
  for (const block of document.querySelectorAll('main .table')) {
    // Figures are compared by column.
    const hasFigures = block.querySelector('.right') !== null;
    block.classList.toggle('cards', !hasFigures && (isWide(block) || hasHighRow(block)));
  }
}
const hinted = isPhone ? 'main :is(pre, .table, .picture)' : 'main .table';
for (const block of document.querySelectorAll(hinted)) {
  if (isWide(block)) block.before(wideHint());
}

function isWide(block) {
  return block.scrollWidth > block.clientWidth;
}

function hasHighRow(block) {
  return [...block.querySelectorAll('tr')].some((row) => row.clientHeight > MAX_ROW_HEIGHT);
}

function wideHint() {
  const hint = document.createElement('p');
  hint.className = 'hint';
  hint.textContent = 'Scroll sideways to see all of it →';
  return hint;
}

/**
 * The pages that hold all words, each by its best entry: pages about them first, also by the words that others
 * use for their topic, decisions last, and of equal ones that with the most occurrences of the word that it has
 * least of: short words are everywhere.
 */
function matches(words) {
  const has = (text) => words.every((word) => text.includes(word));
  const query = words.join(' ');
  const rankOf = ({ page, heading, words: others = [], text }) => {
    const [title, part, body] = [page, heading, text].map((each) => each.toLowerCase());
    const all = `${title} ${part} ${others.join(' ')} ${body}`;
    const isAbout = [
      title === query,
      others.includes(query),
      has(title),
      part === query,
      others.some((other) => other.startsWith(query)),
      has(part),
      has(`${title} ${part}`),
      has(all),
    ];
    return isAbout.indexOf(true);
  };
  const pages = new Map();
  for (const entry of entries) {
    const rank = rankOf(entry);
    if (rank === -1) continue;
    const path = entry.at.split('#')[0];
    const best = pages.get(path) ?? { rank: Number.POSITIVE_INFINITY, count: 0 };
    const count = best.count + occurrences(entry, words);
    pages.set(path, rank < best.rank ? { entry, rank, count } : { ...best, count });
  }
  const isDecision = ({ entry }) => entry.at.startsWith('decisions');
  return [...pages.values()]
    .sort((a, b) => isDecision(a) - isDecision(b) || a.rank - b.rank || b.count - a.count)
    .slice(0, MAX_RESULTS)
    .map(({ entry }) => entry);
}

function occurrences({ heading, text }, words) {
  const all = `${heading} ${text}`.toLowerCase();
  return Math.min(...words.map((word) => all.split(word).length - 1));
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
