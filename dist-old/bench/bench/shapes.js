/** Owns the teams of shapes without an owner. */
export const ADA = 'ada';
/** `count` workspaces of one shape, `<name>-1`, `<name>-2`, … in the team `main`. */
export function shapes(name, count, collections, pages) {
    return Array.from({ length: count }, (_, n) => ({
        ...{ team: 'main', workspace: `${name}-${n + 1}`, collections, pages },
    }));
}
/** A workspace for each round, so that no round finds what another one has left. */
export const perRound = (name, collections, pages) => (round) => [
    { team: 'main', workspace: `${name}-round-${round}`, collections, pages },
];
const USERS = 200;
const INVITES = 5;
/** Users who each own a team `<name>-<n>`, with a workspace `space` in it. */
const usersWith = (name, space) => Array.from({ length: USERS }, (_, n) => ({
    ...{ owner: `user-${n + 1}`, team: `${name}-${n + 1}`, workspace: 'space' },
    ...{ collections: 5, pages: 9, ...space(n) },
}));
/** Each has a workspace of 50 items. No row leaves it with more items or people than it had. */
export const everyone = () => usersWith('own', (n) => ({
    ...{ mate: `mate-${n + 1}`, guest: `guest-${n + 1}` },
    invited: Array.from({ length: INVITES }, (_, i) => `user-${((n + 1 + i) % USERS) + 1}`),
}));
/** The same with a second workspace, for rows that move items between the two. */
export const everyoneWithTwo = () => ['space', 'archive'].flatMap((workspace) => usersWith('two', () => ({ workspace })));
/** The same for rows that add items. */
export const everyoneGrowing = () => usersWith('growing', () => ({}));
/** Each has a workspace of one collection with 50 pages of a kilobyte. */
export const everyoneWide = () => usersWith('wide', () => ({ collections: 1, pages: 50, sentences: 45 }));
/** Each has an empty workspace; for rows that add to the team: other teams for each round. */
export const everyonePerRound = (name) => (round) => usersWith(`${name}-${round}`, () => ({ collections: 0, pages: 0 }));
