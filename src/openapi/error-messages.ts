import type { ErrorCode } from '../errors/domain-error.js';

/** A message, with … for what differs, and what causes it. */
export type ExplainedMessage = [message: string, cause: string];

/**
 * Every message of the service by its code, for the page of errors. A test compares them with the
 * messages that requests have caused (test/contract/messages).
 */
export const ERROR_MESSAGES: Record<ErrorCode, ExplainedMessage[]> = {
  bad_request: [
    [
      '… is not a known property, did you mean …?',
      'The name is misspelled, or has other capitals: requests have visibility, responses Visibility.',
    ],
    [
      '… is not a known property: leave it out',
      'The operation has no such property. Records that were read have more properties than requests accept.',
    ],
    ['… is required', 'The property or the query parameter is missing.'],
    ['… must be given once', 'A query parameter or a property is repeated.'],
    ['… must be a string', 'The value is a number, null, an object or a list.'],
    ['… must be a JSON object', 'The value is null, a list, a string or a number.'],
    ['… must be true or false', 'The value is a string or a number.'],
    ['… must be at least 1 character', 'The value is empty.'],
    ['… must be … characters', 'The value is too short or too long, in Unicode code points.'],
    [
      '… must be one of …',
      'The value is none of these words. Lower and upper case differ, and read-only has a hyphen.',
    ],
    [
      '… must be a whole number from …',
      'The value is negative, too large, a fraction or a string.',
    ],
    ['… must be a list of …', 'The value is not a list, or the list is empty or too long.'],
    ['… must hold only strings', 'An element of the list is not a string.'],
    ['… must not hold an id twice', 'The list names the same item twice.'],
    ['… is already in the list: name each once', 'Two elements of the list are the same person.'],
    [
      '… is already in the manifest: name each once',
      'Two items of the manifest have the same key.',
    ],
    ['… must hold at most … in all', 'The batch has too many items, counted on all levels.'],
    [
      '… holds too many objects: a body holds at most … objects and lists',
      'The body has too many objects and lists outside content.',
    ],
    ['… must be an email address', 'The address has no @, or characters that no address has.'],
    [
      '… must be lower-case letters and digits, with single hyphens between them',
      'A slug has no capitals, spaces, underscores or accents.',
    ],
    ['… must be a date and time such as …', 'The value is not ISO 8601 with a time zone.'],
    [
      '… must have its + encoded as %2B, such as …',
      'A + in a query means a space, so the offset of a time arrives without its sign.',
    ],
    ['include must be …', 'The operation can include only this.'],
    ['… must not be blank', 'The text is blank.'],
    [
      '… must not contain the character NUL',
      'The text has a U+0000, which PostgreSQL cannot store.',
    ],
    ['… must not contain control characters', 'A key has no line breaks, tabs or other controls.'],
    [
      '… must be well-formed Unicode, without lone surrogates',
      'The text was cut inside an emoji or another character of two UTF-16 units.',
    ],
    ['… must be at most 1 MiB of JSON', 'The content of one page is too large: divide it.'],
    ['… must be nested at most 64 deep', 'Objects and lists of the content are nested too deep.'],
    ['… must not hold a number beyond 1.8e308', 'The number exceeds what a double can hold.'],
    [
      '… must be a JSON Pointer: …',
      'A path of a JSON Patch begins with a slash, as in /items/0, or is empty.',
    ],
    ['… must not lie in the value that moves', 'A JSON Patch moves a value into itself.'],
    [
      'cursor has expired, since the list was rearranged: start again without it',
      'The positions of the siblings were rebalanced since the cursor was given.',
    ],
    [
      'cursor must come from …',
      'The cursor was changed, or belongs to another list or another query. Send it exactly as it was given.',
    ],
    [
      'q must have at most … words with in=all',
      'A search in the text of pages takes fewer words than a search by title.',
    ],
    [
      'teamId must be the id of the team that team_slug names',
      'Both are given, and name different teams.',
    ],
    [
      'team_slug (or teamId) and workspace_slug must be given in the query',
      'The short form /collections needs the workspace in the query.',
    ],
    [
      '… in the query must be the one in the path',
      'The long form names the team and the workspace in its path.',
    ],
    ['Idempotency-Key must be …', 'The key is empty, too long, or has spaces or accents.'],
    ['url must be a URL such as …', 'The address of the webhook has no scheme or no host.'],
    [
      'url must begin with https://, or …',
      'Messages are sent unencrypted only to hosts that the operator lists.',
    ],
    [
      'url must not contain a user name or a password',
      'The address has the form https://user:secret@…',
    ],
    [
      'url must not contain an address that is not public, unless …',
      'The host is an address of a private network, of this machine, or reserved.',
    ],
    ['the Content-Type must be …', 'The header is missing, or names a form instead of JSON.'],
    [
      'the URL is malformed: …',
      'A percent sign is not followed by two hexadecimal digits of UTF-8.',
    ],
    ['the body must be UTF-8', 'The body is encoded in another way, such as Latin-1.'],
    ['the body must be valid JSON', 'A comma or a quote is missing, or the body is empty.'],
    ['the body must be a list of …', 'The operation expects a list.'],
    ['the body must be at most 2 MiB', 'The body is too large: send several requests.'],
    [
      'a value in the body must be at most 1 MiB of JSON',
      'A message to /mcp has a content that is too large.',
    ],
    ['the body must be nested at most …', 'Objects or lists of the body are nested too deep.'],
    ['the body must hold at most …', 'The body has too many values outside content.'],
    [
      'the extensions of a chunk are too large: send none',
      'A client or a proxy sends chunked encoding with extensions.',
    ],
    [
      'the header Content-Encoding must be identity: send the body uncompressed',
      'A client or a proxy compresses request bodies (gzip, br, zstd), which the service does not decompress.',
    ],
    ['the header Expect must be 100-continue', 'The header has another value.'],
    ['the header Host is required', 'HTTP/1.1 requires the header.'],
    ['the headers are too large: …', 'Often: cookies of other applications on the same host.'],
    [
      'the request is malformed: check its headers and its body',
      'The request contradicts itself, such as a wrong Content-Length.',
    ],
    [
      'the request is not valid HTTP: check the client or proxy that sent it',
      'Often: https sent to the http port.',
    ],
    [
      'the request took too long to arrive: …',
      'The connection is too slow, or the client has stopped.',
    ],
    [
      'the body arrived too slowly: …',
      'Over ten seconds, less than 16 KiB a second arrived: the connection is too slow, or the client has stopped.',
    ],
  ],
  unauthorized: [
    [
      'send a token in the header Authorization: Bearer <token>',
      'The header is missing. In a terminal: the variable with the token is empty.',
    ],
    [
      'the header Authorization holds the word Bearer twice: send Bearer <token>',
      'The token was pasted with its prefix.',
    ],
    [
      'the header Authorization must be Bearer <token>',
      'Another scheme, such as Basic, or more words.',
    ],
    ['the token has expired: …', 'Its exp is past. Clocks may differ by 30 seconds.'],
    [
      'the token is not valid: …',
      'The signature, the issuer or the audience is not the one that the service is configured with. The log has the reason.',
    ],
    ['the token must be at most … characters', 'The provider puts too many claims into it.'],
    [
      "the token's claim … is missing or not valid: have the identity provider send it",
      'The service requires this claim; AUTH_EMAIL_CLAIM and its kin give it another name.',
    ],
    ["the token's claim … is not valid: …", 'scope or scp is a number or an object.'],
  ],
  forbidden: [
    [
      'you are not a member of this team: ask for an invite',
      'The token names somebody else than you think, or you have left.',
    ],
    ['this requires the team role …', 'Your role in the team is too low for this.'],
    [
      'this requires the workspace role editor: …',
      'Settings and members of a workspace require it.',
    ],
    [
      'you have read-only access to this workspace: …',
      'You are a reader of it, or its defaultAccess is read-only.',
    ],
    [
      'without the role reader you could do more in this workspace: …',
      'Giving up a role must not widen your access.',
    ],
    ['the token lacks the scope …', 'The token is narrowed by scopes that begin with teamspaces:.'],
    ['your email is not verified by the identity provider: …', 'Invites require a verified email.'],
    ["the … plan's limit of …", 'usage has reached limit in the record of the team.'],
    [
      'a team on the … plan can have at most … pending invites: …',
      'Invites that nobody has answered.',
    ],
    ['a team can have at most … webhooks: delete one first', 'The number of webhooks is limited.'],
    ['a person can own at most … teams: …', 'The limit that the operator sets (TEAMS_PER_OWNER).'],
    ['this service has no webhooks: its operator sets WEBHOOK_KEY', 'The setting is missing.'],
    [
      'web pages of other origins may not call this: CORS_ORIGINS names those that may',
      'A web page of another origin called /mcp.',
    ],
  ],
  not_found: [
    ['route not found: …', 'The path or the method is wrong, or a slug in the path is empty.'],
    ['team not found: check its slug', 'No team has the slug; it may have been changed.'],
    [
      'team with this invite code not found: ask for the current code',
      'The code is renewed when somebody is removed.',
    ],
    [
      'workspace not found: …',
      'No workspace has the slug, or it is private and you are not its member.',
    ],
    [
      'collection or page not found: check its id or slug',
      'It was deleted, is in another workspace than the one named, or in one that you may not see.',
    ],
    ['… not found: check the id', 'No such item, or deletion, in this workspace.'],
    ['deleted workspace not found: …', 'It was restored or purged, or you could not delete it.'],
    ['invite not found: ask for a new one', 'It was revoked, or is for another email.'],
    ['member not found: …', 'userId is the _id of a record of the list, not an email.'],
    ['version not found: …', 'It was purged, is too old, or is of another page.'],
    ['webhook not found: …', 'It was deleted, or belongs to another team.'],
  ],
  conflict: [
    [
      'slug … is already taken…',
      'Slugs of teams are unique in the service, those of workspaces in the team.',
    ],
    [
      'If-Match is not the current ETag: the … has changed, read it again',
      'Somebody has saved, renamed or moved the item since you read it, or changed the list, or the settings of the team or workspace.',
    ],
    ['… is taken: another item of the workspace has it', 'Keys are unique in the workspace.'],
    ['parent is not the current parent of the item: read it again', 'Somebody has moved the item.'],
    [
      'children lacks …, which is in the list now: read the list again',
      'Somebody has added the item since you read the list.',
    ],
    [
      'body… is not what the content has at this path: read the page again',
      'A test of the JSON Patch has failed.',
    ],
    [
      'prune would delete …, which has no key or which the manifest places elsewhere: …',
      'An item that would go to the trash contains one that the manifest does not delete.',
    ],
    ['a team needs an owner: …', 'The last owner cannot leave, be removed or be demoted.'],
    ['a private workspace needs an editor: …', 'The last editor cannot be removed or demoted.'],
    ['you are already a member of this team: …', 'The code was used before.'],
    ['the invite was already accepted: …', 'It cannot be declined or revoked any more.'],
    ['invites must leave out who is already in the team: …', 'The message names the addresses.'],
    [
      'workspace … is archived: unarchive it to change its content',
      'Somebody who manages the workspace has archived it: its content can only be read.',
    ],
    ['the webhook is disabled: …', 'A disabled webhook sends no test.'],
    [
      'this cursor is too old: …',
      'The changes after it were purged, or the database was restored from a backup.',
    ],
    ['this cursor belongs to another workspace: …', 'The slug names another workspace now.'],
    [
      'this data is busy with changes by others, and nothing has happened: try again in a second',
      'Others held the workspace or the team for more than four seconds. A retry is safe.',
    ],
    [
      'a request with this Idempotency-Key is in progress: try again',
      'The first request with the key has not ended yet.',
    ],
    ['the Idempotency-Key has just expired: try again', 'The key is older than 24 hours.'],
    [
      'your user record has just been erased: …',
      'The operator erased the user at the same moment.',
    ],
  ],
  invite_expired: [
    [
      'the invite has expired: ask for a new one',
      'Invites are valid for 14 days, unless the operator sets another time.',
    ],
  ],
  unprocessable_entity: [
    [
      'this service does not search in pages: leave out in, or set it to name',
      'Its operator has set SEARCH_CONTENT=off.',
    ],
    [
      'q finds too many pages to read them in time: ask more precisely, or in a single workspace',
      'A search in pages takes two seconds at most.',
    ],
    ['… must be a collection, not a page', 'Only collections hold items.'],
    [
      '… must not be the item itself or lie in its own subtree',
      'The move would make an item contain itself.',
    ],
    [
      '… is too deep: nesting goes at most … levels deep',
      'Create or move it closer to the top level.',
    ],
    ['… can only be given for a page (object item)', 'A collection has no content.'],
    ['… can only be given for a collection, not a page', 'A page has no children.'],
    ['versions can only belong to a page (object item)', 'A collection has no content to keep.'],
    ['content can only be patched on a page (object item)', 'A collection has no content.'],
    ['parent must hold at most … items to compare with the manifest: …', 'One request is limited.'],
    ['prune would delete more than … items: …', 'One request is limited.'],
    ['… must be …, which the item is', 'The item is of the other kind.'],
    [
      '… must leave the content …',
      'The result of the JSON Patch is not an object, or is too large or too deep.',
    ],
    [
      '… is not there in the content: read the page again',
      'An operation of the JSON Patch needs a value that does not exist.',
    ],
    [
      'each email must be the verified one of exactly one team member: …',
      'The person is not in the team, or their token does not confirm the email: use userId.',
    ],
    [
      'workspace_slug must name another workspace: …',
      'A transfer leads to another workspace of the team.',
    ],
    ['the item holds more than … items: copy parts of it', 'A copy is limited.'],
    ['the item and everything below it are more than … items: …', 'One request is limited.'],
    [
      'the Idempotency-Key was used for another request: use a new one',
      'Method, path, query or body differ. Some clients send the same key with each request.',
    ],
  ],
  rate_limit_exceeded: [
    [
      'more than … requests in a minute: try again in … seconds',
      'Large requests count more than once.',
    ],
    [
      'at most … of your requests can wait for changes at the same time: …',
      'getChanges with wait is called more often than it returns.',
    ],
    [
      'too many of your changes are waiting, and this one was not made: …',
      'Many or large changes of one workspace are sent at the same time.',
    ],
    [
      'too many large reads are in progress: …',
      'More large lists and trees are requested at the same time than the database has connections for.',
    ],
    [
      'too many responses of more than 8 MiB are being sent: …',
      'Large trees are requested at the same time, and read slowly.',
    ],
    [
      'your request bodies that are being received exceed 16 MiB: …',
      'Large bodies are sent at the same time over a slow connection, or are not sent to their end.',
    ],
    [
      'the request bodies that are being received exceed 96 MiB: …',
      'Many callers send large bodies slowly at the same time. Bodies of up to 64 KiB are still received.',
    ],
    [
      'the body stood still for a second while others needed its room: …',
      'The client sends large bodies with pauses while many others do.',
    ],
  ],
  internal_server_error: [
    [
      'the service failed to process this request: …',
      'A defect, or the database does not respond. The log has the reason under the X-Request-Id.',
    ],
    [
      'the outcome of this change is unknown, since it was not confirmed in time: …',
      'The connection to the database was lost at the commit.',
    ],
    [
      'the keys of the identity provider cannot be fetched now: try again',
      'The provider does not respond, and this token needs a key that is not known yet.',
    ],
    [
      'the response took longer than … seconds: try again',
      'The request was too much for one response.',
    ],
  ],
};
