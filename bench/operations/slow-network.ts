import { DELAY_MS } from '../servers.js';
import { everyone, perRound } from '../shapes.js';
import { BASE, calls, firstPage, type Operation, owner, shortForm, teamPath } from './operation.js';

/** A row of one client, whose latency is mostly the network between the server and PostgreSQL. */
const row = (
  name: string,
  operationId: string,
  details = '',
): Omit<Operation, 'shapes' | 'scenario'> => ({
  ...BASE,
  ...{ name, operationId, connections: 1, isDelayed: true },
  title: `\`${operationId}\`${details}, one client, ${DELAY_MS} ms each way: latency`,
  ...{ compares: 'latency', light: null, fair: null },
});

/** What the round trips of a request cost where the database is on another machine. */
export const SLOW_NETWORK: readonly Operation[] = [
  {
    ...row('getTeamInfoFar', 'getTeamInfo'),
    shapes: perRound('far-read', 1, 50),
    scenario: calls(owner('GET', teamPath)),
  },
  {
    ...row('getCollectionFar', 'getCollection', ', page'),
    shapes: perRound('far-read', 1, 50),
    scenario: calls(owner('GET', (space) => shortForm(space, `/${firstPage(space).id}`))),
  },
  {
    ...row('createFar', 'createCollection'),
    cost: 'createCollection, a page in a collection',
    shapes: perRound('far-create', 20, 50),
    scenario: (spaces) => ({ kind: 'create', spaces }),
  },
  {
    ...row('updateCollectionFar', 'updateCollection', ', content of 1 kB'),
    cost: 'updateCollection, content',
    shapes: perRound('far-save', 1, 50),
    scenario: (spaces) => ({ kind: 'save', spaces }),
  },
  {
    ...row('reorderItemFar', 'reorderItem'),
    cost: 'reorderItem, in its list',
    shapes: perRound('far-move', 1, 50),
    scenario: (spaces) => ({ kind: 'move', spaces }),
  },
  {
    ...row('updateTeamFar', 'updateTeam'),
    servers: ['service', 'fair'],
    shapes: everyone,
    scenario: calls(owner('PUT', teamPath, () => ({ description: 'Described {n}' }))),
  },
];
