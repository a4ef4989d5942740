// biome-ignore-all format: written by a test, UPDATE_GOLDEN=1 npm test -- test/contract/messages
import type { ErrorCode } from '../errors/domain-error.js';

/** Messages by code. */
type Messages = Partial<Record<ErrorCode, readonly string[]>>;

interface RecordedErrors {
  /** What every operation may return, and one message of each code. */
  shared: Messages;
  /** What every operation may return that takes an Idempotency-Key. */
  keyed: Messages;
  /** What else operations have returned: the ids of the operations of each message, by code. */
  operations: Partial<Record<ErrorCode, Readonly<Record<string, readonly string[]>>>>;
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
      "this service does not search in pages: leave out in, or set it to name"
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
    "bad_request": {
      "Id is not a known property, did you mean id?": ["reorderItem"],
      "Index is not a known property, did you mean index?": ["createCollections", "restoreFromTrash", "transferCollection"],
      "InviteCode is not a known property, did you mean inviteCode?": ["joinTeam"],
      "Invites is not a known property, did you mean invites?": ["sendTeamInvites"],
      "Items is not a known property, did you mean items?": ["applyCollections"],
      "Key is not a known property, did you mean key?": ["createCollection", "updateCollection"],
      "Name is not a known property, did you mean name?": ["createTeam", "createWorkspace", "duplicateCollection", "updateTeam", "updateWorkspace"],
      "Parent is not a known property, did you mean parent?": ["orderCollections"],
      "Role is not a known property, did you mean role?": ["updateTeamMember", "updateWorkspaceMember"],
      "Url is not a known property, did you mean url?": ["createWebhook", "updateWebhook"],
      "UserId is not a known property, did you mean userId?": ["removeTeamMember", "removeWorkspaceMember"],
      "body[0].Role is not a known property, did you mean role?": ["addWorkspaceMembers"],
      "body[0].path is required": ["patchContent"],
      "body[0].role is required": ["addWorkspaceMembers"],
      "id is required": ["reorderItem"],
      "inviteCode is required": ["joinTeam"],
      "invites is required": ["sendTeamInvites"],
      "items is required": ["applyCollections", "createCollections"],
      "key is required": ["getCollectionByKey"],
      "name is required": ["createTeam", "createWorkspace"],
      "parent is required": ["orderCollections"],
      "q is required": ["searchCollections", "searchTeam"],
      "role is required": ["updateTeamMember", "updateWorkspaceMember"],
      "url is required": ["createWebhook"],
      "userId is required": ["removeTeamMember", "removeWorkspaceMember"],
      "workspace_slug is required": ["transferCollection"],
      "enabled must be true or false": ["updateWebhook"],
      "prune must be true or false": ["applyCollections"],
      "actor must be at least 1 character": ["getAuditLog"],
      "cursor must be at least 1 character": ["getChanges", "getCollections", "getDeletedWorkspaces", "getMyInvites", "getTeamInvites", "getTeamMembers", "getTeams", "getTrash", "getVersions", "getWorkspaceMembers"],
      "userId must be at least 1 character": ["removeTeamMember", "removeWorkspaceMember", "updateTeamMember", "updateWorkspaceMember"],
      "workspace_slug must be at least 1 character": ["duplicateCollection", "transferCollection"],
      "body[0].email must be 1 to 320 characters": ["addWorkspaceMembers"],
      "inviteCode must be 1 to 24 characters": ["joinTeam"],
      "invites[0].email must be 1 to 320 characters": ["sendTeamInvites"],
      "items[0].key must be 1 to 512 characters": ["applyCollections", "createCollections"],
      "key must be 1 to 512 characters": ["createCollection", "getCollectionByKey", "updateCollection"],
      "name must be 1 to 32 characters": ["createTeam", "createWorkspace", "duplicateCollection", "updateTeam", "updateWorkspace"],
      "q must be 1 to 100 characters": ["searchCollections", "searchTeam"],
      "url must be 1 to 2048 characters": ["createWebhook", "updateWebhook"],
      "action must be one of 38 words that the OpenAPI document lists, such as team.created, team.updated, team.slug_changed": ["getAuditLog"],
      "body[0].op must be one of add, remove, replace, move, copy, test": ["patchContent"],
      "body[0].role must be one of editor, reader": ["addWorkspaceMembers"],
      "in must be one of name, all": ["searchCollections", "searchTeam"],
      "invites[0].role must be one of guest, member, moderator, owner": ["sendTeamInvites"],
      "items[0].object must be one of collection, item": ["applyCollections", "createCollections"],
      "object must be one of collection, item": ["createCollection", "reorderItem"],
      "permanent must be one of true, false": ["deleteCollection"],
      "role must be one of editor, reader": ["updateWorkspaceMember"],
      "role must be one of guest, member, moderator, owner": ["updateTeamMember"],
      "visibility must be one of public, private": ["createWorkspace", "updateWorkspace"],
      "depth must be a whole number from 1": ["getCollections"],
      "index must be a whole number from 0": ["createCollection", "createCollections", "duplicateCollection", "reorderItem", "restoreFromTrash", "transferCollection"],
      "limit must be a whole number from 1 to 100": ["searchCollections", "searchTeam"],
      "limit must be a whole number from 1 to 1000": ["getAuditLog", "getDeletedWorkspaces", "getMyInvites", "getTeamInvites", "getTeamMembers", "getTeams", "getTrash", "getVersions", "getWorkspaceMembers"],
      "wait must be a whole number from 0 to 25": ["getChanges"],
      "children must be a list of at most 10000 ids": ["orderCollections"],
      "invites must be a list of 1 to 100 objects": ["sendTeamInvites"],
      "items must be a list of 1 to 1000 objects": ["applyCollections", "createCollections"],
      "workspaces must be a list of 1 to 100 slugs, each at most once": ["createWebhook", "updateWebhook"],
      "children must hold only strings": ["orderCollections"],
      "children must not hold an id twice": ["orderCollections"],
      "body[1].email is already in the list: name each once": ["addWorkspaceMembers"],
      "invites[1].email is already in the list: name each once": ["sendTeamInvites"],
      "items[0].children[0].key is already in the manifest: name each once": ["applyCollections"],
      "items must hold at most 1000 in all": ["applyCollections", "createCollections"],
      "body[0].email must be an email address": ["addWorkspaceMembers"],
      "invites[0].email must be an email address": ["sendTeamInvites"],
      "slug must be lower-case letters and digits, with single hyphens between them": ["createTeam", "updateTeam", "updateWorkspace"],
      "since must be a date and time such as 2026-01-31T12:00:00Z": ["getAuditLog"],
      "since must have its + encoded as %2B, such as 2026-01-31T12:00:00%2B02:00": ["getAuditLog"],
      "include must be ancestors": ["getCollection", "getCollectionByKey", "getCollectionBySlug"],
      "include must be content": ["getChanges", "getCollections"],
      "include must be ids": ["duplicateCollection"],
      "items[0].name must not be blank": ["applyCollections", "createCollections"],
      "name must not be blank": ["createCollection", "createTeam", "createWorkspace", "duplicateCollection", "updateCollection", "updateTeam", "updateWorkspace"],
      "q must not be blank": ["searchCollections", "searchTeam"],
      "items[0].key must not contain control characters": ["applyCollections", "createCollections"],
      "key must not contain control characters": ["createCollection", "updateCollection"],
      "content must be at most 1 MiB of JSON": ["createCollection", "updateCollection"],
      "items[0].content must be at most 1 MiB of JSON": ["applyCollections", "createCollections"],
      "content must be nested at most 64 deep": ["createCollection", "updateCollection"],
      "items[0].content must be nested at most 64 deep": ["applyCollections", "createCollections"],
      "content must not hold a number beyond 1.8e308": ["createCollection"],
      "body[0].path must be a JSON Pointer: empty, or names that each begin with /, with ~ written as ~0 and / as ~1": ["patchContent"],
      "body[0].path must not lie in the value that moves": ["patchContent"],
      "cursor has expired, since the list was rearranged: start again without it": ["getCollections"],
      "cursor must come from a Link header": ["getAuditLog", "getCollections", "getDeletedWorkspaces", "getMyInvites", "getTeamInvites", "getTeamMembers", "getTeams", "getTrash", "getVersions", "getWorkspaceMembers"],
      "cursor must come from a response of this feed": ["getChanges"],
      "q must have at most 8 words with in=all": ["searchCollections"],
      "team_slug (or teamId) and workspace_slug must be given in the query": ["applyCollections", "createCollection", "createCollections", "emptyTrash", "getChanges", "getCollectionByKey", "getCollectionBySlug", "getCollections", "getTrash", "orderCollections", "reorderItem", "searchCollections"],
      "url must be a URL such as https://example.com/hooks": ["createWebhook", "updateWebhook"],
      "url must begin with https://, or with http:// if the operator lists its host in WEBHOOK_ALLOWED_HOSTS": ["createWebhook", "updateWebhook"],
      "url must not contain a user name or a password": ["createWebhook", "updateWebhook"],
      "url must not contain an address that is not public, unless the operator lists it in WEBHOOK_ALLOWED_HOSTS": ["createWebhook", "updateWebhook"],
      "the body must be a list of 1 to 100 objects": ["addWorkspaceMembers"],
      "the body must be a list of at most 100 operations": ["patchContent"]
    },
    "forbidden": {
      "you are not a member of this team: ask for an invite": ["addWorkspaceMembers", "applyCollections", "archiveWorkspace", "createCollection", "createCollections", "createWebhook", "createWorkspace", "deleteCollection", "deleteWebhook", "deleteWorkspace", "duplicateCollection", "emptyTrash", "getAuditLog", "getChanges", "getCollection", "getCollectionByKey", "getCollectionBySlug", "getCollections", "getDeletedWorkspaces", "getDeliveries", "getTeamInfo", "getTeamInvites", "getTeamMembers", "getTrash", "getVersion", "getVersions", "getWebhook", "getWebhooks", "getWorkspaceInfo", "getWorkspaceMembers", "getWorkspaces", "orderCollections", "patchContent", "purgeFromTrash", "purgeVersions", "purgeWorkspace", "removeTeamMember", "removeWorkspaceMember", "renewInviteCode", "renewWebhookSecret", "reorderItem", "restoreFromTrash", "restoreVersion", "restoreWorkspace", "revokeTeamInvite", "searchCollections", "searchTeam", "sendTeamInvites", "testWebhook", "transferCollection", "unarchiveWorkspace", "updateCollection", "updateTeam", "updateTeamMember", "updateWebhook", "updateWorkspace", "updateWorkspaceMember"],
      "this requires the team role member or above: ask an owner of the team for it": ["createWorkspace", "getTeamMembers"],
      "this requires the team role moderator or above: ask an owner of the team for it": ["getTeamInvites", "renewInviteCode"],
      "this requires the team role owner: ask an owner of the team for it": ["createWebhook", "deleteWebhook", "getAuditLog", "getDeliveries", "getWebhook", "getWebhooks", "renewWebhookSecret", "testWebhook", "updateTeam", "updateWebhook"],
      "this requires the team role owner: others manage only people below moderator": ["removeTeamMember", "revokeTeamInvite", "sendTeamInvites", "updateTeamMember"],
      "this requires the workspace role editor: ask one of its editors for it": ["addWorkspaceMembers", "archiveWorkspace", "deleteCollection", "deleteWorkspace", "emptyTrash", "purgeFromTrash", "purgeVersions", "removeWorkspaceMember", "unarchiveWorkspace", "updateWorkspace", "updateWorkspaceMember"],
      "you have read-only access to this workspace: ask one of its editors for the role editor": ["applyCollections", "createCollection", "createCollections", "deleteCollection", "duplicateCollection", "getTrash", "getVersion", "getVersions", "orderCollections", "patchContent", "reorderItem", "restoreFromTrash", "restoreVersion", "transferCollection", "updateCollection"],
      "without the role reader you could do more in this workspace: ask one of its editors to remove it": ["removeWorkspaceMember"],
      "your email is not verified by the identity provider: verify it there and get a new token": ["acceptInvite", "declineInvite"],
      "the free plan's limit of 10 workspaces (limit.workspaces) is reached: remove some workspaces or change the plan": ["createWorkspace", "restoreWorkspace"],
      "the free plan's limit of 1000 pages (limit.pages) is reached: remove some pages or change the plan": ["applyCollections", "createCollection", "createCollections", "duplicateCollection", "restoreFromTrash"],
      "the free plan's limit of 20 users (limit.users) is reached: remove some users or change the plan": ["acceptInvite", "joinTeam", "sendTeamInvites"],
      "a team on the free plan can have at most 20 pending invites: revoke some, or wait until they are answered": ["sendTeamInvites"],
      "a team can have at most 20 webhooks: delete one first": ["createWebhook"],
      "a person can own at most 100 teams: make someone else an owner of one and leave it": ["acceptInvite", "createTeam", "updateTeamMember"],
      "this service has no webhooks: its operator sets WEBHOOK_KEY": ["createWebhook", "deleteWebhook", "getDeliveries", "getWebhook", "getWebhooks", "renewWebhookSecret", "testWebhook", "updateWebhook"]
    },
    "not_found": {
      "team not found: check its slug": ["addWorkspaceMembers", "applyCollections", "archiveWorkspace", "createCollection", "createCollections", "createWebhook", "createWorkspace", "deleteCollection", "deleteWebhook", "deleteWorkspace", "duplicateCollection", "emptyTrash", "getAuditLog", "getChanges", "getCollection", "getCollectionByKey", "getCollectionBySlug", "getCollections", "getDeletedWorkspaces", "getDeliveries", "getTeamInfo", "getTeamInvites", "getTeamMembers", "getTrash", "getVersion", "getVersions", "getWebhook", "getWebhooks", "getWorkspaceInfo", "getWorkspaceMembers", "getWorkspaces", "orderCollections", "patchContent", "purgeFromTrash", "purgeVersions", "purgeWorkspace", "removeTeamMember", "removeWorkspaceMember", "renewInviteCode", "renewWebhookSecret", "reorderItem", "restoreFromTrash", "restoreVersion", "restoreWorkspace", "revokeTeamInvite", "searchCollections", "searchTeam", "sendTeamInvites", "testWebhook", "transferCollection", "unarchiveWorkspace", "updateCollection", "updateTeam", "updateTeamMember", "updateWebhook", "updateWorkspace", "updateWorkspaceMember"],
      "team with this invite code not found: ask for the current code": ["joinTeam"],
      "workspace not found: check its slug, or ask one of its editors to add you": ["addWorkspaceMembers", "applyCollections", "archiveWorkspace", "createCollection", "createCollections", "createWebhook", "deleteCollection", "deleteWorkspace", "duplicateCollection", "emptyTrash", "getChanges", "getCollection", "getCollectionByKey", "getCollectionBySlug", "getCollections", "getTrash", "getVersion", "getVersions", "getWorkspaceInfo", "getWorkspaceMembers", "orderCollections", "patchContent", "purgeFromTrash", "purgeVersions", "removeWorkspaceMember", "reorderItem", "restoreFromTrash", "restoreVersion", "searchCollections", "transferCollection", "unarchiveWorkspace", "updateCollection", "updateWebhook", "updateWorkspace", "updateWorkspaceMember"],
      "collection or page not found: check its id or slug": ["deleteCollection", "duplicateCollection", "getCollection", "getCollectionByKey", "getCollectionBySlug", "getVersion", "getVersions", "patchContent", "purgeVersions", "reorderItem", "restoreVersion", "transferCollection", "updateCollection"],
      "deletion not found: check the id": ["purgeFromTrash"],
      "newParent not found: check the id": ["reorderItem"],
      "parent not found: check the id": ["applyCollections", "createCollection", "createCollections", "duplicateCollection", "getCollections", "orderCollections", "restoreFromTrash", "transferCollection", "updateCollection"],
      "deleted workspace not found: check its id in the list of deleted workspaces": ["purgeWorkspace", "restoreWorkspace"],
      "invite not found: ask for a new one": ["acceptInvite", "declineInvite", "revokeTeamInvite"],
      "member not found: userId must be the _id of somebody in the list of members": ["removeTeamMember", "removeWorkspaceMember", "updateTeamMember", "updateWorkspaceMember"],
      "version not found: check its number in the list of versions": ["getVersion", "restoreVersion"],
      "webhook not found: check its id in the list of webhooks": ["deleteWebhook", "getDeliveries", "getWebhook", "renewWebhookSecret", "testWebhook", "updateWebhook"]
    },
    "conflict": {
      "slug acme is already taken: choose another one": ["createTeam"],
      "slug handbook is already taken in this team: choose another one": ["updateWorkspace"],
      "slug second is already taken: choose another one": ["updateTeam"],
      "If-Match is not the current ETag: the item has changed, read it again": ["deleteCollection", "duplicateCollection", "patchContent", "reorderItem", "restoreVersion", "transferCollection", "updateCollection"],
      "If-Match is not the current ETag: the list has changed, read it again": ["applyCollections", "orderCollections"],
      "If-Match is not the current ETag: the team has changed, read it again": ["updateTeam"],
      "If-Match is not the current ETag: the workspace has changed, read it again": ["deleteWorkspace", "updateWorkspace"],
      "items[0].key is taken: another item of the workspace has it": ["createCollections"],
      "key is taken: another item of the workspace has it": ["createCollection", "updateCollection"],
      "parent is not the current parent of the item: read it again": ["reorderItem"],
      "children lacks 019a3f0e-6c1f-7cc3-9d0b-2f6f7a8b9c30, which is in the list now: read the list again": ["orderCollections"],
      "body[0].value is not what the content has at this path: read the page again": ["patchContent"],
      "prune would delete 019a3f0e-6c1f-7cc3-9d0b-2f6f7a8b9c30, which has no key or which the manifest places elsewhere: move it first, or apply without prune": ["applyCollections"],
      "a team needs an owner: make someone else one first": ["removeTeamMember", "updateTeamMember"],
      "a private workspace needs an editor: make someone else one first": ["addWorkspaceMembers", "removeWorkspaceMember", "updateWorkspaceMember"],
      "you are already a member of this team: there is no need to join": ["acceptInvite", "joinTeam"],
      "the invite was already accepted: to undo that, remove the member from the team": ["acceptInvite", "declineInvite", "revokeTeamInvite"],
      "invites must leave out who is already in the team: max@example.com": ["sendTeamInvites"],
      "workspace Handbook is archived: unarchive it to change its content": ["applyCollections", "createCollection", "createCollections", "deleteCollection", "duplicateCollection", "emptyTrash", "orderCollections", "patchContent", "purgeFromTrash", "purgeVersions", "reorderItem", "restoreFromTrash", "restoreVersion", "transferCollection", "updateCollection"],
      "the webhook is disabled: enable it first, by updateWebhook": ["testWebhook"],
      "this cursor is too old: start again without one, and drop what is not in the response": ["getChanges"],
      "this cursor belongs to another workspace: start again without one, and drop what is not in the response": ["getChanges"]
    },
    "invite_expired": {
      "the invite has expired: ask for a new one": ["acceptInvite", "declineInvite"]
    },
    "unprocessable_entity": {
      "this service does not search in pages: leave out in, or set it to name": ["searchCollections"],
      "q finds too many pages to read them in time: ask more precisely, or in a single workspace": ["searchCollections"],
      "newParent must be a collection, not a page": ["reorderItem"],
      "parent must be a collection, not a page": ["applyCollections", "createCollection", "createCollections", "duplicateCollection", "getCollections", "orderCollections", "restoreFromTrash", "transferCollection", "updateCollection"],
      "children[1] must not be the item itself or lie in its own subtree": ["orderCollections"],
      "items[0] must not be the item itself or lie in its own subtree": ["applyCollections"],
      "newParent must not be the item itself or lie in its own subtree": ["reorderItem"],
      "parent must not be the item itself or lie in its own subtree": ["updateCollection"],
      "children[0] is too deep: nesting goes at most 128 levels deep": ["orderCollections"],
      "items[0] is too deep: nesting goes at most 128 levels deep": ["applyCollections", "createCollections"],
      "newParent is too deep: nesting goes at most 128 levels deep": ["reorderItem"],
      "parent is too deep: nesting goes at most 128 levels deep": ["createCollection", "duplicateCollection", "restoreFromTrash", "transferCollection", "updateCollection"],
      "content can only be given for a page (object item)": ["createCollection", "updateCollection"],
      "items[0].content can only be given for a page (object item)": ["applyCollections"],
      "items[1].content can only be given for a page (object item)": ["createCollections"],
      "items[0].children can only be given for a collection, not a page": ["applyCollections", "createCollections"],
      "versions can only belong to a page (object item)": ["getVersion", "getVersions", "purgeVersions", "restoreVersion"],
      "content can only be patched on a page (object item)": ["patchContent"],
      "parent must hold at most 50000 items to compare with the manifest: apply parts of the tree": ["applyCollections"],
      "prune would delete more than 20000 items: delete parts of them first, or apply parts of the tree": ["applyCollections"],
      "items[0].object must be collection, which the item is": ["applyCollections"],
      "object must be item, which the item is": ["reorderItem"],
      "body[0] must leave the content a JSON object": ["patchContent"],
      "body[0].from is not there in the content: read the page again": ["patchContent"],
      "each email must be the verified one of exactly one team member: zoe@example.com": ["addWorkspaceMembers"],
      "workspace_slug must name another workspace: reorderItem moves items within one": ["transferCollection"],
      "the item holds more than 10000 items: copy parts of it": ["duplicateCollection"],
      "the item and everything below it are more than 20000 items: ask the operator to restore it with teamspaces trash restore, which has no limit": ["restoreFromTrash"],
      "the item and everything below it are more than 20000 items: delete parts of it first, or the whole workspace, which has no limit": ["deleteCollection"],
      "the item and everything below it are more than 20000 items: transfer parts of it first": ["transferCollection"]
    },
    "rate_limit_exceeded": {
      "at most 10 of your requests can wait for changes at the same time: try again when one of them has ended": ["getChanges"]
    }
  }
};
