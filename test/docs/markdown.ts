import { readdirSync, readFileSync } from 'node:fs';

/** A fenced block of a page. */
export interface Block {
  file: string;
  line: number;
  language: string;
  text: string;
  /** What the comment before it says, such as `not run here: needs Docker`; '' where there is none. */
  comment: string;
  /** The response that the page shows for it; null where it shows none. */
  response: Block | null;
}

/** The pages whose commands create what others use, in this order; the others follow. */
const FIRST = [
  'README.md',
  'docs/quick-start.md',
  'docs/concepts.md',
  'docs/ordering.md',
  'docs/roles.md',
  'docs/errors.md',
];

/** All pages of the project, in the order in which their commands run. */
export function pages(): string[] {
  const below = (folder: string) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) => `${folder}/${file}`);
  const all = [
    'CONTRIBUTING.md',
    'SECURITY.md',
    ...['docs', 'clients', 'deploy', 'bench'].flatMap(below),
  ]
    .filter(
      (file) => file.endsWith('.md') && !file.includes('node_modules') && !FIRST.includes(file),
    )
    .sort();
  return [...FIRST, ...all];
}

/** The lines between a command and the block that is its response: a sentence at most. */
const CLOSE = 3;

/** The fenced blocks of a page, in order. */
export function blocksOf(file: string): Block[] {
  const lines = readFileSync(file, 'utf8').split('\n');
  const blocks: Block[] = [];
  let comment = '';
  let between = 0;
  for (let n = 0; n < lines.length; n++) {
    const line = `${lines[n]}`;
    const fence = /^(\s*)```(\S*)/.exec(line);
    if (!fence) {
      if (line.trim() === '') continue;
      comment = /^\s*<!-- (.*) -->$/.exec(line)?.[1] ?? '';
      between += /^(#|\|)/.test(line) ? CLOSE : 1;
      continue;
    }
    const [, indent = '', language = ''] = fence;
    const end = lines.findIndex((other, m) => m > n && other === `${indent}\`\`\``);
    if (end === -1) throw new Error(`${file}:${n + 1}: the block has no end`);
    const text = lines
      .slice(n + 1, end)
      .map((one) => one.slice(indent.length))
      .join('\n');
    const block: Block = { file, line: n + 1, language, text, comment, response: null };
    const before = blocks.at(-1);
    const isResponse = language === 'json' || language === '';
    if (before?.language === 'sh' && isResponse && between < CLOSE) before.response = block;
    blocks.push(block);
    [n, comment, between] = [end, '', 0];
  }
  return blocks;
}

/** The text of the block of a page in this language that contains a word. */
export function textOfBlock(file: string, language: string, word: string): string {
  const found = blocksOf(file).find((one) => one.language === language && one.text.includes(word));
  if (!found) throw new Error(`${file} has no block in ${language} with ${word}`);
  return found.text;
}

/** The text of a page without its blocks and its code. */
export const proseOf = (file: string): string =>
  readFileSync(file, 'utf8')
    .replace(/^\s*```[\s\S]*?^\s*```$/gm, '')
    .replace(/`[^`\n]*`/g, (code) => ' '.repeat(code.length));

/** The anchors of a page, as forges make them of its headings. */
export function anchorsOf(file: string): string[] {
  const text = readFileSync(file, 'utf8').replace(/^\s*```[\s\S]*?^\s*```$/gm, '');
  const seen = new Map<string, number>();
  return [...text.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => {
    const slug = heading
      .toLowerCase()
      .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-');
    const count = seen.get(slug) ?? 0;
    seen.set(slug, count + 1);
    return count === 0 ? slug : `${slug}-${count}`;
  });
}
