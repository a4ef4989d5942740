import { TestEnvironment } from 'jest-environment-node';

/**
 * Jest's environment, and the way out of it: jest loads every module again for each test file, this only once for
 * each of its workers (see sources.ts).
 */
export default class Environment extends TestEnvironment {
  constructor(config, context) {
    super(config, context);
    this.global.outside = { process, console, load: (path) => import(path) };
  }
}
