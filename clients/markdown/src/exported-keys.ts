import { createHash } from 'node:crypto';
import { lstat, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isMarkdown } from './file-names.js';
import type { KeyOf } from './keys.js';
import { contentOf, withKey, withoutKey } from './page-content.js';
import { RowFile } from './row-file.js';
import type { TargetFolder } from './target-folder.js';

/** A file or folder of an export. Files that have no key and name none are left out. */
export interface PlacedEntry {
  file: string;
  /** Of a folder: the number of the list of what is in it. */
  list?: number;
  /** Of a file: the key of the page. */
  key?: string | undefined;
  /** Of a file: what its front matter names as key; null: something that is no key. */
  namedKey?: string | null | undefined;
}

/**
 * Which of the keys that pages without a key name in their front matter their files may keep. Copies have no key, and the
 * front matter of the original. Memory grows with the number of such pages: some dozens of bytes for each.
 */
export class KeyClaims {
  /** No item has a key, or names one. */
  isEmpty = true;
  private readonly claimed = new Set<number>();
  private readonly taken = new Set<number>();

  /** Notes the key of an item, or the one that its front matter names. */
  note({ key, namedKey }: { key?: string; namedKey?: string | null }): void {
    if (key === undefined && namedKey) this.claimed.add(shortHash(namedKey));
    if (key !== undefined || namedKey) this.isEmpty = false;
  }

  /** Takes a key that an item has. All items are noted before the first one takes its key. */
  take(key: string): void {
    const hash = shortHash(key);
    if (this.claimed.has(hash)) this.taken.add(hash);
  }

  /** True for the first page that claims a key, unless an item has it. */
  grant(key: string): boolean {
    const hash = shortHash(key);
    const isFree = !this.taken.has(hash);
    this.taken.add(hash);
    return isFree;
  }
}

/** A collision (1 in 2^48) drops a key that could have stayed. */
const shortHash = (key: string): number =>
  createHash('sha256').update(key).digest().readUIntBE(0, 6);

/**
 * Writes keys into the front matter of an export's files, so that a sync of the folder takes each file for its page, and
 * finds no key twice.
 */
export class ExportedKeys {
  /** Files whose keys by their paths others name. */
  private readonly contested: RowFile<{ path: string }>;

  constructor(
    private readonly target: TargetFolder,
    private readonly keyOf: KeyOf,
    private readonly claims: KeyClaims,
    private readonly signal: AbortSignal | undefined,
  ) {
    this.contested = new RowFile(join(target.aside, 'contested'));
  }

  /** Where the files and folders in a folder are listed, in their order. */
  listOf(list: number): RowFile<PlacedEntry> {
    return new RowFile(join(this.target.aside, `placed-${list}`));
  }

  /** @param list what is in the target's tree */
  async write(list: number): Promise<void> {
    await this.writeList(list, '');
    await this.contested.flush();
    for await (const { path } of this.contested.rows()) await this.distinguish(path);
  }

  /** @param folder its path, with a slash at the end */
  private async writeList(list: number, folder: string): Promise<void> {
    for await (const entry of this.listOf(list).rows()) {
      this.signal?.throwIfAborted();
      const path = `${folder}${entry.file}`;
      if (entry.list !== undefined) {
        await this.writeList(entry.list, `${path}/`);
        continue;
      }
      const key = await this.settle(path, entry);
      const other = key === null ? null : this.pathBy(key);
      if (other === null || other === path || !isMarkdown(other)) continue;
      if ((await this.kindOf(other)) === 'file') await this.contested.add({ path: other });
    }
  }

  /** @returns the key that the front matter of the file names then */
  private async settle(path: string, { key, namedKey }: PlacedEntry): Promise<string | null> {
    if (key !== undefined) {
      if (namedKey === key) return key;
      if (namedKey === undefined && this.keyOf(path) === key) return null;
      await this.rewrite(path, (text) => withKey(text, key));
      return key;
    }
    if (!namedKey) return null;
    const isGranted = this.claims.grant(namedKey);
    const folder = this.pathBy(namedKey);
    const isFolder = folder !== null && (await this.kindOf(folder)) === 'folder';
    if (isGranted && !isFolder) return namedKey;
    await this.rewrite(path, withoutKey);
    return null;
  }

  /** Gives a file that names no key one that no other has: the key by its path is that of a page elsewhere. */
  private async distinguish(path: string): Promise<void> {
    await this.rewrite(path, (text) => {
      const { key } = contentOf(text, '').frontMatter;
      if (key !== undefined && key !== null) return text;
      const unique = createHash('sha256').update(`${path}\n${text}`).digest('hex').slice(0, 16);
      return withKey(text, this.keyOf(unique));
    });
  }

  private async rewrite(path: string, change: (text: string) => string): Promise<void> {
    const file = join(this.target.tree, path);
    const text = await readFile(file, 'utf8');
    const changed = change(text);
    if (changed !== text) await writeFile(file, changed);
  }

  /** The path to which a key belongs; null if it is the key of no path. */
  private pathBy(key: string): string | null {
    const prefix = this.keyOf('');
    return key.startsWith(prefix) ? key.slice(prefix.length) : null;
  }

  /** What is at a path in the folder. Keys may be any text: none leads out of it. */
  private async kindOf(path: string): Promise<'file' | 'folder' | null> {
    const isInside = path.split('/').every((name) => name !== '' && !name.startsWith('.'));
    if (!isInside || path.includes('\\')) return null;
    const found = await lstat(join(this.target.tree, path)).catch(() => null);
    return found && (found.isDirectory() ? 'folder' : 'file');
  }
}
