/** A workspace as requests name it, with what a scenario does to it. */
export interface Space {
  /** The caller, by the subject of the token. */
  caller: string;
  team: string;
  workspace: string;
  /** Collections that take new pages. */
  parents: string[];
  /** Pages in each of them, at first. */
  siblings: number;
  /** Pages to save and to move. */
  pages: { id: string; parent: string }[];
}

export interface Get {
  caller: string;
  path: string;
}

/** What the load consists of. */
export type Scenario =
  /** These GET requests, one after the other. */
  | { kind: 'get'; gets: Get[] }
  /** Each tree is changed (not counted), then read (counted). */
  | { kind: 'firstRead'; spaces: Space[] }
  | { kind: 'create'; spaces: Space[] }
  | { kind: 'move'; spaces: Space[] }
  | { kind: 'save'; spaces: Space[] }
  /** 70 % tree reads, 15 % page saves, 10 % creates, 5 % moves. */
  | { kind: 'mixed'; spaces: Space[] }
  /** The same, and each new page is deleted again, so that the data stays as it is. */
  | { kind: 'soak'; spaces: Space[] };

export interface Job {
  port: number;
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
  /** Answers other than 200, the last one of them in words. */
  errors: number;
  lastError: string;
}
