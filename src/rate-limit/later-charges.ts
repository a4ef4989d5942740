import type { FastifyReply } from 'fastify';
import type { RateLimit } from './rate-limit.js';

/** The cost of a request's work whose size was not known when the request was counted. */
export class LaterCharges {
  private points = 0;
  private isSettled = false;

  constructor(
    private readonly limit: RateLimit,
    private readonly reply: FastifyReply,
    private readonly user: string,
  ) {}

  add(points: number): void {
    this.points += points;
    // The request has its response already, for example because it took too long.
    if (this.isSettled) void this.count();
  }

  /** Counts everything before the headers are sent, so that they show it. @returns null: nothing to count */
  settle(): Promise<void> | null {
    this.isSettled = true;
    return this.points > 0 ? this.count() : null;
  }

  private count(): Promise<void> {
    const { points } = this;
    this.points = 0;
    return this.limit.chargeForDone(this.reply, this.user, points);
  }
}
