import type { ManualSection } from '@teamspaces/manual-site/manual';
import { markdownPath } from '@teamspaces/manual-site/markdown';
import { KEPT_HOURS } from '../idempotency/idempotent-write.js';

/** The manual's first page: what holds for all operations. */
export const introduction = (publicUrl: string): string => `
Teams own workspaces; workspaces hold an ordered tree of collections and pages. The
[manual](${publicUrl}/manual) explains the concepts, roles and retries in full.

| | |
| --- | --- |
| **Team** | Has a plan with limits, an invite code, and members: \`guest\`, \`member\`, \`moderator\`, \`owner\`. |
| **Workspace** | Belongs to a team; public, or private: visible to its own members alone (\`editor\`, \`reader\`). While it is archived, its content is read-only. |
| **Collection, page** | Belongs to a workspace. A collection holds collections and pages, in an order; a page holds \`content\`, a JSON object. |

## Tokens

Send \`Authorization: Bearer <token>\` with every request. The token is a JWT of your identity
provider; everything happens on behalf of the person or service that it names. Without a valid one
the response is 401, and \`WWW-Authenticate\` says whether a token was sent. A scope that begins with
\`teamspaces:\` (\`read\`, \`write\`, \`manage\`) narrows what a token may do.

## Roles

Each operation says what it requires. Non-members of a team receive 403. A private workspace is hidden:
it and its content return 404 to everyone except its members, even to owners of the team. A workspace
role wins over the team role and over \`defaultAccess\`. \`full\` lets a member change the content; the
settings and members of a workspace require an \`editor\` (or a moderator, if it is public).

## Two forms of address

\`/collections\` names its workspace in the query: \`?team_slug=acme&workspace_slug=handbook\`. The same
operations exist under \`/teams/{team_slug}/workspaces/{workspace_slug}/collections\`. Operations on
one item (\`/collections/{id}\`) need no workspace; one that is named must hold the item.

## Order

Siblings have one order, and lists show it. New items go to the end. \`index\` is the final zero-based
position among the siblings; past the end means the end.

## Lists and paging

Lists are complete. With \`limit\` they come page by page: follow the header
\`Link: <…>; rel="next"\` until there is none. Others may insert and move items meanwhile: an item
that nobody moves is listed exactly once.

## Concurrent changes

Responses about one item, team or workspace carry an \`ETag\`. Send it back as \`If-Match\` with a change: the
change happens only if the record is still the same; otherwise the response is 409. An update, a patch or a move of
an item compares the item alone, a deletion, copy or transfer its direct children, too; changes of teams and
workspaces compare the settings. Send it as \`If-None-Match\` with a read: the response is 304 without a body while
nothing that it shows has changed. Send it unchanged: a proxy that compresses may have made it weak (\`W/"…"\`) or given
it a suffix (\`-gzip\`), which makes no difference.

## Headers of every response

| | |
| --- | --- |
| \`X-Request-Id\` | Identifies the request in the log of the service: quote it in a report. |
| \`RateLimit-Policy\` | The quota: requests in a window of seconds, such as \`"user";q=1200;w=60\`. |
| \`RateLimit\` | What is left of the quota, and for how long, such as \`"user";r=1199;t=60\`. |
| \`Cache-Control\` | \`private, no-cache\`: only your own cache may keep a response, and it must ask again, by \`If-None-Match\`. |

## Retries

Every \`POST\` and \`PATCH\` accepts an \`Idempotency-Key\`: for ${KEPT_HOURS} hours, the same key with the same request
has no further effect and returns the first response, with \`Idempotent-Replayed: true\`.

## Errors

Every error is \`{"error": {"code", "message", "doc_url"}}\`: the message is a sentence that says what to
change, the code is one of nine, and \`doc_url\` leads to [the page of errors](${publicUrl}/api-reference/errors).
400 means that the request itself is invalid, 422 that it is valid but cannot be applied to the current data.

## Limits

Bodies are 2 MiB at most and uncompressed (no \`Content-Encoding\`), a page's content 1 MiB and 64 levels deep. Each caller has a number of
requests a minute, of which each 100 KiB of a body cost one more: \`RateLimit\` says what is left, and 429
comes with \`Retry-After\` in seconds. \`limit\` of a team is what its plan allows, \`usage\` what the team
has; a limit of 0 means unlimited.
`;

const AT = 'team_slug=acme&workspace_slug=handbook';

/** First calls of a program, in an order in which each call has what it requires. */
const CALLS: [what: string, call: string, body?: object][] = [
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
 * @param manual its table of contents: each page is linked as Markdown
 */
export const llmsText = (publicUrl: string, manual: ManualSection[]): string => `# teamspaces

> Teams, workspaces, and an ordered tree of collections and pages, behind one REST API.

- Base address: ${publicUrl}
- Authentication: \`Authorization: Bearer <token>\` with every request; the token is a JWT of the identity provider
- Bodies are JSON: \`Content-Type: application/json\`
- Model Context Protocol: \`${publicUrl}/mcp\`, streamable HTTP, with the same token; its tools call this API
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
- An archived workspace (\`archivedAt\` is a time) can be read; every write of its content returns 409 until it is unarchived.
- 400 means that the request itself is wrong, 422 a valid request that cannot be applied to the current data; the message says what to do.
- 409 with \`Retry-After\` and 429: wait for that many seconds and send the same request again. Other 409: read the data again, then decide.
- Send an \`Idempotency-Key\` (a new UUID) with each POST and PATCH: after a 500 or a lost connection the same request with the same key does nothing twice.
- \`ETag\` with \`If-Match\` guards a change against changes by others (409).

## Documentation

- [OpenAPI document](${publicUrl}/openapi.json): every operation, field, bound and error; for tools that need OpenAPI 3.0, [openapi-3.0.json](${publicUrl}/openapi-3.0.json)
- [Reference](${publicUrl}/reference): the same to read, with code samples
- [Swagger UI](${publicUrl}/docs): the same to try out
- [Messages of errors](${publicUrl}/api-reference/errors): below each of the nine codes
- [Manual](${publicUrl}/${markdownPath('')}): what the service is; its pages follow, as Markdown

${manual.map((section) => sectionOf(publicUrl, section)).join('\n\n')}
`;

function sectionOf(publicUrl: string, { title, pages }: ManualSection): string {
  const links = pages.map(({ path, title, about }) => {
    const link = `- [${title}](${publicUrl}/${markdownPath(path)})`;
    return about === '' ? link : `${link}: ${about}`;
  });
  return `## ${title}\n\n${links.join('\n')}`;
}
