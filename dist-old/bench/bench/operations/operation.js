import { everyone } from '../shapes.js';
export const BASE = { connections: 32, compares: 'rate' };
/** The golden costs have both forms of a path under the name of the short one. */
export const costName = ({ cost, operationId }) => cost ?? operationId?.replace(/InWorkspace$/, '') ?? null;
/** A row of the service alone, with 200 users. */
export const serviceRow = (operationId, scenario, { details = '', ...rest } = {}) => ({
    ...BASE,
    ...{ name: operationId, operationId, title: `\`${operationId}\`${details}, 200 users` },
    ...{ light: null, fair: null, servers: ['service'] },
    ...{ shapes: everyone, scenario },
    ...rest,
});
/** One call for each space, round robin. */
export const calls = (...all) => (spaces) => ({
    kind: 'calls',
    calls: all.flatMap((call) => spaces.map(call)),
});
/** The same kinds of calls, one after the other, each in another space. */
export const mixedCalls = (...kinds) => (spaces) => {
    const distance = Math.ceil(spaces.length / kinds.length);
    const at = (n) => spaces[n % spaces.length];
    return {
        kind: 'calls',
        calls: spaces.flatMap((_, n) => kinds.map((call, kind) => call(at(n + kind * distance)))),
    };
};
/** Steps in each space: see Scenario. */
export const cycle = (...steps) => (spaces) => ({
    kind: 'cycle',
    steps: steps.map(({ call, ...step }) => ({ ...step, calls: spaces.map(call) })),
});
/** A step that is measured. `keep`: see Step. */
export const counted = (call, keep) => step(call, true, keep);
/** A step that prepares or cleans up. */
export const uncounted = (call, keep) => step(call, false, keep);
const step = (call, counts, keep) => ({
    ...{ call, counts },
    ...(keep !== undefined && { keep }),
});
const by = (subject) => (method, path, body) => (space) => ({
    ...{ caller: subject(space), method, path: path(space) },
    ...(body && { body: body(space) }),
});
/** A call of the owner of the team. */
export const owner = by(({ caller }) => caller);
/** A call of somebody outside of the team. */
export const guest = by((space) => space.guest.subject);
export const teamPath = ({ team }) => `/teams/${team}`;
export const workspacesPath = ({ team }) => `/teams/${team}/workspaces`;
export const workspacePath = ({ team, workspace }) => `/teams/${team}/workspaces/${workspace}`;
export const shortForm = ({ team, workspace }, path = '') => `/collections${path}?team_slug=${team}&workspace_slug=${workspace}`;
export const longForm = (space, path = '') => `${workspacePath(space)}/collections${path}`;
export const firstParent = ({ parents }) => parents[0];
export const firstPage = ({ pages }) => pages[0];
