import type { Portions } from '@teamspaces/json-text/json-grammar';

/** What work in portions results in. */
export function readAtOnce<T>(portions: Portions<T>): T {
  for (;;) {
    const { done, value } = portions.next();
    if (done) return value;
  }
}
