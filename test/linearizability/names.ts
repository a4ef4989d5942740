import type { Command, Sent } from './history.js';
import type { Body, Knowledge } from './knowledge.js';
import type { Shown } from './shown.js';

/** Responses and commands in the words of the model: keys for ids, see Operation. Made of all that was seen. */
export class Names {
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
      if (Array.isArray(value)) given[field] = value.map((id) => this.keyOf(id));
      else if (typeof value === 'string') given[field] = this.keyOf(value);
    }
    return given as unknown as Command;
  }

  /** @param below the parent of which this is shown as a child; absent: the top level */
  shown(
    item: Body,
    { single = false, below }: { single?: boolean; below?: string | undefined } = {},
  ): Shown {
    const { id, name, object, parent, content, children, ancestors, meta, workspace } = item;
    const isHere = single || parent === below;
    const key = this.shownKey(id, meta.slug);
    return {
      id: isHere ? key : `${key} (in ${parent})`,
      name,
      object,
      workspace: this.know.slugOf(workspace),
      // Nobody may ever have seen that parent.
      ...(single && { parent: parent === undefined ? null : this.keys.get(parent) }),
      ...(content && { content: JSON.stringify(content) }),
      ...(ancestors && {
        ancestors: ancestors.map(({ id, name, slug }) => ({
          ...{ id: this.shownKey(id, slug), name, object: 'collection' },
        })),
      }),
      ...(children && { children: children.map((child) => this.shown(child, { below: id })) }),
    };
  }

  /** An id that no response has shown is its own key. */
  private keyOf(id: string): string {
    return this.keys.get(id) ?? id;
  }

  /** An id that nobody has seen elsewhere has the key that its slug says. */
  private shownKey(id: string, slug: string): string {
    const key = this.keys.get(id);
    const seen = this.know.items.get(id);
    if (seen === undefined) return withoutSuffix(slug);
    const isSame = withoutSuffix(seen.slug) === withoutSuffix(slug);
    return key !== undefined && isSame ? key : `${slug} (${id})`;
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
