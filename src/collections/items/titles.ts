import { MAX_NAME } from '../limits.js';
import type { ItemFields } from './item.fields.js';

// The name and the title of an item (6.3 of the decisions). A name has at most 32 characters; a title is what people
// see. An item has no title of its own if that is its name.

/** The name and the title of an item. */
export type Titled = Pick<ItemFields, 'name' | 'title'>;

/** What a request says of them; a title of null: the item has none of its own. */
export interface Naming {
  name?: string | undefined;
  title?: string | null | undefined;
}

const WHITE_SPACE_AT_ENDS = /^[\p{White_Space}\uFEFF]+|[\p{White_Space}\uFEFF]+$/gu;

const trimmed = (text: string): string => text.replace(WHITE_SPACE_AT_ENDS, '');

const beginOf = (title: string): string => trimmed([...title].slice(0, MAX_NAME).join(''));

/** The name that a title gives its item: its first 32 characters, without white space at the ends. */
const nameOf = (title: string): string => beginOf(title) || beginOf(trimmed(title));

/** Of a new item. @param otherwise its name if it is given none */
export function titledAs({ name, title }: Naming, otherwise = 'Untitled'): Titled {
  const given = title ?? name ?? otherwise;
  return { name: name ?? (title == null ? given : nameOf(title)), title: given };
}

/** What a write makes of them: another name, given without a title, takes the title away. */
export function retitled(item: Titled, { name, title }: Naming): Titled {
  const isLeft = title === undefined && (name === undefined || name === item.name);
  return isLeft ? { name: item.name, title: item.title } : titledAs({ name, title }, item.name);
}
