import { LRUCache } from 'lru-cache';
/** Milliseconds of a window. */
export const WINDOW = 60_000;
/** Callers that are remembered; the least recently seen is forgotten first. */
const CALLERS = 100_000;
/**
 * Counts the requests of each caller in windows of a minute, which begin with the first request. If
 * the counts are shared, the shared count decides each request, which keeps the limit exact over
 * all instances; callers over the limit are rejected without asking.
 */
export class RequestCounts {
    limit;
    shared;
    clock;
    windows = new LRUCache({ max: CALLERS });
    constructor(limit, shared, clock) {
        this.limit = limit;
        this.shared = shared;
        this.clock = clock;
    }
    /** True if a caller has nothing left, as far as this process knows. */
    isUsedUp(caller) {
        const window = this.windows.get(caller);
        return window !== undefined && window.used >= this.limit && window.endsAt > this.clock.now();
    }
    /** Counts `points` for a caller. A promise only if the shared count is asked. */
    count(caller, points) {
        const window = this.windowOf(caller);
        window.used += points;
        if (this.shared === null)
            return window;
        // A caller over the limit stays so until the window ends: no need to ask.
        if (window.used - points > this.limit)
            return window;
        return this.share(this.shared, caller, points, window);
    }
    async share(shared, caller, points, window) {
        const counted = { ...window };
        window.pending += points;
        const usage = await shared.add(caller, points);
        window.pending -= points;
        // Redis is unavailable: the count of this process decides.
        if (usage === null)
            return counted;
        window.used = usage.used + window.pending;
        window.endsAt = usage.endsAt;
        return usage;
    }
    windowOf(caller) {
        const now = this.clock.now();
        let window = this.windows.get(caller);
        if (window === undefined || window.endsAt <= now) {
            window = { used: 0, endsAt: now + WINDOW, pending: 0 };
            this.windows.set(caller, window);
        }
        return window;
    }
}
//# sourceMappingURL=request-counts.js.map