/** Messages that several operations give, as callers read them. */
export const NOT_MEMBER = 'you are not a member of this team: ask for an invite';
export const MEMBER = 'this takes the team role member or above: ask an owner of the team for it';
export const MODERATOR =
  'this takes the team role moderator or above: ask an owner of the team for it';
export const OWNER = 'this takes the team role owner: ask an owner of the team for it';
export const ONLY_OWNERS =
  'this takes the team role owner: others manage only people below moderator';
export const NOT_EDITOR = 'this takes the workspace role editor: ask one of its editors for it';
export const NARROWED =
  'without the role reader you could do more in this workspace: ask one of its editors to remove it';
export const READ_ONLY =
  'you have read-only access to this workspace: ask one of its editors for the role editor';
export const NOT_VERIFIED =
  'your email is not verified by the identity provider: verify it there and get a new token';
export const LIMIT_OF_USERS =
  "the free plan's limit of 20 users (limit.users) is reached: remove some users or change the plan";
export const LIMIT_OF_INVITES =
  'a team on the free plan can have at most 20 pending invites: revoke some, or wait until they are answered';
export const LIMIT_OF_OWNED_TEAMS =
  'a person can own at most 100 teams: make somebody else an owner of one and leave it';
export const LIMIT_OF_PAGES =
  "the free plan's limit of 1000 pages (limit.pages) is reached: remove some pages or change the plan";

export const NO_TEAM = 'team not found: check its slug';
export const NO_WORKSPACE =
  'workspace not found: check its slug, or ask one of its editors to add you';
export const NO_MEMBER =
  'member not found: userId must be the _id of somebody in the list of members';
export const NO_INVITE = 'invite not found: ask for a new one';
export const NO_ITEM = 'collection or page not found: check its id or slug';

export const OTHER_TEAM = 'teamId must be the id of the team that team_slug names';
export const NO_PLACE = 'team_slug (or teamId) and workspace_slug must be given in the query';
export const NO_USER_ID = 'userId is required';
export const BAD_ROLE = 'role must be one of guest, member, moderator, owner';
export const BAD_WORKSPACE_ROLE = 'role must be one of editor, reader';

export const LAST_OWNER = 'a team needs an owner: make somebody else one first';
export const LAST_EDITOR = 'a private workspace needs an editor: make somebody else one first';
export const MEMBER_ALREADY = 'you are a member of this team already: there is no need to join';
export const INVITE_ANSWERED =
  'the invite was accepted already: to undo that, remove the member from the team';
export const STALE = 'If-Match is not the current ETag: the item has changed, read it again';

/** Who may change a workspace itself, and its members. */
export const EDITOR =
  'an `editor` of the workspace, or a `moderator` of the team where it is public';

/** What an Idempotency-Key may run into, on every POST. */
export const OF_KEYS = {
  bad_request: ['Idempotency-Key must be 1 to 255 visible ASCII characters'],
  conflict: ['a request with this Idempotency-Key is under way: try again'],
  unprocessable_entity: ['the Idempotency-Key was used for another request: take a new one'],
} as const;
