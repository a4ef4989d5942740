import type { Command, Sent } from '../support/tree-model/command.js';
import type { Naming } from '../support/tree-model/requests.js';
import type { Knowledge } from './knowledge.js';

/** Responses and commands in the words of the model: keys for ids, see Operation. Made of all that was seen. */
export class Names implements Naming {
  private readonly keys = new Map<string, string>();

  constructor(private readonly know: Knowledge) {
    const taken = new Set<string>();
    for (const id of know.items.keys()) {
      const key = this.find(id);
      // An item that is there twice: the second one has no key.
      if (!taken.has(key)) this.keys.set(id, key);
      taken.add(key);
    }
  }

  /** A command that names items by their ids. */
  command(sent: Sent): Command {
    const given: Record<string, unknown> = { ...sent };
    for (const field of ['id', 'parent', 'newParent', 'children']) {
      const value = given[field];
      if (Array.isArray(value)) given[field] = value.map((id) => this.sentKey(id));
      else if (typeof value === 'string') given[field] = this.sentKey(value);
    }
    return given as unknown as Command;
  }

  /** An id that nobody has seen elsewhere has the key that its slug says. */
  keyOf(id: string, slug: string): string {
    const seen = this.know.items.get(id);
    if (seen === undefined) return withoutSuffix(slug);
    const isSame = withoutSuffix(seen.slug) === withoutSuffix(slug);
    return (isSame && this.keys.get(id)) || `${slug} (${id})`;
  }

  parentKeyOf(id: string): string | undefined {
    return this.keys.get(id);
  }

  slugOf(workspace: string): string {
    return this.know.slugOf(workspace);
  }

  /** An id that no response has shown is its own key. */
  private sentKey(id: string): string {
    return this.keys.get(id) ?? id;
  }

  private find(id: string): string {
    const copy = this.know.copied.get(id);
    if (copy) return `${copy.within}/${this.find(copy.of)}`;
    const seen = this.know.items.get(id);
    return seen ? withoutSuffix(seen.slug) : id;
  }
}

/** A slug that was taken got one, or several: in a copy, or in another workspace. No name looks like that. */
const withoutSuffix = (slug: string): string => slug.replace(/(-[0-9a-f]{8})+$/, '');
