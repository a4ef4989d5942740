const AT = 'team_slug=acme&workspace_slug=handbook';
/** First calls of a program, in an order in which each call has what it requires. */
const CALLS = [
    ['Who the token names', 'GET /me'],
    ['Create a team; the caller is its owner', 'POST /teams', { name: 'Acme', slug: 'acme' }],
    ['Create a workspace', 'POST /teams/acme/workspaces', { name: 'Handbook' }],
    [
        'Create a tree, up to 1,000 items, all or none; a page is an `item`',
        `POST /collections/batch?${AT}`,
        {
            items: [
                { name: 'Guides', children: [{ name: 'Holidays', object: 'item' }] },
                { name: 'First day', object: 'item', content: { text: 'Welcome!' } },
            ],
        },
    ],
    ['Read the whole tree, in order, without content', `GET /collections?${AT}`],
    ['Read one page, with its content', `GET /collections/by-slug/first-day?${AT}`],
    [
        'Save the content of a page',
        'PUT /collections/<id of First day>',
        { content: { text: 'Welcome to Acme!' } },
    ],
    [
        'Move it into a collection, to the front',
        `POST /collections/reorder?${AT}`,
        { id: '<id of First day>', index: 0, newParent: '<id of Guides>' },
    ],
    [
        'Put a whole list in order',
        `PUT /collections/order?${AT}`,
        { parent: '<id of Guides>', children: ['<id of Holidays>', '<id of First day>'] },
    ],
    [
        'Invite somebody',
        'POST /teams/acme/invites',
        { invites: [{ email: 'bob@example.com', role: 'member' }] },
    ],
];
/**
 * A short guide to calling the service, for language models, in the format of llmstxt.org.
 */
export const llmsText = (publicUrl) => `# teamspaces

> Teams, workspaces, and an ordered tree of collections and pages, behind one REST API.

- Base address: ${publicUrl}
- Authentication: \`Authorization: Bearer <token>\` with every request; the token is a JWT of the identity provider
- Bodies are JSON: \`Content-Type: application/json\`
- A team owns workspaces; a workspace holds a tree of collections and pages; a page holds \`content\`, a JSON object

## Ten calls

${CALLS.map(([what, call, body], n) => {
    const sent = body ? ` \`${JSON.stringify(body)}\`` : '';
    return `${n + 1}. ${what}: \`${call}\`${sent}`;
}).join('\n')}

## Pitfalls

- Every success is 200, creation included.
- Teams and workspaces have \`_id\` and are addressed by slug; collections and pages have \`id\` and are addressed by it.
- \`object\` is \`collection\` or \`item\`; an \`item\` is a page. Without \`object\`, a collection is created.
- Requests have \`visibility\`, responses \`Visibility\`. Unknown properties are rejected by name.
- \`index\` counts from 0, after the move; past the end means the end. \`parent\` of reorder is the current parent, \`newParent\` the new one; \`null\` or \`""\` is the top level.
- The tree is complete without \`limit\`. With it, follow the header \`Link: <…>; rel="next"\` until there is none.
- A private workspace in which you have no role returns 404, even to owners of the team.
- 400 means that the request itself is wrong, 422 a valid request that cannot be applied to the current data; the message says what to do.
- 409 with \`Retry-After\` and 429: wait for that many seconds and send the same request again. Other 409: read the data again, then decide.
- Send an \`Idempotency-Key\` (a new UUID) with each POST: after a 500 or a lost connection the same request with the same key does nothing twice.
- \`ETag\` with \`If-Match\` guards a change against changes by others (409).

## Documentation

- [Manual](${publicUrl}/manual): concepts, roles, ordering, retries, and how to run the service
- [OpenAPI document](${publicUrl}/openapi.json): every operation, field, bound and error; for tools that need OpenAPI 3.0, [openapi-3.0.json](${publicUrl}/openapi-3.0.json)
- [Reference](${publicUrl}/reference): the same to read, with code samples
- [Swagger UI](${publicUrl}/docs): the same to try out
- [Errors](${publicUrl}/api-reference/errors): the nine codes, and what to do about each
`;
//# sourceMappingURL=llms.js.map