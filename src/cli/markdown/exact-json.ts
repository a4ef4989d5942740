/**
 * JSON whose numbers survive. What a double cannot hold (12345678901234567890, 0.1 with twenty
 * digits, -0) is read as text behind a NUL character, which stands in no content otherwise, and
 * written as the number it was.
 */
const MARK = '\0';
const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.eE+-]*/g;
const MARKED = /"\\u0000([^"]*)"/g;

/** @throws SyntaxError it is no JSON */
export function parseJson(text: string): unknown {
  return JSON.parse(
    text.replace(TOKEN, (token) =>
      token.startsWith('"') || JSON.stringify(Number(token)) === token
        ? token
        : JSON.stringify(`${MARK}${token}`),
    ),
  );
}

/** Indented, with the numbers as they were. */
export const writeJson = (value: unknown): string =>
  JSON.stringify(value, null, 2).replace(MARKED, '$1');

/** True for what parseJson() made of a number that a double cannot hold. */
export const isMarked = (value: unknown): boolean =>
  typeof value === 'string' && value.startsWith(MARK);
