/** A workspace as requests name it, with what a scenario does to it. */
export interface Space {
  /** The caller, who owns the team, by the subject of the token. */
  caller: string;
  /** A member of the team, and somebody who is not. */
  mate: Person;
  guest: Person;
  team: string;
  workspace: string;
  /** Collections that take new pages. */
  parents: string[];
  /** Pages in each of them, at first. */
  siblings: number;
  /** Pages to read, to save and to move. */
  pages: { id: string; parent: string; slug: string }[];
}

/** Somebody beside the caller; all empty if the scenario has no such person. */
export interface Person {
  subject: string;
  id: string;
  email: string;
}

/**
 * A request. In `path` and `body`, `{n}` becomes a number that the job uses once, and `{kept}` what an
 * earlier step of the cycle has kept.
 */
export interface Call {
  caller: string;
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  path: string;
  body?: object;
}

/** A step of a cycle: one call for each place that the cycle runs in. */
export interface Step {
  calls: Call[];
  /** Only the steps that count are measured; the others prepare them, or clean up after them. */
  counts: boolean;
  /** Path to a value of the response, such as `users.0._id`: `{kept}` in later steps. */
  keep?: string;
}

/** What the load consists of. */
export type Scenario =
  /** These requests, round robin. */
  | { kind: 'calls'; calls: Call[] }
  /** The steps, one after the other, again and again; a cycle that has started is completed. */
  | { kind: 'cycle'; steps: Step[] }
  | { kind: 'create'; spaces: Space[] }
  | { kind: 'move'; spaces: Space[] }
  | { kind: 'save'; spaces: Space[] }
  /** 70 % tree reads, 15 % page saves, 10 % creates, 5 % moves. */
  | { kind: 'mixed'; spaces: Space[] }
  /** The same, and each new page is deleted again, so that the data stays as it is. */
  | { kind: 'soak'; spaces: Space[] };

/** One value for the server's process and one for the PostgreSQL processes that work for it. */
export interface CpuTimes<T> {
  server: T;
  postgres: T;
}

export interface Job {
  port: number;
  /** Processes whose CPU time is measured: that of the server, and those of PostgreSQL for it. */
  pids: CpuTimes<readonly number[]>;
  /** Tokens by subject: those of all callers of the scenario. */
  tokens: Record<string, string>;
  connections: number;
  scenario: Scenario;
  /** Ends after this time, or after so many requests. */
  seconds?: number;
  requests?: number;
  /** Different for each job, so that no two create the same names; the same for all servers. */
  seed: number;
}

export interface Result {
  /** Requests that count, and the seconds they took. */
  requests: number;
  seconds: number;
  /** Milliseconds. */
  p50: number;
  p99: number;
  /** CPU time for a request that counts, in microseconds; null: unknown on this system. */
  cpu: CpuTimes<number | null>;
  /** Responses other than 200, the last one of them in words. */
  errors: number;
  lastError: string;
}

/** About a kilobyte of text, as pages have it. */
export const TEXT = 'The quick brown fox jumps over the lazy dog. '.repeat(20);
