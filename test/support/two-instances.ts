import { type Caller, type Person, startService, type TestService } from './app.js';
import { createTestDatabase } from './database.js';
import { holdWorkspace } from './locks.js';

/** Two instances of the service on one database. */
export interface TwoInstances {
  databaseUrl: string;
  services: [TestService, TestService];
  /** Calls with a token of this person, by each of the two. */
  as(person: Person): [Caller, Caller];
  /**
   * Sends requests that change one workspace, each by another instance, so that each has read the tree
   * as it is now before any of them writes. They write in the order given.
   * @returns their responses
   */
  atOnce<T>(workspaceId: string, requests: (() => PromiseLike<T>)[]): Promise<T[]>;
  stop(): Promise<void>;
}

/** @param env variables beside the database and the secret, the same for both */
export async function twoInstances(env: Record<string, string> = {}): Promise<TwoInstances> {
  const database = await createTestDatabase();
  const [one, two] = await Promise.all([
    startService(env, database.url),
    startService(env, database.url),
  ]);
  return {
    databaseUrl: database.url,
    services: [one, two],
    as: (person) => [one.as(person), two.as(person)],
    atOnce: async <T>(workspaceId: string, requests: (() => PromiseLike<T>)[]) => {
      const lock = await holdWorkspace(database.url, workspaceId);
      const responses: Promise<T>[] = [];
      try {
        for (const [n, request] of requests.entries()) {
          responses.push(Promise.resolve(request()));
          await lock.waiting(n + 1);
        }
      } finally {
        await lock.release();
      }
      return Promise.all(responses);
    },
    stop: async () => {
      await Promise.all([one.stop(), two.stop()]);
      await database.drop();
    },
  };
}
