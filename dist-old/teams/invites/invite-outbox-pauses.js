/** Milliseconds for which a mail is tried again. */
const DAY = 24 * 3_600_000;
const FIRST = 1_000;
const LONGEST = 3_600_000;
/**
 * Milliseconds until the next attempt at a mail: a second, doubled each time up to an hour, and up to
 * a quarter more or less, so that many mails do not come at once. null: given up after a day.
 * @param attempts how often it was tried, at least once
 * @param age milliseconds since it was queued
 */
export function pauseAfter(attempts, age) {
    if (age >= DAY)
        return null;
    const pause = Math.min(FIRST * 2 ** (attempts - 1), LONGEST);
    return pause * (0.75 + Math.random() / 2);
}
//# sourceMappingURL=invite-outbox-pauses.js.map