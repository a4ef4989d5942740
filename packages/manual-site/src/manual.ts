import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join, posix } from 'node:path';
import { marked, type Tokens } from 'marked';

/** Every page and picture in this folder belongs to the manual. */
const DOCS = 'docs';
/** The README of each of their folders belongs to the manual. */
const WITH_READMES = ['clients', 'examples'];

/** A page of the manual. */
export interface ManualPage {
  /** Its file, relative to the project: `docs/decisions/README.md`. */
  file: string;
  /** Its address below `/manual`: `decisions`; '' is the first page. */
  path: string;
  title: string;
  markdown: string;
}

/** A group of the table of contents. */
export interface ManualSection {
  title: string;
  /** `about` is what the index says of a page, in Markdown; '' if it says nothing. */
  pages: { path: string; title: string; about: string }[];
}

/** The page that lists the others. */
const INDEX = `${DOCS}/index.md`;

/** The manual as it is in the project; nothing else can be reached through it. */
export class Manual {
  private constructor(
    private readonly byFile: ReadonlyMap<string, ManualPage>,
    private readonly pictures: ReadonlySet<string>,
  ) {}

  /** @param project the folder that holds `docs`, `clients` and `examples` */
  static async read(project: string): Promise<Manual> {
    const found = await readdir(join(project, DOCS), { recursive: true });
    const docs = found.map((file) => `${DOCS}/${file.replaceAll('\\', '/')}`);
    const readmes = await Promise.all(WITH_READMES.map((folder) => readmesIn(project, folder)));
    const files = [...docs, ...readmes.flat()].sort();
    const pages = files
      .filter((file) => file.endsWith('.md'))
      .map(async (file): Promise<[string, ManualPage]> => {
        const markdown = await readFile(join(project, file), 'utf8');
        return [file, { file, path: pathOf(file), title: titleOf(markdown), markdown }];
      });
    const pictures = docs.filter((file) => /\.(svg|png)$/.test(file));
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

  /** The file of the picture at an address below `/manual`, relative to the project. */
  picture(path: string): string | undefined {
    const file = `${DOCS}/${path}`;
    return this.pictures.has(file) ? file : undefined;
  }

  /**
   * Address below `/manual` of what a page links to, with the anchor.
   * @param from the file of the page
   * @returns null if the target is not in the manual
   */
  resolve(from: string, target: string): string | null {
    const [path = '', anchor] = target.split('#');
    const file = path === '' ? from : posix.join(posix.dirname(from), path);
    const isPicture = this.pictures.has(file);
    const address = this.byFile.get(file)?.path ?? (isPicture ? withoutDocs(file) : null);
    if (address === null) return null;
    return anchor === undefined ? address : `${address}#${anchor}`;
  }

  /**
   * The table of contents: the headings and links of the index, and the pages that it does not name.
   */
  contents(): ManualSection[] {
    const sections: ManualSection[] = [];
    const markdown = this.byFile.get(INDEX)?.markdown ?? '';
    let item = '';
    marked.walkTokens(marked.lexer(markdown), (token) => {
      if (token.type === 'heading' && token.depth === 2) {
        sections.push({ title: token.text, pages: [] });
      }
      if (token.type === 'list_item') item = token.text;
      if (token.type !== 'link') return;
      const path = this.resolve(INDEX, token.href)?.split('#')[0];
      if (!path) return;
      const [link, about = ''] = item.split('): ', 2);
      const isOf = `${link})` === token.raw;
      sections.at(-1)?.pages.push({ path, title: token.text, about: isOf ? about : '' });
    });
    const named = new Set(sections.flatMap(({ pages }) => pages.map(({ path }) => path)));
    const rest = this.pages.filter(({ path }) => !named.has(path) && !path.includes('/'));
    const others = rest
      .filter(({ path }) => path !== '')
      .map(({ path, title }) => ({ path, title, about: '' }));
    return [...sections, { title: 'Other pages', pages: others }].filter(
      ({ pages }) => pages.length > 0,
    );
  }
}

async function readmesIn(project: string, folder: string): Promise<string[]> {
  const names = await readdir(join(project, folder)).catch(() => []);
  const files = names.map((name) => `${folder}/${name}/README.md`);
  return files.filter((file) => existsSync(join(project, file)));
}

const withoutDocs = (file: string): string =>
  file.startsWith(`${DOCS}/`) ? file.slice(DOCS.length + 1) : file;

/**
 * `docs/decisions/README.md` is at `decisions`, `docs/concepts.md` at `concepts`,
 * `clients/mcp/README.md` at `clients/mcp`, the index at ''.
 */
const pathOf = (file: string): string =>
  file === INDEX ? '' : withoutDocs(file).replace(/(\/README)?\.md$/, '');

/** The text of the first heading. */
function titleOf(markdown: string): string {
  const isTitle = (token: { type: string }): token is Tokens.Heading => token.type === 'heading';
  return marked.lexer(markdown).find(isTitle)?.text.replaceAll('`', '') ?? '';
}
