import type { ErrorCode } from './domain-error.js';

/** HTTP status of each code; exhaustive, and the only place where the two meet. */
export const ERROR_STATUS: Record<ErrorCode, number> = {
  bad_request: 400,
  unauthorized: 401,
  forbidden: 403,
  not_found: 404,
  conflict: 409,
  invite_expired: 410,
  unprocessable_entity: 422,
  rate_limit_exceeded: 429,
  internal_server_error: 500,
};

/** The meaning of each code, in the words of the contract, and what a caller can do about it. */
export const ERROR_MEANING: Record<ErrorCode, { meaning: string; remedy: string }> = {
  bad_request: {
    meaning: 'Malformed or invalid request.',
    remedy:
      'The request itself is wrong: malformed JSON, a missing or unknown property, a wrong type, an exceeded limit. The message names the field and the limit.',
  },
  unauthorized: {
    meaning: 'Client is not authenticated.',
    remedy:
      'Send the header Authorization: Bearer <ACCESS_TOKEN> with a token that is valid and not expired.',
  },
  forbidden: {
    meaning: 'Client is known but lacks access rights.',
    remedy:
      'Ask an owner or a moderator of the team for the role that the action requires; if the message names a limit of the plan, free some of it or change the plan.',
  },
  not_found: {
    meaning: 'Resource cannot be found.',
    remedy:
      'Check the path, the slug or the id. A private workspace and its content are visible only to its members.',
  },
  conflict: {
    meaning: 'Request conflicts with the current state.',
    remedy:
      'Something is taken, already done, or has changed since you read it: read it again, then decide. If the response has the header Retry-After, others are changing it right now and nothing has happened: send the same request again after that many seconds.',
  },
  invite_expired: {
    meaning: 'Content permanently gone; named for an expired invite.',
    remedy: 'Ask for a new invite.',
  },
  unprocessable_entity: {
    meaning: 'Well-formed request that cannot be followed due to semantic errors.',
    remedy:
      'The request is valid but cannot be applied to the current data, such as a page as a parent or a move into its own subtree.',
  },
  rate_limit_exceeded: {
    meaning: 'Too many requests.',
    remedy: 'Wait for the number of seconds in the header Retry-After, then try again.',
  },
  internal_server_error: {
    meaning: 'Server failure.',
    remedy:
      'The service failed, and the failure is logged. Try again; if it persists, report the X-Request-Id.',
  },
};
