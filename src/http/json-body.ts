import { isUtf8 } from 'node:buffer';
import type { FastifyInstance } from 'fastify';
import { badRequest } from '../errors/domain-error.js';

/** Largest request body (decisions, section 8.2). */
export const MAX_BODY_BYTES = 2 * 1024 * 1024;

/**
 * Makes JSON the only body that is read. Our own parser, because Fastify's strips keys named
 * `constructor` without a word and refuses `__proto__`, and a page's content must come back whole.
 * JSON.parse makes them own properties; nothing here copies them by assignment.
 */
export function acceptOnlyJson(fastify: FastifyInstance): void {
  fastify.removeAllContentTypeParsers();
  fastify.addContentTypeParser(
    'application/json',
    { parseAs: 'buffer', bodyLimit: MAX_BODY_BYTES },
    (_request, body, done) => {
      try {
        done(null, parse(body as Buffer));
      } catch (error) {
        done(error as Error);
      }
    },
  );
}

function parse(body: Buffer): unknown {
  if (body.length === 0) return undefined;
  if (!isUtf8(body)) throw badRequest('the body must be UTF-8');
  const text = body.toString('utf8');
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw badRequest('the body must be valid JSON');
  }
  if (typeof value === 'object' && value !== null && mayBeInexact(text)) {
    const content = (value as { content?: unknown }).content;
    if (typeof content === 'object' && content !== null) inexact.add(content);
  }
  return value;
}

const inexact = new WeakSet<object>();

/**
 * True when the JSON that `content` was read from holds a number that a double cannot represent,
 * such as 1e400 or 12345678901234567890: it would come back changed.
 */
export function hasInexactNumber(content: object): boolean {
  return inexact.has(content);
}

const TOKENS = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

function mayBeInexact(text: string): boolean {
  // Nearly every body stops here: no digits long enough, no exponent large enough.
  if (!/[\d.]{16}|\d[eE][+-]?\d{2}/.test(text)) return false;
  for (const [token] of text.matchAll(TOKENS)) {
    if (!token.startsWith('"') && !isExact(token)) return true;
  }
  return false;
}

/** True when reading a number and writing it again gives the same decimal value. */
function isExact(token: string): boolean {
  const value = Number(token);
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
