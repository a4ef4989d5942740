// biome-ignore-all format: written by a test, UPDATE_GOLDEN=1 npm test -- test/contract/messages
import type { ErrorCode } from '../errors/domain-error.js';

type Messages = Partial<Record<ErrorCode, readonly string[]>>;

interface RecordedErrors {
  /** What every operation may return, and one message of each code. */
  shared: Messages;
  /** What every operation may return that takes an Idempotency-Key. */
  keyed: Messages;
  /** What else each operation has returned, by its id. */
  operations: Record<string, Messages>;
}

/** Error messages that requests have caused in test/contract/messages: one of each kind. */
export const RECORDED_ERRORS: RecordedErrors = {
  "shared": {
    "bad_request": [
      "Id is not a known property, did you mean id?",
      "more is not a known property: leave it out",
      "q must be given once",
      "id must be a string",
      "body[0] must be a JSON object",
      "children holds too many objects: a body holds at most 2500 objects and lists",
      "url must not contain the character NUL",
      "key must be well-formed Unicode, without lone surrogates",
      "teamId must be the id of the team that team_slug names",
      "team_slug in the query must be the one in the path",
      "the Content-Type must be application/json",
      "the URL is malformed: it must be percent-encoded UTF-8",
      "the body must be UTF-8",
      "the body must be valid JSON",
      "the body must be at most 2 MiB",
      "the body must be nested at most 200 objects and 200 lists deep",
      "the body must hold at most 25000 objects, lists and commas outside content",
      "the extensions of a chunk are too large: send none",
      "the header Content-Encoding must be identity: send the body uncompressed",
      "the header Expect must be 100-continue",
      "the header Host is required",
      "the headers are too large: they must be at most 32 KiB in all",
      "the request is malformed: check its headers and its body",
      "the request is not valid HTTP: check the client or proxy that sent it",
      "the request took too long to arrive: send its headers within 15 seconds, and all of it within 60"
    ],
    "unauthorized": [
      "send a token in the header Authorization: Bearer <token>",
      "the header Authorization holds the word Bearer twice: send Bearer <token>",
      "the header Authorization must be Bearer <token>",
      "the token has expired: get a new one from your identity provider",
      "the token is not valid: get a new one from your identity provider",
      "the token must be at most 15360 characters",
      "the token's claim iss is missing or not valid: have the identity provider send it",
      "the token's claim scp is not valid: it must be a string or a list of strings"
    ],
    "forbidden": [
      "you are not a member of this team: ask for an invite",
      "the token lacks the scope teamspaces:read: get one that has it"
    ],
    "not_found": [
      "route not found: check the method and the path against /openapi.json"
    ],
    "conflict": [
      "slug acme is already taken: choose another one",
      "this data is busy with changes by others, and nothing has happened: try again in a second",
      "the Idempotency-Key has just expired: try again",
      "your user record has just been erased: send the request again"
    ],
    "invite_expired": [
      "the invite has expired: ask for a new one"
    ],
    "unprocessable_entity": [
      "parent must be a collection, not a page"
    ],
    "rate_limit_exceeded": [
      "more than 1200 requests in a minute: try again in 7 seconds"
    ],
    "internal_server_error": [
      "the service failed to process this request: try again, or give its operator the X-Request-Id",
      "the outcome of this change is unknown, since it was not confirmed in time: read the data again, or try again: a retry with the same Idempotency-Key is safe",
      "the keys of the identity provider cannot be fetched now: try again"
    ]
  },
  "keyed": {
    "bad_request": [
      "Idempotency-Key must be 1 to 255 visible ASCII characters"
    ],
    "conflict": [
      "a request with this Idempotency-Key is in progress: try again"
    ],
    "unprocessable_entity": [
      "the Idempotency-Key was used for another request: use a new one"
    ]
  },
  "operations": {
    "acceptInvite": {
      "forbidden": [
        "your email is not verified by the identity provider: verify it there and get a new token",
        "the free plan's limit of 20 users (limit.users) is reached: remove some users or change the plan",
        "a person can own at most 100 teams: make someone else an owner of one and leave it"
      ],
      "not_found": [
        "invite not found: ask for a new one"
      ],
      "conflict": [
        "you are already a member of this team: there is no need to join",
        "the invite was already accepted: to undo that, remove the member from the team"
      ],
      "invite_expired": [
        "the invite has expired: ask for a new one"
      ]
    },
    "addWorkspaceMembers": {
      "bad_request": [
        "body[0].Role is not a known property, did you mean role?",
        "body[0].role is required",
        "body[0].email must be 1 to 320 characters",
        "body[0].role must be one of editor, reader",
        "body[1].email is already in the list: name each once",
        "body[0].email must be an email address",
        "the body must be a list of 1 to 100 objects"
      ],
      "forbidden": [
        "you are not a member of this team: ask for an invite",
        "this requires the workspace role editor: ask one of its editors for it"
      ],
      "not_found": [
        "team not found: check its slug",
        "workspace not found: check its slug, or ask one of its editors to add you"
      ],
      "conflict": [
        "a private workspace needs an editor: make someone else one first"
      ],
      "unprocessable_entity": [
        "each email must be the verified one of exactly one team member: zoe@example.com"
      ]
    },
    "applyCollections": {
      "bad_request": [
        "Items is not a known property, did you mean items?",
        "items is required",
        "prune must be true or false",
        "items[0].key must be 1 to 512 characters",
        "items[0].object must be one of collection, item",
        "items must be a list of 1 to 1000 objects",
        "items[0].children[0].key is already in the manifest: name each once",
        "items must hold at most 1000 in all",
        "items[0].name must not be blank",
        "items[0].key must not contain control characters",
        "items[0].content must be at most 1 MiB of JSON",
        "items[0].content must be nested at most 64 deep",
        "team_slug (or teamId) and workspace_slug must be given in the query"
      ],
      "forbidden": [
        "you are not a member of this team: ask for an invite",
        "you have read-only access to this workspace: ask one of its editors for the role editor",
        "the free plan's limit of 1000 pages (limit.pages) is reached: remove some pages or change the plan"
      ],
      "not_found": [
        "team not found: check its slug",
        "workspace not found: check its slug, or ask one of its editors to add you",
        "parent not found: check the id"
      ],
      "conflict": [
        "If-Match is not the current ETag: the list has changed, read it again",
        "prune would delete 019a3f0e-6c1f-7cc3-9d0b-2f6f7a8b9c30, which has no key or which the manifest places elsewhere: move it first, or apply without prune",
        "workspace Handbook is archived: unarchive it to change its content"
      ],
      "unprocessable_entity": [
        "parent must be a collection, not a page",
        "items[0] must not be the item itself or lie in its own subtree",
        "items[0] is too deep: nesting goes at most 128 levels deep",
        "items[0].content can only be given for a page (object item)",
        "items[0].children can only be given for a collection, not a page",
        "parent must hold at most 50000 items to compare with the manifest: apply parts of the tree",
        "prune would delete more than 20000 items: delete parts of them first, or apply parts of the tree",
        "items[0].object must be collection, which the item is"
      ]
    },
    "archiveWorkspace": {
      "forbidden": [
        "you are not a member of this team: ask for an invite",
        "this requires the workspace role editor: ask one of its editors for it"
      ],
      "not_found": [
        "team not found: check its slug",
        "workspace not found: check its slug, or ask one of its editors to add you"
      ]
    },
    "createCollection": {
      "bad_request": [
        "Key is not a known property, did you mean key?",
        "key must be 1 to 512 characters",
        "object must be one of collection, item",
        "index must be a whole number from 0",
        "name must not be blank",
        "key must not contain control characters",
        "content must be at most 1 MiB of JSON",
        "content must be nested at most 64 deep",
        "content must not hold a number beyond 1.8e308",
        "team_slug (or teamId) and workspace_slug must be given in the query"
      ],
      "forbidden": [
        "you are not a member of this team: ask for an invite",
        "you have read-only access to this workspace: ask one of its editors for the role editor",
        "the free plan's limit of 1000 pages (limit.pages) is reached: remove some pages or change the plan"
      ],
      "not_found": [
        "team not found: check its slug",
        "workspace not found: check its slug, or ask one of its editors to add you",
        "parent not found: check the id"
      ],
      "conflict": [
        "key is taken: another item of the workspace has it",
        "workspace Handbook is archived: unarchive it to change its content"
      ],
      "unprocessable_entity": [
        "parent must be a collection, not a page",
        "parent is too deep: nesting goes at most 128 levels deep",
        "content can only be given for a page (object item)"
      ]
    },
    "createCollections": {
      "bad_request": [
        "Index is not a known property, did you mean index?",
        "items is required",
        "items[0].key must be 1 to 512 characters",
        "items[0].object must be one of collection, item",
        "index must be a whole number from 0",
        "items must be a list of 1 to 1000 objects",
        "items must hold at most 1000 in all",
        "items[0].name must not be blank",
        "items[0].key must not contain control characters",
        "items[0].content must be at most 1 MiB of JSON",
        "items[0].content must be nested at most 64 deep",
        "team_slug (or teamId) and workspace_slug must be given in the query"
      ],
      "forbidden": [
        "you are not a member of this team: ask for an invite",
        "you have read-only access to this workspace: ask one of its editors for the role editor",
        "the free plan's limit of 1000 pages (limit.pages) is reached: remove some pages or change the plan"
      ],
      "not_found": [
        "team not found: check its slug",
        "workspace not found: check its slug, or ask one of its editors to add you",
        "parent not found: check the id"
      ],
      "conflict": [
        "items[0].key is taken: another item of the workspace has it",
        "workspace Handbook is archived: unarchive it to change its content"
      ],
      "unprocessable_entity": [
        "parent must be a collection, not a page",
        "items[0] is too deep: nesting goes at most 128 levels deep",
        "items[1].content can only be given for a page (object item)",
        "items[0].children can only be given for a collection, not a page"
      ]
    },
    "createTeam": {
      "bad_request": [
        "Name is not a known property, did you mean name?",
        "name is required",
        "name must be 1 to 32 characters",
        "slug must be lower-case letters and digits, with single hyphens between them",
        "name must not be blank"
      ],
      "forbidden": [
        "a person can own at most 100 teams: make someone else an owner of one and leave it"
      ],
      "conflict": [
        "slug acme is already taken: choose another one"
      ]
    },
    "createWebhook": {
      "bad_request": [
        "Url is not a known property, did you mean url?",
        "url is required",
        "url must be 1 to 2048 characters",
        "workspaces must be a list of 1 to 100 slugs, each at most once",
        "url must be a URL such as https://example.com/hooks",
        "url must begin with https://, or with http:// if the operator lists its host in WEBHOOK_ALLOWED_HOSTS",
        "url must not contain a user name or a password",
        "url must not contain an address that is not public, unless the operator lists it in WEBHOOK_ALLOWED_HOSTS"
      ],
      "forbidden": [
        "you are not a member of this team: ask for an invite",
        "this requires the team role owner: ask an owner of the team for it",
        "a team can have at most 20 webhooks: delete one first",
        "this service has no webhooks: its operator sets WEBHOOK_KEY"
      ],
      "not_found": [
        "team not found: check its slug",
        "workspace not found: check its slug, or ask one of its editors to add you"
      ]
    },
    "createWorkspace": {
      "bad_request": [
        "Name is not a known property, did you mean name?",
        "name is required",
        "name must be 1 to 32 characters",
        "visibility must be one of public, private",
        "name must not be blank"
      ],
      "forbidden": [
        "you are not a member of this team: ask for an invite",
        "this requires the team role member or above: ask an owner of the team for it",
        "the free plan's limit of 10 workspaces (limit.workspaces) is reached: remove some workspaces or change the plan"
      ],
      "not_found": [
        "team not found: check its slug"
      ]
    },
    "declineInvite": {
      "forbidden": [
        "your email is not verified by the identity provider: verify it there and get a new token"
      ],
      "not_found": [
        "invite not found: ask for a new one"
      ],
      "conflict": [
        "the invite was already accepted: to undo that, remove the member from the team"
      ],
      "invite_expired": [
        "the invite has expired: ask for a new one"
      ]
    },
    "deleteCollection": {
      "bad_request": [
        "permanent must be one of true, false"
      ],
      "forbidden": [
        "you are not a member of this team: ask for an invite",
        "this requires the workspace role editor: ask one of its editors for it",
        "you have read-only access to this workspace: ask one of its editors for the role editor"
      ],
      "not_found": [
        "team not found: check its slug",
        "workspace not found: check its slug, or ask one of its editors to add you",
        "collection or page not found: check its id or slug"
      ],
      "conflict": [
        "If-Match is not the current ETag: the item has changed, read it again",
        "workspace Handbook is archived: unarchive it to change its content"
      ],
      "unprocessable_entity": [
        "the item and everything below it are more than 20000 items: delete parts of it first, or the whole workspace, which has no limit"
      ]
    },
    "deleteWebhook": {
      "forbidden": [
        "you are not a member of this team: ask for an invite",
        "this requires the team role owner: ask an owner of the team for it",
        "this service has no webhooks: its operator sets WEBHOOK_KEY"
      ],
      "not_found": [
        "team not found: check its slug",
        "webhook not found: check its id in the list of webhooks"
      ]
    },
    "deleteWorkspace": {
      "forbidden": [
        "you are not a member of this team: ask for an invite",
        "this requires the workspace role editor: ask one of its editors for it"
      ],
      "not_found": [
        "team not found: check its slug",
        "workspace not found: check its slug, or ask one of its editors to add you"
      ],
      "conflict": [
        "If-Match is not the current ETag: the workspace has changed, read it again"
      ]
    },
    "duplicateCollection": {
      "bad_request": [
        "Name is not a known property, did you mean name?",
        "workspace_slug must be at least 1 character",
        "name must be 1 to 32 characters",
        "index must be a whole number from 0",
        "include must be ids",
        "name must not be blank"
      ],
      "forbidden": [
        "you are not a member of this team: ask for an invite",
        "you have read-only access to this workspace: ask one of its editors for the role editor",
        "the free plan's limit of 1000 pages (limit.pages) is reached: remove some pages or change the plan"
      ],
      "not_found": [
        "team not found: check its slug",
        "workspace not found: check its slug, or ask one of its editors to add you",
        "collection or page not found: check its id or slug",
        "parent not found: check the id"
      ],
      "conflict": [
        "If-Match is not the current ETag: the item has changed, read it again",
        "workspace Handbook is archived: unarchive it to change its content"
      ],
      "unprocessable_entity": [
        "parent must be a collection, not a page",
        "parent is too deep: nesting goes at most 128 levels deep",
        "the item holds more than 10000 items: copy parts of it"
      ]
    },
    "emptyTrash": {
      "bad_request": [
        "team_slug (or teamId) and workspace_slug must be given in the query"
      ],
      "forbidden": [
        "you are not a member of this team: ask for an invite",
        "this requires the workspace role editor: ask one of its editors for it"
      ],
      "not_found": [
        "team not found: check its slug",
        "workspace not found: check its slug, or ask one of its editors to add you"
      ],
      "conflict": [
        "workspace Handbook is archived: unarchive it to change its content"
      ]
    },
    "getAuditLog": {
      "bad_request": [
        "actor must be at least 1 character",
        "action must be one of 38 words that the OpenAPI document lists, such as team.created, team.updated, team.slug_changed",
        "limit must be a whole number from 1 to 1000",
        "since must be a date and time such as 2026-01-31T12:00:00Z",
        "since must have its + encoded as %2B, such as 2026-01-31T12:00:00%2B02:00",
        "cursor must come from a Link header"
      ],
      "forbidden": [
        "you are not a member of this team: ask for an invite",
        "this requires the team role owner: ask an owner of the team for it"
      ],
      "not_found": [
        "team not found: check its slug"
      ]
    },
    "getChanges": {
      "bad_request": [
        "cursor must be at least 1 character",
        "wait must be a whole number from 0 to 25",
        "include must be content",
        "cursor must come from a response of this feed",
        "team_slug (or teamId) and workspace_slug must be given in the query"
      ],
      "forbidden": [
        "you are not a member of this team: ask for an invite"
      ],
      "not_found": [
        "team not found: check its slug",
        "workspace not found: check its slug, or ask one of its editors to add you"
      ],
      "conflict": [
        "this cursor is too old: start again without one, and drop what is not in the response",
        "this cursor belongs to another workspace: start again without one, and drop what is not in the response"
      ],
      "rate_limit_exceeded": [
        "at most 10 of your requests can wait for changes at the same time: try again when one of them has ended"
      ]
    },
    "getCollection": {
      "bad_request": [
        "include must be ancestors"
      ],
      "forbidden": [
        "you are not a member of this team: ask for an invite"
      ],
      "not_found": [
        "team not found: check its slug",
        "workspace not found: check its slug, or ask one of its editors to add you",
        "collection or page not found: check its id or slug"
      ]
    },
    "getCollectionByKey": {
      "bad_request": [
        "key is required",
        "key must be 1 to 512 characters",
        "include must be ancestors",
        "team_slug (or teamId) and workspace_slug must be given in the query"
      ],
      "forbidden": [
        "you are not a member of this team: ask for an invite"
      ],
      "not_found": [
        "team not found: check its slug",
        "workspace not found: check its slug, or ask one of its editors to add you",
        "collection or page not found: check its id or slug"
      ]
    },
    "getCollectionBySlug": {
      "bad_request": [
        "include must be ancestors",
        "team_slug (or teamId) and workspace_slug must be given in the query"
      ],
      "forbidden": [
        "you are not a member of this team: ask for an invite"
      ],
      "not_found": [
        "team not found: check its slug",
        "workspace not found: check its slug, or ask one of its editors to add you",
        "collection or page not found: check its id or slug"
      ]
    },
    "getCollections": {
      "bad_request": [
        "cursor must be at least 1 character",
        "depth must be a whole number from 1",
        "include must be content",
        "cursor has expired, since the list was rearranged: start again without it",
        "cursor must come from a Link header",
        "team_slug (or teamId) and workspace_slug must be given in the query"
      ],
      "forbidden": [
        "you are not a member of this team: ask for an invite"
      ],
      "not_found": [
        "team not found: check its slug",
        "workspace not found: check its slug, or ask one of its editors to add you",
        "parent not found: check the id"
      ],
      "unprocessable_entity": [
        "parent must be a collection, not a page"
      ]
    },
    "getDeletedWorkspaces": {
      "bad_request": [
        "cursor must be at least 1 character",
        "limit must be a whole number from 1 to 1000",
        "cursor must come from a Link header"
      ],
      "forbidden": [
        "you are not a member of this team: ask for an invite"
      ],
      "not_found": [
        "team not found: check its slug"
      ]
    },
    "getDeliveries": {
      "forbidden": [
        "you are not a member of this team: ask for an invite",
        "this requires the team role owner: ask an owner of the team for it",
        "this service has no webhooks: its operator sets WEBHOOK_KEY"
      ],
      "not_found": [
        "team not found: check its slug",
        "webhook not found: check its id in the list of webhooks"
      ]
    },
    "getMyInvites": {
      "bad_request": [
        "cursor must be at least 1 character",
        "limit must be a whole number from 1 to 1000",
        "cursor must come from a Link header"
      ]
    },
    "getTeamInfo": {
      "forbidden": [
        "you are not a member of this team: ask for an invite"
      ],
      "not_found": [
        "team not found: check its slug"
      ]
    },
    "getTeamInvites": {
      "bad_request": [
        "cursor must be at least 1 character",
        "limit must be a whole number from 1 to 1000",
        "cursor must come from a Link header"
      ],
      "forbidden": [
        "you are not a member of this team: ask for an invite",
        "this requires the team role moderator or above: ask an owner of the team for it"
      ],
      "not_found": [
        "team not found: check its slug"
      ]
    },
    "getTeamMembers": {
      "bad_request": [
        "cursor must be at least 1 character",
        "limit must be a whole number from 1 to 1000",
        "cursor must come from a Link header"
      ],
      "forbidden": [
        "you are not a member of this team: ask for an invite",
        "this requires the team role member or above: ask an owner of the team for it"
      ],
      "not_found": [
        "team not found: check its slug"
      ]
    },
    "getTeams": {
      "bad_request": [
        "cursor must be at least 1 character",
        "limit must be a whole number from 1 to 1000",
        "cursor must come from a Link header"
      ]
    },
    "getTrash": {
      "bad_request": [
        "cursor must be at least 1 character",
        "limit must be a whole number from 1 to 1000",
        "cursor must come from a Link header",
        "team_slug (or teamId) and workspace_slug must be given in the query"
      ],
      "forbidden": [
        "you are not a member of this team: ask for an invite",
        "you have read-only access to this workspace: ask one of its editors for the role editor"
      ],
      "not_found": [
        "team not found: check its slug",
        "workspace not found: check its slug, or ask one of its editors to add you"
      ]
    },
    "getVersion": {
      "forbidden": [
        "you are not a member of this team: ask for an invite",
        "you have read-only access to this workspace: ask one of its editors for the role editor"
      ],
      "not_found": [
        "team not found: check its slug",
        "workspace not found: check its slug, or ask one of its editors to add you",
        "collection or page not found: check its id or slug",
        "version not found: check its number in the list of versions"
      ],
      "unprocessable_entity": [
        "versions can only belong to a page (object item)"
      ]
    },
    "getVersions": {
      "bad_request": [
        "cursor must be at least 1 character",
        "limit must be a whole number from 1 to 1000",
        "cursor must come from a Link header"
      ],
      "forbidden": [
        "you are not a member of this team: ask for an invite",
        "you have read-only access to this workspace: ask one of its editors for the role editor"
      ],
      "not_found": [
        "team not found: check its slug",
        "workspace not found: check its slug, or ask one of its editors to add you",
        "collection or page not found: check its id or slug"
      ],
      "unprocessable_entity": [
        "versions can only belong to a page (object item)"
      ]
    },
    "getWebhook": {
      "forbidden": [
        "you are not a member of this team: ask for an invite",
        "this requires the team role owner: ask an owner of the team for it",
        "this service has no webhooks: its operator sets WEBHOOK_KEY"
      ],
      "not_found": [
        "team not found: check its slug",
        "webhook not found: check its id in the list of webhooks"
      ]
    },
    "getWebhooks": {
      "forbidden": [
        "you are not a member of this team: ask for an invite",
        "this requires the team role owner: ask an owner of the team for it",
        "this service has no webhooks: its operator sets WEBHOOK_KEY"
      ],
      "not_found": [
        "team not found: check its slug"
      ]
    },
    "getWorkspaceInfo": {
      "forbidden": [
        "you are not a member of this team: ask for an invite"
      ],
      "not_found": [
        "team not found: check its slug",
        "workspace not found: check its slug, or ask one of its editors to add you"
      ]
    },
    "getWorkspaceMembers": {
      "bad_request": [
        "cursor must be at least 1 character",
        "limit must be a whole number from 1 to 1000",
        "cursor must come from a Link header"
      ],
      "forbidden": [
        "you are not a member of this team: ask for an invite"
      ],
      "not_found": [
        "team not found: check its slug",
        "workspace not found: check its slug, or ask one of its editors to add you"
      ]
    },
    "getWorkspaces": {
      "forbidden": [
        "you are not a member of this team: ask for an invite"
      ],
      "not_found": [
        "team not found: check its slug"
      ]
    },
    "joinTeam": {
      "bad_request": [
        "InviteCode is not a known property, did you mean inviteCode?",
        "inviteCode is required",
        "inviteCode must be 1 to 24 characters"
      ],
      "forbidden": [
        "the free plan's limit of 20 users (limit.users) is reached: remove some users or change the plan"
      ],
      "not_found": [
        "team with this invite code not found: ask for the current code"
      ],
      "conflict": [
        "you are already a member of this team: there is no need to join"
      ]
    },
    "orderCollections": {
      "bad_request": [
        "Parent is not a known property, did you mean parent?",
        "parent is required",
        "children must be a list of at most 10000 ids",
        "children must hold only strings",
        "children must not hold an id twice",
        "team_slug (or teamId) and workspace_slug must be given in the query"
      ],
      "forbidden": [
        "you are not a member of this team: ask for an invite",
        "you have read-only access to this workspace: ask one of its editors for the role editor"
      ],
      "not_found": [
        "team not found: check its slug",
        "workspace not found: check its slug, or ask one of its editors to add you",
        "parent not found: check the id"
      ],
      "conflict": [
        "If-Match is not the current ETag: the list has changed, read it again",
        "children lacks 019a3f0e-6c1f-7cc3-9d0b-2f6f7a8b9c30, which is in the list now: read the list again",
        "workspace Handbook is archived: unarchive it to change its content"
      ],
      "unprocessable_entity": [
        "parent must be a collection, not a page",
        "children[1] must not be the item itself or lie in its own subtree",
        "children[0] is too deep: nesting goes at most 128 levels deep"
      ]
    },
    "patchContent": {
      "bad_request": [
        "body[0].path is required",
        "body[0].op must be one of add, remove, replace, move, copy, test",
        "body[0].path must be a JSON Pointer: empty, or names that each begin with /, with ~ written as ~0 and / as ~1",
        "body[0].path must not lie in the value that moves",
        "the body must be a list of at most 100 operations"
      ],
      "forbidden": [
        "you are not a member of this team: ask for an invite",
        "you have read-only access to this workspace: ask one of its editors for the role editor"
      ],
      "not_found": [
        "team not found: check its slug",
        "workspace not found: check its slug, or ask one of its editors to add you",
        "collection or page not found: check its id or slug"
      ],
      "conflict": [
        "If-Match is not the current ETag: the item has changed, read it again",
        "body[0].value is not what the content has at this path: read the page again",
        "workspace Handbook is archived: unarchive it to change its content"
      ],
      "unprocessable_entity": [
        "content can only be patched on a page (object item)",
        "body[0] must leave the content a JSON object",
        "body[0].from is not there in the content: read the page again"
      ]
    },
    "purgeFromTrash": {
      "forbidden": [
        "you are not a member of this team: ask for an invite",
        "this requires the workspace role editor: ask one of its editors for it"
      ],
      "not_found": [
        "team not found: check its slug",
        "workspace not found: check its slug, or ask one of its editors to add you",
        "deletion not found: check the id"
      ],
      "conflict": [
        "workspace Handbook is archived: unarchive it to change its content"
      ]
    },
    "purgeVersions": {
      "forbidden": [
        "you are not a member of this team: ask for an invite",
        "this requires the workspace role editor: ask one of its editors for it"
      ],
      "not_found": [
        "team not found: check its slug",
        "workspace not found: check its slug, or ask one of its editors to add you",
        "collection or page not found: check its id or slug"
      ],
      "conflict": [
        "workspace Handbook is archived: unarchive it to change its content"
      ],
      "unprocessable_entity": [
        "versions can only belong to a page (object item)"
      ]
    },
    "purgeWorkspace": {
      "forbidden": [
        "you are not a member of this team: ask for an invite"
      ],
      "not_found": [
        "team not found: check its slug",
        "deleted workspace not found: check its id in the list of deleted workspaces"
      ]
    },
    "removeTeamMember": {
      "bad_request": [
        "UserId is not a known property, did you mean userId?",
        "userId is required",
        "userId must be at least 1 character"
      ],
      "forbidden": [
        "you are not a member of this team: ask for an invite",
        "this requires the team role owner: others manage only people below moderator"
      ],
      "not_found": [
        "team not found: check its slug",
        "member not found: userId must be the _id of somebody in the list of members"
      ],
      "conflict": [
        "a team needs an owner: make someone else one first"
      ]
    },
    "removeWorkspaceMember": {
      "bad_request": [
        "UserId is not a known property, did you mean userId?",
        "userId is required",
        "userId must be at least 1 character"
      ],
      "forbidden": [
        "you are not a member of this team: ask for an invite",
        "this requires the workspace role editor: ask one of its editors for it",
        "without the role reader you could do more in this workspace: ask one of its editors to remove it"
      ],
      "not_found": [
        "team not found: check its slug",
        "workspace not found: check its slug, or ask one of its editors to add you",
        "member not found: userId must be the _id of somebody in the list of members"
      ],
      "conflict": [
        "a private workspace needs an editor: make someone else one first"
      ]
    },
    "renewInviteCode": {
      "forbidden": [
        "you are not a member of this team: ask for an invite",
        "this requires the team role moderator or above: ask an owner of the team for it"
      ],
      "not_found": [
        "team not found: check its slug"
      ]
    },
    "renewWebhookSecret": {
      "forbidden": [
        "you are not a member of this team: ask for an invite",
        "this requires the team role owner: ask an owner of the team for it",
        "this service has no webhooks: its operator sets WEBHOOK_KEY"
      ],
      "not_found": [
        "team not found: check its slug",
        "webhook not found: check its id in the list of webhooks"
      ]
    },
    "reorderItem": {
      "bad_request": [
        "Id is not a known property, did you mean id?",
        "id is required",
        "object must be one of collection, item",
        "index must be a whole number from 0",
        "team_slug (or teamId) and workspace_slug must be given in the query"
      ],
      "forbidden": [
        "you are not a member of this team: ask for an invite",
        "you have read-only access to this workspace: ask one of its editors for the role editor"
      ],
      "not_found": [
        "team not found: check its slug",
        "workspace not found: check its slug, or ask one of its editors to add you",
        "collection or page not found: check its id or slug",
        "newParent not found: check the id"
      ],
      "conflict": [
        "If-Match is not the current ETag: the item has changed, read it again",
        "parent is not the current parent of the item: read it again",
        "workspace Handbook is archived: unarchive it to change its content"
      ],
      "unprocessable_entity": [
        "newParent must be a collection, not a page",
        "newParent must not be the item itself or lie in its own subtree",
        "newParent is too deep: nesting goes at most 128 levels deep",
        "object must be item, which the item is"
      ]
    },
    "restoreFromTrash": {
      "bad_request": [
        "Index is not a known property, did you mean index?",
        "index must be a whole number from 0"
      ],
      "forbidden": [
        "you are not a member of this team: ask for an invite",
        "you have read-only access to this workspace: ask one of its editors for the role editor",
        "the free plan's limit of 1000 pages (limit.pages) is reached: remove some pages or change the plan"
      ],
      "not_found": [
        "team not found: check its slug",
        "workspace not found: check its slug, or ask one of its editors to add you",
        "parent not found: check the id"
      ],
      "conflict": [
        "workspace Handbook is archived: unarchive it to change its content"
      ],
      "unprocessable_entity": [
        "parent must be a collection, not a page",
        "parent is too deep: nesting goes at most 128 levels deep",
        "the item and everything below it are more than 20000 items: ask the operator to restore it with teamspaces trash restore, which has no limit"
      ]
    },
    "restoreVersion": {
      "forbidden": [
        "you are not a member of this team: ask for an invite",
        "you have read-only access to this workspace: ask one of its editors for the role editor"
      ],
      "not_found": [
        "team not found: check its slug",
        "workspace not found: check its slug, or ask one of its editors to add you",
        "collection or page not found: check its id or slug",
        "version not found: check its number in the list of versions"
      ],
      "conflict": [
        "If-Match is not the current ETag: the item has changed, read it again",
        "workspace Handbook is archived: unarchive it to change its content"
      ],
      "unprocessable_entity": [
        "versions can only belong to a page (object item)"
      ]
    },
    "restoreWorkspace": {
      "forbidden": [
        "you are not a member of this team: ask for an invite",
        "the free plan's limit of 10 workspaces (limit.workspaces) is reached: remove some workspaces or change the plan"
      ],
      "not_found": [
        "team not found: check its slug",
        "deleted workspace not found: check its id in the list of deleted workspaces"
      ]
    },
    "revokeTeamInvite": {
      "forbidden": [
        "you are not a member of this team: ask for an invite",
        "this requires the team role owner: others manage only people below moderator"
      ],
      "not_found": [
        "team not found: check its slug",
        "invite not found: ask for a new one"
      ],
      "conflict": [
        "the invite was already accepted: to undo that, remove the member from the team"
      ]
    },
    "searchCollections": {
      "bad_request": [
        "q is required",
        "q must be 1 to 100 characters",
        "object must be one of collection, item",
        "limit must be a whole number from 1 to 100",
        "q must not be blank",
        "team_slug (or teamId) and workspace_slug must be given in the query"
      ],
      "forbidden": [
        "you are not a member of this team: ask for an invite"
      ],
      "not_found": [
        "team not found: check its slug",
        "workspace not found: check its slug, or ask one of its editors to add you"
      ]
    },
    "searchTeam": {
      "bad_request": [
        "q is required",
        "q must be 1 to 100 characters",
        "object must be one of collection, item",
        "limit must be a whole number from 1 to 100",
        "q must not be blank"
      ],
      "forbidden": [
        "you are not a member of this team: ask for an invite"
      ],
      "not_found": [
        "team not found: check its slug"
      ]
    },
    "sendTeamInvites": {
      "bad_request": [
        "Invites is not a known property, did you mean invites?",
        "invites is required",
        "invites[0].email must be 1 to 320 characters",
        "invites[0].role must be one of guest, member, moderator, owner",
        "invites must be a list of 1 to 100 objects",
        "invites[1].email is already in the list: name each once",
        "invites[0].email must be an email address"
      ],
      "forbidden": [
        "you are not a member of this team: ask for an invite",
        "this requires the team role owner: others manage only people below moderator",
        "the free plan's limit of 20 users (limit.users) is reached: remove some users or change the plan",
        "a team on the free plan can have at most 20 pending invites: revoke some, or wait until they are answered"
      ],
      "not_found": [
        "team not found: check its slug"
      ],
      "conflict": [
        "invites must leave out who is already in the team: max@example.com"
      ]
    },
    "testWebhook": {
      "forbidden": [
        "you are not a member of this team: ask for an invite",
        "this requires the team role owner: ask an owner of the team for it",
        "this service has no webhooks: its operator sets WEBHOOK_KEY"
      ],
      "not_found": [
        "team not found: check its slug",
        "webhook not found: check its id in the list of webhooks"
      ],
      "conflict": [
        "the webhook is disabled: enable it first, by updateWebhook"
      ]
    },
    "transferCollection": {
      "bad_request": [
        "Index is not a known property, did you mean index?",
        "workspace_slug is required",
        "workspace_slug must be at least 1 character",
        "index must be a whole number from 0"
      ],
      "forbidden": [
        "you are not a member of this team: ask for an invite",
        "you have read-only access to this workspace: ask one of its editors for the role editor"
      ],
      "not_found": [
        "team not found: check its slug",
        "workspace not found: check its slug, or ask one of its editors to add you",
        "collection or page not found: check its id or slug",
        "parent not found: check the id"
      ],
      "conflict": [
        "If-Match is not the current ETag: the item has changed, read it again",
        "workspace Handbook is archived: unarchive it to change its content"
      ],
      "unprocessable_entity": [
        "parent must be a collection, not a page",
        "parent is too deep: nesting goes at most 128 levels deep",
        "workspace_slug must name another workspace: reorderItem moves items within one",
        "the item and everything below it are more than 20000 items: transfer parts of it first"
      ]
    },
    "unarchiveWorkspace": {
      "forbidden": [
        "you are not a member of this team: ask for an invite",
        "this requires the workspace role editor: ask one of its editors for it"
      ],
      "not_found": [
        "team not found: check its slug",
        "workspace not found: check its slug, or ask one of its editors to add you"
      ]
    },
    "updateCollection": {
      "bad_request": [
        "Key is not a known property, did you mean key?",
        "key must be 1 to 512 characters",
        "name must not be blank",
        "key must not contain control characters",
        "content must be at most 1 MiB of JSON",
        "content must be nested at most 64 deep"
      ],
      "forbidden": [
        "you are not a member of this team: ask for an invite",
        "you have read-only access to this workspace: ask one of its editors for the role editor"
      ],
      "not_found": [
        "team not found: check its slug",
        "workspace not found: check its slug, or ask one of its editors to add you",
        "collection or page not found: check its id or slug",
        "parent not found: check the id"
      ],
      "conflict": [
        "If-Match is not the current ETag: the item has changed, read it again",
        "key is taken: another item of the workspace has it",
        "workspace Handbook is archived: unarchive it to change its content"
      ],
      "unprocessable_entity": [
        "parent must be a collection, not a page",
        "parent must not be the item itself or lie in its own subtree",
        "parent is too deep: nesting goes at most 128 levels deep",
        "content can only be given for a page (object item)"
      ]
    },
    "updateTeam": {
      "bad_request": [
        "Name is not a known property, did you mean name?",
        "name must be 1 to 32 characters",
        "slug must be lower-case letters and digits, with single hyphens between them",
        "name must not be blank"
      ],
      "forbidden": [
        "you are not a member of this team: ask for an invite",
        "this requires the team role owner: ask an owner of the team for it"
      ],
      "not_found": [
        "team not found: check its slug"
      ],
      "conflict": [
        "slug second is already taken: choose another one",
        "If-Match is not the current ETag: the team has changed, read it again"
      ]
    },
    "updateTeamMember": {
      "bad_request": [
        "Role is not a known property, did you mean role?",
        "role is required",
        "userId must be at least 1 character",
        "role must be one of guest, member, moderator, owner"
      ],
      "forbidden": [
        "you are not a member of this team: ask for an invite",
        "this requires the team role owner: others manage only people below moderator",
        "a person can own at most 100 teams: make someone else an owner of one and leave it"
      ],
      "not_found": [
        "team not found: check its slug",
        "member not found: userId must be the _id of somebody in the list of members"
      ],
      "conflict": [
        "a team needs an owner: make someone else one first"
      ]
    },
    "updateWebhook": {
      "bad_request": [
        "Url is not a known property, did you mean url?",
        "enabled must be true or false",
        "url must be 1 to 2048 characters",
        "workspaces must be a list of 1 to 100 slugs, each at most once",
        "url must be a URL such as https://example.com/hooks",
        "url must begin with https://, or with http:// if the operator lists its host in WEBHOOK_ALLOWED_HOSTS",
        "url must not contain a user name or a password",
        "url must not contain an address that is not public, unless the operator lists it in WEBHOOK_ALLOWED_HOSTS"
      ],
      "forbidden": [
        "you are not a member of this team: ask for an invite",
        "this requires the team role owner: ask an owner of the team for it",
        "this service has no webhooks: its operator sets WEBHOOK_KEY"
      ],
      "not_found": [
        "team not found: check its slug",
        "workspace not found: check its slug, or ask one of its editors to add you",
        "webhook not found: check its id in the list of webhooks"
      ]
    },
    "updateWorkspace": {
      "bad_request": [
        "Name is not a known property, did you mean name?",
        "name must be 1 to 32 characters",
        "visibility must be one of public, private",
        "slug must be lower-case letters and digits, with single hyphens between them",
        "name must not be blank"
      ],
      "forbidden": [
        "you are not a member of this team: ask for an invite",
        "this requires the workspace role editor: ask one of its editors for it"
      ],
      "not_found": [
        "team not found: check its slug",
        "workspace not found: check its slug, or ask one of its editors to add you"
      ],
      "conflict": [
        "slug handbook is already taken in this team: choose another one",
        "If-Match is not the current ETag: the workspace has changed, read it again"
      ]
    },
    "updateWorkspaceMember": {
      "bad_request": [
        "Role is not a known property, did you mean role?",
        "role is required",
        "userId must be at least 1 character",
        "role must be one of editor, reader"
      ],
      "forbidden": [
        "you are not a member of this team: ask for an invite",
        "this requires the workspace role editor: ask one of its editors for it"
      ],
      "not_found": [
        "team not found: check its slug",
        "workspace not found: check its slug, or ask one of its editors to add you",
        "member not found: userId must be the _id of somebody in the list of members"
      ],
      "conflict": [
        "a private workspace needs an editor: make someone else one first"
      ]
    }
  }
};
