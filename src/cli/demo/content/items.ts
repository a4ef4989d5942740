import type { NewCollection } from 'teamspaces-client';

/** A page of Markdown, as an import makes one: an export gives the text back. */
export const page = (name: string, text: string): NewCollection => ({
  name,
  object: 'item',
  content: { markdown: `${text.trim()}\n` },
});

export const collection = (name: string, ...children: NewCollection[]): NewCollection => ({
  name,
  object: 'collection',
  children,
});
