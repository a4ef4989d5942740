// What the invites of a team may cause. What its plan allows is in config/plan-limits.ts, the bounds of
// a name or a slug in validation/fields.ts.

/** Invites that one call sends at most. */
export const MAX_INVITES = 100;
/** Invites of one call that cost a further point of the rate limit. */
export const INVITES_PER_POINT = 10;
/** Invites that may be pending if the plan allows any number of users. */
export const MAX_PENDING = 2_000;
/** Mails that a person may cause in 24 hours. */
export const MAX_MAILS_A_DAY = 200;
/** Hours after a mail to an address in which it gets no other one from the same team. */
export const HOURS_BETWEEN_MAILS = 1;
/** Mails of one person that are being sent at the same time: the mail server may be slow with their addressees. */
export const MAX_MAILS_OF_SENDER = 3;
