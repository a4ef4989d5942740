import { everyone, everyonePerRound, everyoneWide } from '../shapes.js';
import { acceptInvite, guestLeaves, inviteGuest } from './invites.js';
import { BASE, calls, counted, cycle, firstPage, firstParent, owner, shortForm, teamPath, workspacesPath, } from './operation.js';
/** Nobody would write these without a transaction: the light baseline has none of them. */
const SERVICE_AND_FAIR = { light: null, fair: 0.8, servers: ['service', 'fair'] };
/** Reads of items and of people, and writes about people and settings, of 200 users. */
export const COMPARED = [
    {
        ...BASE,
        ...{ name: 'getCollection', operationId: 'getCollection' },
        ...{ title: '`getCollection`, page of 1 kB, 200 users', light: 1, fair: 1.1 },
        shapes: everyoneWide,
        scenario: calls(owner('GET', (space) => `/collections/${firstPage(space).id}`)),
    },
    {
        ...BASE,
        ...{ name: 'getCollection50', operationId: 'getCollection' },
        ...{ title: '`getCollection`, 50 children, 200 users', light: 0.9, fair: 0.9 },
        shapes: everyoneWide,
        scenario: calls(owner('GET', (space) => `/collections/${firstParent(space)}`)),
    },
    {
        ...BASE,
        ...{ name: 'getCollectionBySlug', operationId: 'getCollectionBySlug' },
        ...{ title: '`getCollectionBySlug`, page of 1 kB, 200 users', light: 1, fair: 1.1 },
        shapes: everyoneWide,
        scenario: calls(owner('GET', (space) => shortForm(space, `/by-slug/${firstPage(space).slug}`))),
    },
    {
        ...BASE,
        ...{ name: 'getPart', operationId: 'getCollections', cost: 'getCollections, parent' },
        ...{ title: '`getCollections`, 20 of 50 children, 200 users', light: 0.9, fair: 0.9 },
        shapes: everyoneWide,
        scenario: calls(owner('GET', (space) => `${shortForm(space)}&parent=${firstParent(space)}&limit=20`)),
    },
    {
        ...BASE,
        ...{ name: 'getTeamMembers', operationId: 'getTeamMembers' },
        ...{ title: '`getTeamMembers` of 2, 200 users', light: 0.9, fair: 1 },
        shapes: everyone,
        scenario: calls(owner('GET', (space) => `${teamPath(space)}/members`)),
    },
    {
        ...BASE,
        ...{ name: 'getMyInvites', operationId: 'getMyInvites' },
        ...{ title: '`getMyInvites` of 5, 200 users', light: 0.9, fair: 1 },
        shapes: everyone,
        scenario: calls(owner('GET', () => '/invites')),
    },
    {
        ...BASE,
        ...SERVICE_AND_FAIR,
        ...{ name: 'updateTeam', operationId: 'updateTeam', title: '`updateTeam`, 200 users' },
        shapes: everyone,
        scenario: calls(owner('PUT', teamPath, () => ({ description: 'Described {n}' }))),
    },
    {
        ...BASE,
        ...SERVICE_AND_FAIR,
        ...{ name: 'createWorkspace', operationId: 'createWorkspace' },
        title: '`createWorkspace`, 200 users',
        shapes: everyonePerRound('workspaces'),
        scenario: calls(owner('POST', workspacesPath, () => ({ name: 'Space {n}' }))),
    },
    {
        ...BASE,
        ...SERVICE_AND_FAIR,
        ...{ name: 'sendTeamInvites', operationId: 'sendTeamInvites' },
        title: '`sendTeamInvites`, one, 200 users',
        shapes: everyonePerRound('invites'),
        scenario: calls(owner('POST', (space) => `${teamPath(space)}/invites`, () => ({ invites: [{ email: 'new-{n}@bench.example', role: 'member' }] }))),
    },
    {
        ...BASE,
        ...SERVICE_AND_FAIR,
        ...{ name: 'acceptInvite', operationId: 'acceptInvite', title: '`acceptInvite`, 200 users' },
        shapes: everyone,
        scenario: cycle(inviteGuest, counted(acceptInvite), guestLeaves),
    },
];
