import { type Space, TEXT } from '../loader/job.js';
import { everyone, everyoneGrowing } from '../shapes.js';
import {
  BASE,
  calls,
  firstPage,
  firstParent,
  mixedCalls,
  type Operation,
  owner,
  shortForm,
  teamPath,
  workspacesPath,
} from './operation.js';
import { trees } from './trees.js';

const savedPage = () => ({ content: { text: TEXT, n: '{n}' } });
const newPage = (space: Space) => ({
  ...{ name: 'Page {n}', object: 'item', parent: firstParent(space) },
});

/** Requests of 200 users, each in a team of their own. */
export const MANY_USERS: readonly Operation[] = [
  {
    ...BASE,
    ...{ operationId: 'getTeamInfo' },
    ...{ name: 'getTeamInfoMany', title: '`getTeamInfo`, 200 users', light: 1.2, fair: 1.2 },
    shapes: everyone,
    scenario: calls(owner('GET', teamPath)),
  },
  {
    ...BASE,
    ...{ operationId: 'getWorkspaces' },
    ...{ name: 'getWorkspacesMany', title: '`getWorkspaces`, 200 users', light: 1, fair: 1 },
    shapes: everyone,
    scenario: calls(owner('GET', workspacesPath)),
  },
  {
    ...BASE,
    ...{ operationId: 'getCollections', cost: 'getCollections, repeated' },
    ...{ name: 'getCollectionsMany', title: '`getCollections` of 50, 200 users' },
    ...{ light: 3.5, fair: 3.5 },
    shapes: everyone,
    scenario: trees,
  },
  {
    ...BASE,
    ...{ operationId: 'updateCollection', cost: 'updateCollection, content' },
    ...{ name: 'updateCollectionMany', title: '`updateCollection`, content of 1 kB, 200 users' },
    ...{ light: 0.5, fair: 1.1 },
    shapes: everyone,
    // Each saves the page that they have open: the warm-up keeps its version, autosaves after it keep none.
    scenario: calls(
      owner('PUT', (space) => shortForm(space, `/${firstPage(space).id}`), savedPage),
    ),
  },
  {
    ...BASE,
    ...{ operationId: 'reorderItem', cost: 'reorderItem, in its list' },
    ...{ name: 'reorderItemMany', title: '`reorderItem`, 200 users', light: 0.6, fair: 1.2 },
    shapes: everyone,
    scenario: (spaces) => ({ kind: 'move', spaces }),
  },
  {
    ...BASE,
    ...{ operationId: 'createCollection', cost: 'createCollection, a page in a collection' },
    ...{ name: 'createMany', title: '`createCollection`, 200 users', light: 0.55, fair: 1.25 },
    shapes: everyoneGrowing,
    scenario: (spaces) => ({ kind: 'create', spaces }),
  },
  {
    ...BASE,
    ...{ operationId: null, name: 'mixedMany', title: 'mixed, 200 teams' },
    ...{ light: null, fair: null, servers: ['service', 'fair'] },
    shapes: everyoneGrowing,
    // Reads, tree writers and settings together: every kind of connection (src/database/pools.ts).
    scenario: mixedCalls(
      owner('GET', (space) => shortForm(space)),
      owner('GET', (space) => `/collections/${firstPage(space).id}`),
      owner('GET', teamPath),
      owner('GET', (space) => `${teamPath(space)}/members`),
      owner('PUT', (space) => shortForm(space, `/${firstPage(space).id}`), savedPage),
      owner('PUT', teamPath, () => ({ description: 'Described {n}' })),
      owner('POST', (space) => shortForm(space), newPage),
    ),
  },
];
