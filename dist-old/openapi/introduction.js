import { KEPT_HOURS } from '../idempotency/idempotent-write.js';
/** The manual's first page: what holds for all operations. */
export const introduction = (publicUrl) => `
Teams own workspaces; workspaces hold an ordered tree of collections and pages. The
[manual](${publicUrl}/manual) explains the concepts, roles and retries in full.

| | |
| --- | --- |
| **Team** | Has a plan with limits, an invite code, and members: \`guest\`, \`member\`, \`moderator\`, \`owner\`. |
| **Workspace** | Belongs to a team; public, or private: visible to its own members alone (\`editor\`, \`reader\`). |
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

Responses about one item carry an \`ETag\`. Send it back as \`If-Match\` with a change: the change happens
only if the item is still the same; otherwise the response is 409. Send it as \`If-None-Match\` with a
read: the response is 304 without a body while nothing has changed.

## Headers of every response

| | |
| --- | --- |
| \`X-Request-Id\` | Identifies the request in the log of the service: quote it in a report. |
| \`RateLimit-Policy\` | The quota: requests in a window of seconds, such as \`"user";q=1200;w=60\`. |
| \`RateLimit\` | What is left of the quota, and for how long, such as \`"user";r=1199;t=60\`. |

## Retries

Every \`POST\` accepts an \`Idempotency-Key\`: for ${KEPT_HOURS} hours, the same key with the same request
has no further effect and returns the first response, with \`Idempotent-Replayed: true\`.

## Errors

Every error is \`{"error": {"code", "message", "doc_url"}}\`: the message is a sentence that says what to
change, the code is one of nine, and \`doc_url\` leads to [the page of errors](${publicUrl}/api-reference/errors).
400 means that the request itself is invalid, 422 that it is valid but cannot be applied to the current data.

## Limits

Bodies are 2 MiB at most, a page's content 1 MiB and 64 levels deep. Each caller has a number of
requests a minute: \`RateLimit\` says what is left, and 429 comes with \`Retry-After\` in seconds. \`limit\`
of a team is what its plan allows, \`usage\` what the team has; a limit of 0 means unlimited.
`;
//# sourceMappingURL=introduction.js.map