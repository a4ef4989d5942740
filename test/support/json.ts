import { readJson } from '@teamspaces/json-text/json-reader';

/** What a body is read as, in one go. */
export function readAll(text: string): unknown {
  const portions = readJson(text);
  for (;;) {
    const { done, value } = portions.next();
    if (done) return value;
  }
}
