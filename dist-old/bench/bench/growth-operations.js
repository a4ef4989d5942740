import { MANY_USERS } from './operations/many-users.js';
import { ONE_USER } from './operations/one-user.js';
import { BASE } from './operations/operation.js';
import { firstReads, trees } from './operations/trees.js';
/** What is measured while the number of teams grows: these, but not the largest trees. */
export const TEAM_OPERATIONS = [...ONE_USER, ...MANY_USERS].filter(({ name }) => name !== 'firstRead10k');
/** Larger workspaces are used by all rounds: a copy for each would take too long to fill. */
const LARGEST_PER_ROUND = 1_000;
/** The operations in a workspace of this many pages, all of them in one collection. */
export function operationsWithPages(pages) {
    const shape = (workspace) => ({ team: 'main', workspace, collections: 1, pages });
    const own = (name) => (round) => [
        shape(pages > LARGEST_PER_ROUND ? name : `${name}-${round}`),
    ];
    const shared = () => [shape('shared')];
    const base = { ...BASE, operationId: null, light: null, fair: null };
    return [
        {
            ...base,
            ...{ name: 'getCollections', title: '`getCollections`, repeated', connections: 2 },
            shapes: shared,
            scenario: trees,
        },
        {
            ...base,
            ...{ name: 'firstRead', title: '`getCollections`, first read', connections: 1 },
            shapes: shared,
            scenario: firstReads,
        },
        {
            ...base,
            ...{ name: 'updateCollection', title: '`updateCollection`, content', connections: 32 },
            shapes: shared,
            scenario: (spaces) => ({ kind: 'save', spaces }),
        },
        {
            ...base,
            ...{ name: 'createCollection', title: '`createCollection`', connections: 32 },
            // So many, that the largest workspaces stay about as large as they are.
            requestsPerSecond: 250,
            shapes: own('create'),
            scenario: (spaces) => ({ kind: 'create', spaces }),
        },
        {
            ...base,
            ...{ name: 'reorderItem', title: '`reorderItem`', connections: 16 },
            shapes: own('move'),
            scenario: (spaces) => ({ kind: 'move', spaces }),
        },
        {
            ...base,
            ...{ name: 'moveAlone', title: 'one client, move: latency', connections: 1 },
            compares: 'latency',
            shapes: own('alone'),
            scenario: (spaces) => ({ kind: 'move', spaces }),
        },
    ];
}
