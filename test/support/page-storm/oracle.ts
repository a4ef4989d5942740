// What search in pages has to find, in a few lines: a filter over the texts of all pages. Texts are of a small alphabet
// of words with one space in between, so that nothing of packages/page-text is needed to read them.

/** The text of a page: a title, a heading and paragraphs. */
export interface PageText {
  title: string;
  heading: string;
  paragraphs: readonly string[];
}

/** What is looked for: words, and phrases of several. */
export type Question = readonly (readonly string[])[];

const LATIN = ['alpha', 'alphabet', 'beta', 'betamax', 'gamma', 'gam', 'delta', 'go', 'zz', 'x'];
const SIGNS = ['議', '事', '録', '音'];

export const pick = <T>(list: readonly T[]): T =>
  list[Math.floor(Math.random() * list.length)] as T;
export const many = <T>(count: number, make: () => T): T[] => Array.from({ length: count }, make);
const upTo = (count: number): number => Math.floor(Math.random() * (count + 1));

const signs = (): string => many(1 + upTo(2), () => pick(SIGNS)).join('');
const word = (): string => (Math.random() < 0.2 ? signs() : pick(LATIN));
const sentence = (): string => many(1 + upTo(3), word).join(' ');

let made = 0;
/** Its last word makes it, and so its slug, one that no question asks for. */
export const newTitle = (): string =>
  [...(Math.random() < 0.4 ? [word(), word()] : []), `n${++made}`].join(' ');
export const newText = (): PageText => ({
  title: newTitle(),
  heading: Math.random() < 0.5 ? sentence() : 'rest',
  paragraphs: many(1 + upTo(2), sentence),
});

/** As Tiptap writes it. */
export const toContent = ({ heading, paragraphs }: PageText) => ({
  type: 'doc',
  content: [
    { type: 'heading', attrs: { level: 2 }, content: [{ type: 'text', text: heading }] },
    ...paragraphs.map((text) => ({ type: 'paragraph', content: [{ type: 'text', text }] })),
  ],
});

export function fromContent({ content }: ReturnType<typeof toContent>, title: string): PageText {
  const [heading = '', ...paragraphs] = content.map((node) => node.content[0]?.text ?? '');
  return { title, heading, paragraphs };
}

/** A word, a beginning of one, signs, or a phrase. */
function newTerm(): string[] {
  const chance = Math.random();
  if (chance < 0.45) return [pick(LATIN)];
  if (chance < 0.65) return [pick(LATIN).slice(0, 3)];
  if (chance < 0.8) return [signs()];
  return many(2 + upTo(1), () => pick(LATIN));
}
export function newQuestion(): Question {
  const question = many(pick([1, 1, 1, 2, 2, 3]), newTerm);
  // The service refuses a ninth word.
  return question.flat().length <= 8 ? question : newQuestion();
}
export const toQ = (question: Question): string =>
  question.map((term) => (term.length > 1 ? `"${term.join(' ')}"` : term[0])).join(' ');

const isSigns = (text: string): boolean => SIGNS.includes(text.charAt(0));
function isWord(asked: string, written: string): boolean {
  if (isSigns(asked)) return written.includes(asked);
  return asked.length >= 3 ? written.startsWith(asked) : written === asked;
}
function stands(term: readonly string[], block: string): boolean {
  const words = block.split(' ');
  return words.some((_, at) => term.every((asked, n) => isWord(asked, words[at + n] ?? '')));
}

/** 1 to 3 by title, 4 in a heading, 5 elsewhere in the text; null: it is not found. */
export function rankOf(
  question: Question,
  { title, heading, paragraphs }: PageText,
): number | null {
  const q = toQ(question);
  if (q.split(' ').every((asked) => title.includes(asked))) {
    if (title.startsWith(q)) return 1;
    return title.includes(` ${q}`) ? 2 : 3;
  }
  if ([title, heading].some((block) => question.every((term) => stands(term, block)))) return 4;
  const blocks = [title, heading, ...paragraphs];
  const isThere = question.every((term) => blocks.some((block) => stands(term, block)));
  return isThere ? 5 : null;
}

interface KnownPage {
  id: string;
  text: PageText;
  updatedAt: string;
}

/** The ids of what is found, in order. */
export function expectedHits(question: Question, pages: readonly KnownPage[]): string[] {
  const ranked = pages.flatMap((page) => {
    const rank = rankOf(question, page.text);
    return rank === null ? [] : [{ ...page, title: page.text.title, rank }];
  });
  const byTitle = (a: { title: string }, b: { title: string }) =>
    [...a.title].length - [...b.title].length ||
    Buffer.compare(Buffer.from(a.title), Buffer.from(b.title));
  ranked.sort(
    (a, b) =>
      a.rank - b.rank ||
      (a.rank <= 3 ? byTitle(a, b) : Date.parse(b.updatedAt) - Date.parse(a.updatedAt)) ||
      (a.id < b.id ? -1 : 1),
  );
  return ranked.map(({ id }) => id);
}
