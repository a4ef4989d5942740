import { deepEqual, notEqual } from 'node:assert/strict';
import { PEOPLE_SHAPE, readItemsAndPeople, rejectedByPeople, writePeople, } from './equal-people.js';
import { spacesOf } from './seed.js';
import { tokenOf } from './servers.js';
/** Workspaces of their own: the checks change them. */
export const CHECK_SHAPES = [
    { team: 'check', workspace: 'space', collections: 3, pages: 4 },
    { team: 'main', workspace: 'tree-1', collections: 50, pages: 19 },
    PEOPLE_SHAPE,
];
const PLACE = 'team_slug=check&workspace_slug=space';
/**
 * Asks all servers the same and compares their replies: the same shape and values, apart from the
 * ids and times of what was created. Refusals are asked of the service and the fair baseline only;
 * the light one checks nothing.
 * @throws AssertionError naming the first request whose replies differ
 */
export async function assertEqualResponses(servers, template) {
    const [space] = (await spacesOf(template, CHECK_SHAPES.slice(0, 1), 100));
    const replies = [];
    for (const server of servers) {
        const request = requester(server);
        const given = [];
        const send = recorder(request, given);
        await runRequests(send, space.parents, space.pages);
        await readItemsAndPeople(send, space, PLACE);
        replies.push([server.name, given]);
        if (server.name === 'light')
            continue;
        given.push(...(await refusals(request, space.parents, space.pages)));
        await writePeople(send);
        await rejectedByPeople(rejections(request, given), space, PLACE);
    }
    const [[, expected]] = replies;
    for (const [name, given] of replies) {
        for (const [n, reply] of given.entries()) {
            notEqual(reply.status, 500, `${name} fails at reply ${n + 1}`);
            deepEqual(reply, expected[n], `${name} differs from the service at reply ${n + 1}`);
        }
    }
}
/** Records responses as they are compared: what was created goes by its name, or by its email. */
function recorder(request, replies) {
    const names = new Map();
    return async (...args) => {
        const reply = await request(...args);
        const body = reply.body;
        for (const { id, _id = id, name, email = name } of [body, ...(body.users ?? [])]) {
            const isKnown = _id === undefined || names.has(_id);
            if (args[0] === 'POST' && !isKnown)
                names.set(_id, `<${email}>`);
        }
        replies.push(reply.status === 200 ? anonymous(reply, names) : statusOf(reply));
        return reply.body;
    };
}
/** Records the statuses of requests: the texts of errors are each server's own. */
const rejections = (request, replies) => async (...args) => {
    const reply = await request(...args);
    replies.push(statusOf(reply));
    return reply.body;
};
const statusOf = ({ status }) => ({ status, body: null });
async function runRequests(send, [first, second, third], pages) {
    const add = async (...args) => (await send(...args)).id ?? '';
    const move = (id, parent, index, newParent) => add('POST', `/collections/reorder?${PLACE}`, {
        ...{ id, parent, index },
        ...(newParent !== undefined && { newParent }),
    });
    const tree = () => add('GET', `/collections?${PLACE}`);
    const inFirst = pages.filter(({ parent }) => parent === first).map(({ id }) => id);
    const [one = '', two = ''] = inFirst;
    await add('GET', '/teams');
    await add('GET', '/teams', undefined, 'grace');
    await add('GET', '/teams/main');
    await add('GET', '/teams/check/workspaces');
    await add('GET', '/collections?team_slug=main&workspace_slug=tree-1');
    await tree();
    const page = {
        name: 'A new page',
        object: 'item',
        content: { type: 'doc', n: [1, { a: null }] },
    };
    const created = await add('POST', `/collections?${PLACE}`, { ...page, parent: first });
    await add('POST', `/collections?${PLACE}`, { name: 'A new chapter' });
    await add('POST', `/collections?${PLACE}`, { name: 'A new top page', object: 'item' });
    await add('PUT', `/collections/${one}?${PLACE}`, { content: { saved: true } });
    await tree();
    await move(created, first ?? '', 0);
    await tree();
    await move(one, first ?? '', 2);
    await move(two, first ?? '', 99);
    await tree();
    await move(two, first ?? '', 1, second);
    await move(third ?? '', '', 0, second);
    await tree();
}
/** What must be refused, with its status only: the words are each server's own. */
async function refusals(request, [first = '', second = '', third = ''], pages) {
    const page = pages.find(({ parent }) => parent === first)?.id ?? '';
    const nobody = '01999999-9999-7999-8999-999999999999';
    const create = (body) => request('POST', `/collections?${PLACE}`, body);
    const move = (body) => request('POST', `/collections/reorder?${PLACE}`, { index: 0, ...body });
    const replies = [
        await request('GET', '/teams/main', undefined, 'grace'),
        await request('GET', '/teams/none'),
        await request('GET', '/collections?team_slug=check&workspace_slug=none'),
        await request('GET', `/collections?${PLACE}`, undefined, 'grace'),
        await create({ parent: page }),
        await create({ parent: nobody }),
        await create({ content: {} }),
        await move({ id: nobody }),
        await move({ id: page, newParent: page }),
        await move({ id: page, parent: second }),
        await move({ id: page, object: 'collection' }),
        await move({ id: second, newParent: third }),
        await request('PUT', `/collections/${first}?${PLACE}`, { content: {} }),
    ];
    return replies.map(statusOf);
}
function requester({ port }) {
    return async (method, path, body, caller = 'ada') => {
        const response = await fetch(`http://127.0.0.1:${port}${path}`, {
            method,
            headers: {
                authorization: `Bearer ${tokenOf(caller)}`,
                ...(body && { 'content-type': 'application/json' }),
            },
            ...(body && { body: JSON.stringify(body) }),
        });
        return { status: response.status, body: await response.json() };
    };
}
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
/** Ids of what was created become its name, times become a word. */
function anonymous({ status, body }, names) {
    const plain = JSON.parse(JSON.stringify(body), (key, value) => {
        if (key === 'version')
            return '<version>';
        if (typeof value !== 'string')
            return value;
        return names.get(value) ?? (TIME.test(value) ? '<time>' : value);
    });
    return { status, body: plain };
}
