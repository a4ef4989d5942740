import { join } from 'node:path';

interface Outside {
  /** What modules outside know by these names. */
  process: NodeJS.Process;
  console: Console;
  load(path: string): Promise<unknown>;
}

/** What lies outside jest's registry of modules: environment.js. */
export const { outside } = globalThis as unknown as { outside: Outside };

/**
 * A module of src/, as global-setup.ts transpiled it. Loaded once for each of jest's workers: the whole service
 * costs each test file that imports it two seconds. Its classes are not those that a test file imports.
 * @param path below src/
 */
export const source = <Module>(path: string): Promise<Module> =>
  outside.load(join(String(process.env.TEST_SOURCES), path)) as Promise<Module>;
