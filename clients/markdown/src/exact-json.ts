import { isLosslessNumber, LosslessNumber, parse, stringify } from 'lossless-json';

/** Only a text with many digits, a large exponent or -0 may hold a number that a double does not. */
const SUSPICIOUS = /[\d.]{16}|\d[eE][+-]?\d{2}|-0(?!\d)/;

/**
 * Reads JSON whose numbers survive: what a double cannot hold (12345678901234567890, 0.1 with twenty
 * digits, -0) becomes a LosslessNumber.
 * @throws SyntaxError it is no JSON
 */
export function parseJson(text: string): unknown {
  if (!SUSPICIOUS.test(text)) return JSON.parse(text);
  return parse(text, undefined, {
    parseNumber: (number) =>
      JSON.stringify(Number(number)) === number ? Number(number) : new LosslessNumber(number),
  });
}

/** Indented, with the numbers as they were. */
export const writeJson = (value: unknown): string => stringify(value, undefined, 2) ?? '';

/** True for what parseJson() made of a number that a double cannot hold. */
export const isMarked: (value: unknown) => boolean = isLosslessNumber;
