import { readdirSync, readFileSync } from 'node:fs';
import { golden } from '../support/golden.js';

/** Texts and templates of the source, as patterns of the ends of messages. */
function patterns(): RegExp[] {
  const files = readdirSync('src', { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.ts$/.test(file) && !/^(openapi|generated)\//.test(file))
    .map((file) => `src/${file}`);
  const literal =
    /'((?:[^'\\\n]|\\.)*)'|"((?:[^"\\\n]|\\.)*)"|`((?:[^`\\$]|\\.|\$(?!\{)|\$\{(?:[^{}`]|`[^`]*`)*\})*)`/g;
  const found: RegExp[] = [];
  for (const file of files) {
    for (const [, one, two, template] of readFileSync(file, 'utf8').matchAll(literal)) {
      const parts = (one ?? two ?? template ?? '').split(/\$\{(?:[^{}`]|`[^`]*`)*\}/);
      if (parts.join('').trim().length < 8) continue;
      const escaped = parts.map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
      found.push(new RegExp(`${escaped.join('.*')}$`, 's'));
    }
  }
  return found;
}

/** The messages in the examples of errors. */
function messagesIn(node: unknown): string[] {
  if (typeof node !== 'object' || node === null) return [];
  const { error } = node as { error?: { message?: unknown } };
  if (typeof error?.message === 'string') return [error.message];
  return Object.values(node).flatMap(messagesIn);
}

test('every message in the document is one that the source has', () => {
  const messages = [...new Set(messagesIn(golden('openapi.json')))];
  expect(messages.length).toBeGreaterThan(50);
  const known = patterns();
  expect(messages.filter((message) => !known.some((text) => text.test(message)))).toEqual([]);
});
