/**
 * Line breaks, what a terminal obeys (escapes), and what it hides or uses to reverse the direction of
 * text. Not the joiner within emoji.
 */
const UNPRINTABLE = /(?:(?!\u200d)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}])+/gu;

/** One line that a terminal shows as it is: names are what people typed. */
export function textOf(value: unknown): string {
  if (value === null) return '';
  if (value instanceof Date) return value.toISOString();
  return String(value).replace(UNPRINTABLE, ' ');
}

/** Prints lines: all text on standard output, in one place. */
export function print(...lines: string[]): void {
  if (lines.length > 0) console.log(lines.map(textOf).join('\n'));
}

/** Prints one line on standard error. */
export function warn(line: string): void {
  console.error(textOf(line));
}

/** Prints a value as JSON, over several lines. */
export function printJson(value: unknown): void {
  console.log(JSON.stringify(value, null, 2));
}

/** Prints values as JSON, one on each line. */
export function printJsonLines(values: unknown[]): void {
  if (values.length > 0) console.log(values.map((value) => JSON.stringify(value)).join('\n'));
}

/**
 * What the message of an error says, or its code. Line breaks stay, since some messages are lists: see
 * withoutBreaks().
 */
export function messageOf(error: unknown): string {
  const { message, code } = error as Error & { code?: string };
  return (message || code || String(error)).split('\n').map(textOf).join('\n');
}

/** The same error with a message of one line, for errors that name files. */
export function withoutBreaks(error: unknown): unknown {
  if (error instanceof Error) error.message = textOf(error.message);
  return error;
}
