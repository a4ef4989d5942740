import type { Portions } from '@teamspaces/json-text/json-grammar';

/** A part of a page's text that stands by itself: a paragraph, a heading, a cell. */
export interface TextBlock {
  readonly text: string;
  readonly isHeading: boolean;
}

/**
 * The text of a page: its title, which is its first heading, and the strings of its content that are for the reader, in
 * the order of the document.
 * @param content JSON text
 */
export function* readText(title: string, content: string): Portions<TextBlock[]> {
  yield;
  return [
    { text: title, isHeading: true },
    { text: content, isHeading: false },
  ];
}
