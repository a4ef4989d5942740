/**
 * JSON whose numbers keep their letters. JSON.parse makes a double of each number: what a double
 * does not hold (12345678901234567890, the thirtieth digit of pi, -0) would come back changed.
 */
const sources = new WeakMap<object, string>();

/** Nearly every text stops here: no digits long enough, no exponent large enough, no minus zero. */
const SUSPICIOUS = /[\d.]{16}|\d[eE][+-]?\d{2}|-0(?!\d)/;
const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\],:]|[^\s{}[\],:"]+/g;

/**
 * Remembers the text of an object's member, if JSON.stringify would write other numbers.
 * @param text the JSON that `object` was read from
 */
export function keepSource(object: object, member: string, text: string): void {
  const value: unknown = Object.getOwnPropertyDescriptor(object, member)?.value;
  if (typeof value !== 'object' || value === null || !SUSPICIOUS.test(text)) return;
  const source = sourceOf(member, text);
  if (source.some((token) => isNumber(token) && !survives(token))) {
    sources.set(value, source.map(withoutEscapes).join(''));
  }
}

/** The JSON text of a value that came in a body: its numbers as they were sent. */
export const jsonText = (value: object): string => sources.get(value) ?? JSON.stringify(value);

/** The tokens of a member's value in the JSON text of an object; of the last, where there are two. */
function sourceOf(member: string, text: string): string[] {
  let source: string[] = [];
  let depth = 0;
  let key: string | null = null;
  let isInside = false;
  for (const [token] of text.matchAll(TOKEN)) {
    if (token === '}' || token === ']') depth--;
    if (depth === 1 && token === ',') isInside = false;
    if (isInside && depth > 0) source.push(token);
    if (token === '{' || token === '[') depth++;
    if (depth !== 1 || isInside) continue;
    if (token.startsWith('"')) key = token;
    if (token === ':' && key !== null && JSON.parse(key) === member) {
      isInside = true;
      source = [];
    }
  }
  return source;
}

/** A string as JSON.stringify writes it: one value has one size, whatever escapes it came with. */
const withoutEscapes = (token: string): string =>
  token.startsWith('"') ? JSON.stringify(JSON.parse(token)) : token;

const isNumber = (token: string): boolean => /^[-\d]/.test(token);

/** True when reading a number and writing it again gives the same decimal value. */
function survives(token: string): boolean {
  const value = Number(token);
  if (Object.is(value, -0)) return false;
  return Number.isFinite(value) && canonical(token) === canonical(String(value));
}

/** A decimal number as its significant digits and a power of ten: 1.50e3 is 15 and 2. */
function canonical(number: string): string {
  const [mantissa = '', exponent = '0'] = number.toLowerCase().replace('-', '').split('e');
  const [whole = '', fraction = ''] = mantissa.split('.');
  const digits = `${whole}${fraction}`.replace(/^0+/, '');
  const significant = digits.replace(/0+$/, '');
  if (significant === '') return '0';
  const power = Number(exponent) - fraction.length + digits.length - significant.length;
  return `${significant}e${power}`;
}
