import type { Space } from '../loader/job.js';
import { perRound, shapes } from '../shapes.js';
import { BASE, calls, type Operation, owner, teamPath, workspacesPath } from './operation.js';
import { firstReads, trees } from './trees.js';

/** One user on all connections. */
export const ONE_USER: readonly Operation[] = [
  {
    ...BASE,
    ...{ operationId: 'getTeamInfo' },
    ...{ name: 'getTeamInfo', title: '`getTeamInfo`', light: 1.2, fair: 1.2 },
    shapes: () => shapes('tree', 1, 50, 19),
    scenario: calls(owner('GET', teamPath)),
  },
  {
    ...BASE,
    ...{ operationId: 'getTeams' },
    ...{ name: 'getTeams', title: '`getTeams` of 20', light: 1, fair: 1 },
    shapes: () => [],
    scenario: () => ({
      kind: 'calls',
      calls: [{ caller: 'grace', method: 'GET', path: '/teams' }],
    }),
  },
  {
    ...BASE,
    ...{ operationId: 'getWorkspaces' },
    ...{ name: 'getWorkspaces', title: '`getWorkspaces` of 50', light: 0.9, fair: 0.9 },
    shapes: () =>
      shapes('list', 50, 0, 0).map((shape, n) => ({ ...shape, team: 'lists', pages: n % 2 })),
    scenario: ([space]) => calls(owner('GET', workspacesPath))([space as Space]),
  },
  {
    ...BASE,
    ...{ operationId: 'getCollections', cost: 'getCollections, repeated' },
    ...{ name: 'getCollections', title: '`getCollections` of 1,000, repeated', connections: 8 },
    ...{ light: 30, fair: 30 },
    shapes: () => shapes('tree', 1, 50, 19),
    scenario: trees,
  },
  {
    ...BASE,
    ...{ operationId: 'getCollections', cost: 'getCollections, changed' },
    ...{ name: 'firstRead', title: '`getCollections` of 1,000, first read', connections: 8 },
    ...{ light: 1.2, fair: 1.2 },
    shapes: () => shapes('first', 32, 50, 19),
    scenario: firstReads,
  },
  {
    ...BASE,
    ...{ operationId: 'getCollections', cost: 'getCollections, changed' },
    ...{ name: 'firstRead10k', title: '`getCollections` of 10,000, first read', connections: 8 },
    ...{ light: 1.2, fair: 1.2 },
    shapes: () => shapes('first10k', 8, 500, 19),
    scenario: firstReads,
  },
  {
    ...BASE,
    ...{ operationId: 'createCollection', cost: 'createCollection, a page in a collection' },
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
    ...{ operationId: 'createCollection', cost: 'createCollection, a page in a collection' },
    ...{ name: 'createSpread', title: '`createCollection`, 50 teams', light: 0.55, fair: 1.4 },
    shapes: () =>
      shapes('space', 50, 5, 20).map((shape, n) => ({ ...shape, team: `spread-${n + 1}` })),
    scenario: (spaces) => ({ kind: 'create', spaces }),
  },
  {
    ...BASE,
    ...{ operationId: 'reorderItem', cost: 'reorderItem, in its list' },
    ...{ name: 'reorderItem', title: '`reorderItem` among 1,000 siblings', connections: 16 },
    ...{ light: 0.6, fair: 4 },
    shapes: perRound('move', 1, 1_000),
    scenario: (spaces) => ({ kind: 'move', spaces }),
  },
  {
    ...BASE,
    ...{ operationId: null },
    ...{ name: 'mixed', title: 'mixed, one workspace', light: 1.5, fair: 3 },
    // A faster server would meet a larger tree if a round were so long instead of so many.
    requestsPerSecond: 500,
    shapes: perRound('mixed', 50, 19),
    scenario: (spaces) => ({ kind: 'mixed', spaces }),
  },
  {
    ...BASE,
    ...{ operationId: 'createCollection', cost: 'createCollection, a page in a collection' },
    ...{ name: 'createAlone', title: 'one client, create: latency', connections: 1 },
    ...{ compares: 'latency', light: 2.2, fair: 1 },
    shapes: perRound('alone-create', 20, 50),
    scenario: (spaces) => ({ kind: 'create', spaces }),
  },
  {
    ...BASE,
    ...{ operationId: 'reorderItem', cost: 'reorderItem, in its list' },
    ...{ name: 'moveAlone', title: 'one client, move among 1,000: latency', connections: 1 },
    ...{ compares: 'latency', light: null, fair: 1.1 },
    shapes: perRound('alone-move', 1, 1_000),
    scenario: (spaces) => ({ kind: 'move', spaces }),
  },
];
