import type { Scenario, Space } from './loader/job.js';
import { ADA, type Shape } from './seed.js';

/** An operation of the benchmark. */
export interface Operation {
  name: string;
  title: string;
  connections: number;
  /**
   * What is compared: requests a second (service / baseline, at least the bound), or the median
   * latency (service / baseline, at most the bound).
   */
  compares: 'rate' | 'latency';
  /** Bounds; null: none. */
  light: number | null;
  fair: number | null;
  /** Requests for each second of a round, where a round is so many instead of so long. */
  requestsPerSecond?: number;
  /** The workspaces that a round works on. Round 0 warms up. */
  shapes(round: number): Shape[];
  scenario(spaces: Space[]): Scenario;
}

const CHAPTERS = { collections: 50, pages: 19 };

/** `count` workspaces of one shape, `<name>-1`, `<name>-2`, … in the team `main`. */
function shapes(name: string, count: number, collections: number, pages: number): Shape[] {
  return Array.from({ length: count }, (_, n) => ({
    ...{ team: 'main', workspace: `${name}-${n + 1}`, collections, pages },
  }));
}

/** A workspace for each round, so that no round finds what another one has left. */
const perRound =
  (name: string, collections: number, pages: number) =>
  (round: number): Shape[] => [
    { team: 'main', workspace: `${name}-round-${round}`, collections, pages },
  ];

/** One GET for each space, by its caller. */
const gets =
  (path: (space: Space) => string) =>
  (spaces: Space[]): Scenario => ({
    kind: 'get',
    gets: spaces.map((space) => ({ caller: space.caller, path: path(space) })),
  });

/** Reads of whole trees. */
export const trees = gets(
  ({ team, workspace }) => `/collections?team_slug=${team}&workspace_slug=${workspace}`,
);

const BASE = { connections: 32, compares: 'rate' } as const;

/** Users who each own a team, with a workspace of 50 items in it. */
const USERS = 200;
const everyone = (): Shape[] =>
  Array.from({ length: USERS }, (_, n) => ({
    ...{ owner: `user-${n + 1}`, team: `own-${n + 1}`, workspace: 'space' },
    ...{ collections: 5, pages: 9 },
  }));

/** Operations, connections and bounds of the project's target for its speed. */
export const OPERATIONS: readonly Operation[] = [
  {
    ...BASE,
    ...{ name: 'getTeamInfo', title: '`getTeamInfo`', light: 1.15, fair: 1.15 },
    shapes: () => shapes('tree', 1, 50, 19),
    scenario: gets(({ team }) => `/teams/${team}`),
  },
  {
    ...BASE,
    ...{ name: 'getTeams', title: '`getTeams` of 20', light: 0.9, fair: 0.9 },
    shapes: () => [],
    scenario: () => ({ kind: 'get', gets: [{ caller: 'grace', path: '/teams' }] }),
  },
  {
    ...BASE,
    ...{ name: 'getWorkspaces', title: '`getWorkspaces` of 50', light: 0.9, fair: 0.9 },
    shapes: () =>
      shapes('list', 50, 0, 0).map((shape, n) => ({ ...shape, team: 'lists', pages: n % 2 })),
    scenario: () => ({ kind: 'get', gets: [{ caller: ADA, path: '/teams/lists/workspaces' }] }),
  },
  {
    ...BASE,
    ...{ name: 'getCollections', title: '`getCollections` of 1,000, repeated', connections: 8 },
    ...{ light: 30, fair: 30 },
    shapes: () => shapes('tree', 1, 50, 19),
    scenario: trees,
  },
  {
    ...BASE,
    ...{ name: 'firstRead', title: '`getCollections` of 1,000, first read', connections: 8 },
    ...{ light: 1.2, fair: 1.2 },
    shapes: () => shapes('first', 32, 50, 19),
    scenario: (spaces) => ({ kind: 'firstRead', spaces }),
  },
  {
    ...BASE,
    ...{ name: 'firstRead10k', title: '`getCollections` of 10,000, first read', connections: 8 },
    ...{ light: 1.2, fair: 1.2 },
    shapes: () => shapes('first10k', 8, 500, 19),
    scenario: (spaces) => ({ kind: 'firstRead', spaces }),
  },
  {
    ...BASE,
    ...{
      name: 'createCollection',
      title: '`createCollection`, one workspace',
      light: 1.5,
      fair: 3,
    },
    shapes: perRound('create', 20, 50),
    scenario: (spaces) => ({ kind: 'create', spaces }),
  },
  {
    ...BASE,
    ...{ name: 'createSpread', title: '`createCollection`, 50 teams', light: 0.5, fair: 1 },
    shapes: () =>
      shapes('space', 50, 5, 20).map((shape, n) => ({ ...shape, team: `spread-${n + 1}` })),
    scenario: (spaces) => ({ kind: 'create', spaces }),
  },
  {
    ...BASE,
    ...{ name: 'reorderItem', title: '`reorderItem` among 1,000 siblings', connections: 16 },
    ...{ light: 0.5, fair: 3 },
    shapes: perRound('move', 1, 1_000),
    scenario: (spaces) => ({ kind: 'move', spaces }),
  },
  {
    ...BASE,
    ...{ name: 'mixed', title: 'mixed, one workspace', light: 1.5, fair: 3 },
    // A faster server would meet a larger tree if a round were so long instead of so many.
    requestsPerSecond: 500,
    shapes: perRound('mixed', CHAPTERS.collections, CHAPTERS.pages),
    scenario: (spaces) => ({ kind: 'mixed', spaces }),
  },
  {
    ...BASE,
    ...{ name: 'createAlone', title: 'one client, create: latency', connections: 1 },
    ...{ compares: 'latency', light: null, fair: 1.1 },
    shapes: perRound('alone-create', 20, 50),
    scenario: (spaces) => ({ kind: 'create', spaces }),
  },
  {
    ...BASE,
    ...{ name: 'moveAlone', title: 'one client, move among 1,000: latency', connections: 1 },
    ...{ compares: 'latency', light: null, fair: 1.1 },
    shapes: perRound('alone-move', 1, 1_000),
    scenario: (spaces) => ({ kind: 'move', spaces }),
  },
  {
    ...BASE,
    ...{ name: 'getTeamInfoMany', title: '`getTeamInfo`, 200 users', light: 1.2, fair: 1.2 },
    shapes: everyone,
    scenario: gets(({ team }) => `/teams/${team}`),
  },
  {
    ...BASE,
    ...{ name: 'getWorkspacesMany', title: '`getWorkspaces`, 200 users', light: 1, fair: 1 },
    shapes: everyone,
    scenario: gets(({ team }) => `/teams/${team}/workspaces`),
  },
  {
    ...BASE,
    ...{ name: 'getCollectionsMany', title: '`getCollections` of 50, 200 users' },
    ...{ light: 2.5, fair: 2.5 },
    shapes: everyone,
    scenario: trees,
  },
  {
    ...BASE,
    ...{ name: 'updateCollectionMany', title: '`updateCollection`, content, 200 users' },
    ...{ light: 0.6, fair: 1.2 },
    shapes: everyone,
    scenario: (spaces) => ({ kind: 'save', spaces }),
  },
  {
    ...BASE,
    ...{ name: 'reorderItemMany', title: '`reorderItem`, 200 users', light: 0.6, fair: 1.2 },
    shapes: everyone,
    scenario: (spaces) => ({ kind: 'move', spaces }),
  },
  {
    ...BASE,
    ...{ name: 'createMany', title: '`createCollection`, 200 users', light: 0.6, fair: 1.2 },
    shapes: everyone,
    scenario: (spaces) => ({ kind: 'create', spaces }),
  },
];
