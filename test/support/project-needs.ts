import { findProgram, withProgram } from './programs.js';

// For projects of jest that are nothing without a program (`globals: { needs: 'haproxy' }`): if it is
// missing, each of their tests is skipped, and counted. They do not vanish.
const { needs } = globalThis as { needs?: string };
if (needs !== undefined && findProgram(needs) === null) {
  const nothing = () => undefined;
  const given = { describe, test, it };
  Object.assign(globalThis, {
    describe: withProgram(given.describe, needs, null),
    test: withProgram(given.test, needs, null),
    it: withProgram(given.it, needs, null),
    ...{ beforeAll: nothing, beforeEach: nothing, afterEach: nothing, afterAll: nothing },
  });
}
