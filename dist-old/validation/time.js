/** RFC 3339, with seconds, and an offset from UTC. */
const DATE_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?(Z|[+-]\d\d:\d\d)$/;
/** True for a date and time that exists, such as 2026-01-31T12:00:00Z: there is no 30 February. */
export const isTime = (value) => typeof value === 'string' &&
    DATE_TIME.test(value) &&
    !Number.isNaN(Date.parse(value)) &&
    isDay(value.slice(0, 10));
/** JavaScript reads 31 February as 3 March. @param text such as 2026-01-31, which JavaScript can read */
const isDay = (text) => new Date(text).toISOString().startsWith(text);
//# sourceMappingURL=time.js.map