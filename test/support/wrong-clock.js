/**
 * Loaded before a process (`node --import`): its clock is wrong by the milliseconds in `CLOCK_IS_WRONG_BY`.
 * Durations are right, as on a machine whose time was set.
 */
const wrongBy = Number(process.env.CLOCK_IS_WRONG_BY);
const { now } = Date;

globalThis.Date = class extends Date {
  constructor(...values) {
    if (values.length === 0) super(now() + wrongBy);
    else super(...values);
  }

  static now() {
    return now() + wrongBy;
  }
};
