/** Messages that several operations give, as callers read them. */
export const NOT_MEMBER = 'you are not a member of this team';
export const MEMBER = 'this takes the team role member or above';
export const MODERATOR = 'this takes the team role moderator or above';
export const OWNER = 'this takes the team role owner or above';
export const ONLY_OWNERS =
  'this takes the team role owner: others manage only people below moderator';
export const NOT_EDITOR = 'this takes the workspace role editor';
export const READ_ONLY = 'you have read-only access to this workspace';
export const NOT_VERIFIED = 'your email is not verified by the identity provider';
export const LIMIT_OF_USERS = "the free plan's limit of 20 users (limit.users) is reached";
export const LIMIT_OF_PAGES = "the free plan's limit of 1000 pages (limit.pages) is reached";

export const NO_TEAM = 'team not found';
export const NO_WORKSPACE = 'workspace not found';
export const NO_MEMBER = 'member not found';
export const NO_INVITE = 'invite not found';
export const NO_ITEM = 'collection or page not found';

export const OTHER_TEAM = 'teamId must be the id of the team that team_slug names';
export const NO_PLACE = 'team_slug (or teamId) and workspace_slug must be given in the query';
export const NO_USER_ID = 'userId is required';
export const BAD_ROLE = 'role must be one of guest, member, moderator, owner';
export const BAD_WORKSPACE_ROLE = 'role must be one of editor, reader';

export const LAST_OWNER = 'a team needs an owner: make somebody else one first';
export const LAST_EDITOR = 'a private workspace needs an editor: make somebody else one first';
export const MEMBER_ALREADY = 'you are a member of this team already';
export const INVITE_ANSWERED = 'the invite was accepted already';
export const STALE = 'If-Match is not the current ETag: the item changed since you read it';

/** Who may change a workspace itself, and its members. */
export const EDITOR =
  'an `editor` of the workspace, or a `moderator` of the team where it is public';

/** What an Idempotency-Key may run into, on every POST. */
export const OF_KEYS = {
  bad_request: ['Idempotency-Key must be 1 to 255 visible ASCII characters'],
  conflict: ['a request with this Idempotency-Key is under way: try again'],
  unprocessable_entity: ['the Idempotency-Key was used for another request: take a new one'],
} as const;
