/**
 * How long the job pauses after a portion, as a multiple of the time that the portion took: the longer, the more others
 * use the event loop, from half of it on. While they use all of it, the job takes at most a twentieth of the processor.
 */
const PAUSE = { idle: 0.5, busy: 19 };
const BUSY = { from: 0.5, to: 0.9 };
/** Milliseconds of pauses over which it is measured what others use: a single request fills a short pause. */
const MEASURED = 1_000;

/** By how much the job makes room for others. */
export class IndexPace {
  /** Milliseconds of pauses, the earlier ones counting less. */
  private active = 0;
  private idle = 0;

  /**
   * Call it after each pause.
   * @param active milliseconds of the pause in which others used the event loop
   * @param idle milliseconds of it in which nobody did
   * @returns how long the next pause is, as a multiple of the time that the portion before it takes
   */
  next({ active, idle }: { active: number; idle: number }): number {
    const kept = Math.exp(-(active + idle) / MEASURED);
    this.active = this.active * kept + active;
    this.idle = this.idle * kept + idle;
    const used = this.active / Math.max(1, this.active + this.idle);
    const share = Math.min(1, Math.max(0, (used - BUSY.from) / (BUSY.to - BUSY.from)));
    return PAUSE.idle + share * (PAUSE.busy - PAUSE.idle);
  }
}
