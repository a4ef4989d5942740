/** Injection token of the clock. */
export const CLOCK = Symbol('clock');
export const SYSTEM_CLOCK = { now: () => performance.now(), date: () => Date.now() };
//# sourceMappingURL=clock.js.map