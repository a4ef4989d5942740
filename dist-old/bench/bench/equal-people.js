const MATE = 'check-mate';
const GUEST = 'check-guest';
const ASKED = 'check-asked';
/** A team of its own: the checks change it. */
export const PEOPLE_SHAPE = {
    ...{ owner: 'ada', team: 'people', workspace: 'space', collections: 0, pages: 0 },
    ...{ mate: MATE, guest: GUEST, invited: [ASKED] },
};
const emailOf = (subject) => `${subject}@bench.example`;
/** Reads that all three servers have. */
export async function readItemsAndPeople(send, { parents, pages }, place) {
    const [first = '', second = ''] = parents;
    await send('GET', `/collections/${pages[0]?.id}`);
    await send('GET', `/collections/${first}`);
    await send('GET', `/collections/${second}`);
    await send('GET', `/collections/by-slug/${pages[0]?.slug}?${place}`);
    await send('GET', `/collections/by-slug/chapter-2?${place}`);
    for (const limit of [1, 3, 20]) {
        await send('GET', `/collections?${place}&parent=${second}&limit=${limit}`);
    }
    await send('GET', `/collections?${place}&parent=${second}`);
    await send('GET', '/teams/people/members');
    await send('GET', '/invites');
    await send('GET', '/invites', undefined, ASKED);
}
/** Writes about people and settings. */
export async function writePeople(send) {
    await send('PUT', '/teams/people', { name: 'Folk', description: 'Who we are' });
    await send('PUT', '/teams/people', { description: null });
    await send('PUT', '/teams/people', { slug: 'folk' });
    await send('PUT', '/teams/folk', { slug: 'people' });
    await send('POST', '/teams/people/workspaces', { name: 'A new space' });
    const hidden = { name: 'Hidden', visibility: 'private', defaultAccess: 'read-only' };
    await send('POST', '/teams/people/workspaces', hidden);
    await send('POST', '/teams/people/workspaces', { name: 'Of a mate' }, MATE);
    await send('GET', '/teams/people/workspaces');
    const invite = async (...people) => {
        const invites = people.map(([subject, role]) => ({ email: emailOf(subject), role }));
        const body = await send('POST', '/teams/people/invites', { invites });
        return body.users[0]?._id ?? '';
    };
    await invite([GUEST, 'owner'], ['check-new', 'guest']);
    const id = await invite([GUEST, 'member'], ['check-other', 'moderator']);
    await send('GET', '/invites', undefined, GUEST);
    await send('POST', `/invites/${id}/accept`, undefined, 'grace');
    await send('POST', `/invites/${id}/accept`, undefined, GUEST);
    await send('GET', '/teams/people/members', undefined, GUEST);
    await send('DELETE', '/teams/people/members', { userId: await idOf(send, GUEST) }, GUEST);
    await send('GET', '/teams/people/members');
}
async function idOf(send, subject) {
    const members = (await send('GET', '/teams/people/members'));
    return members.users.find(({ name }) => name === subject)?._id ?? '';
}
/** Requests that the service rejects. */
export async function rejectedByPeople(send, { parents, pages }, place) {
    const nobody = '01999999-9999-7999-8999-999999999999';
    const inviting = (subject, caller) => {
        const invites = [{ email: emailOf(subject), role: 'member' }];
        return send('POST', '/teams/people/invites', { invites }, caller);
    };
    await send('GET', `/collections/${nobody}`);
    await send('GET', `/collections/${parents[0]}`, undefined, 'grace');
    await send('GET', `/collections/by-slug/none?${place}`);
    await send('GET', `/collections/by-slug/chapter-2?${place}`, undefined, 'grace');
    await send('GET', `/collections?${place}&parent=${nobody}&limit=2`);
    await send('GET', `/collections?${place}&parent=${pages[0]?.id}&limit=2`);
    await send('GET', '/teams/people/members', undefined, 'grace');
    await send('PUT', '/teams/people', { name: 'Mine' }, MATE);
    await send('PUT', '/teams/people', { name: 'Mine' }, 'grace');
    await send('PUT', '/teams/people', { slug: 'main' });
    await send('PUT', '/teams/none', { name: 'None' });
    await send('POST', '/teams/people/workspaces', { name: 'Mine' }, 'grace');
    await inviting('check-third', MATE);
    await inviting('check-third', 'grace');
    await inviting(MATE);
    await send('POST', `/invites/${nobody}/accept`);
}
