import { readdir, readFile } from 'node:fs/promises';
import { join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { marked, type Tokens } from 'marked';

/** The folder of the manual; the same from src/ and from dist/. */
export const MANUAL_FOLDER = fileURLToPath(new URL('../../../docs/', import.meta.url));

/** A page of the manual. */
export interface ManualPage {
  /** Its file, relative to the folder of the manual: `decisions/README.md`. */
  file: string;
  /** Its address below `/manual`: `decisions`; '' is the first page. */
  path: string;
  title: string;
  markdown: string;
}

/** A group of the table of contents. */
interface ManualSection {
  title: string;
  pages: { path: string; title: string }[];
}

/** The page that lists the others. */
const INDEX = 'index.md';

/** The manual as it is in its folder; nothing else can be reached through it. */
export class Manual {
  private constructor(
    private readonly byFile: ReadonlyMap<string, ManualPage>,
    private readonly pictures: ReadonlySet<string>,
  ) {}

  static async read(folder: string): Promise<Manual> {
    const found = await readdir(folder, { recursive: true });
    const files = found.map((file) => file.replaceAll('\\', '/')).sort();
    const pages = files
      .filter((file) => file.endsWith('.md'))
      .map(async (file): Promise<[string, ManualPage]> => {
        const markdown = await readFile(join(folder, file), 'utf8');
        return [file, { file, path: pathOf(file), title: titleOf(markdown), markdown }];
      });
    const pictures = files.filter((file) => /\.(svg|png)$/.test(file));
    return new Manual(new Map(await Promise.all(pages)), new Set(pictures));
  }

  /** All pages, by the names of their files. */
  get pages(): ManualPage[] {
    return [...this.byFile.values()];
  }

  /** The page at an address below `/manual`. */
  page(path: string): ManualPage | undefined {
    return this.pages.find((page) => page.path === path);
  }

  hasPicture(file: string): boolean {
    return this.pictures.has(file);
  }

  /**
   * Address below `/manual` of what a page links to, with the anchor.
   * @param from the file of the page
   * @returns null if the target is not in the manual
   */
  resolve(from: string, target: string): string | null {
    const [path = '', anchor] = target.split('#');
    const file = path === '' ? from : posix.join(posix.dirname(from), path);
    const address = this.byFile.get(file)?.path ?? (this.pictures.has(file) ? file : null);
    if (address === null) return null;
    return anchor === undefined ? address : `${address}#${anchor}`;
  }

  /**
   * The table of contents: the headings and links of the index, and the pages that it does not name.
   */
  contents(): ManualSection[] {
    const sections: ManualSection[] = [];
    const markdown = this.byFile.get(INDEX)?.markdown ?? '';
    marked.walkTokens(marked.lexer(markdown), (token) => {
      if (token.type === 'heading' && token.depth === 2) {
        sections.push({ title: token.text, pages: [] });
      }
      if (token.type !== 'link') return;
      const path = this.resolve(INDEX, token.href)?.split('#')[0];
      if (path) sections.at(-1)?.pages.push({ path, title: token.text });
    });
    const named = new Set(sections.flatMap(({ pages }) => pages.map(({ path }) => path)));
    const rest = this.pages.filter(({ path, file }) => !named.has(path) && !file.includes('/'));
    const others = rest.filter(({ path }) => path !== '');
    return [...sections, { title: 'Other pages', pages: others }].filter(
      ({ pages }) => pages.length > 0,
    );
  }
}

/** `decisions/README.md` is at `decisions`, `concepts.md` at `concepts`, the index at ''. */
const pathOf = (file: string): string =>
  file === INDEX ? '' : file.replace(/(\/README)?\.md$/, '');

/** The text of the first heading. */
function titleOf(markdown: string): string {
  const isTitle = (token: { type: string }): token is Tokens.Heading => token.type === 'heading';
  return marked.lexer(markdown).find(isTitle)?.text.replaceAll('`', '') ?? '';
}
