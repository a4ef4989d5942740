import {
  type BeforeApplicationShutdown,
  Inject,
  Logger,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { CLOCK, type Clock } from '../config/config.module.js';
import { JOBS, type JobName } from './jobs.js';

/**
 * Work that every instance does by itself at an interval, in short transactions. Its rounds never
 * overlap. The first of several failed rounds is logged; the next one starts at its time.
 */
export abstract class BackgroundJob implements OnApplicationBootstrap, BeforeApplicationShutdown {
  protected readonly logger: Logger;
  @Inject(CLOCK) protected readonly clock!: Clock;
  private readonly failures: FailureLog;
  private endTicks = (): void => undefined;
  private rounds: Promise<void> | null = null;
  private isWoken = false;
  /** True from the beginning of the shutdown: begin no further transaction. */
  protected isOver = false;

  protected constructor(readonly job: JobName) {
    const { log, failure } = JOBS[job];
    this.logger = new Logger(log);
    this.failures = new FailureLog(this.logger, failure);
  }

  /** One round. */
  abstract runRound(): Promise<void>;

  onApplicationBootstrap(): void {
    this.endTicks = this.clock.every(JOBS[this.job].interval, () => this.wake());
  }

  /** Starts a round now, or after the one in progress. Never fails or waits. */
  wake(): void {
    if (this.isOver) return;
    this.isWoken = true;
    this.rounds ??= this.run();
  }

  /** A transaction in progress ends first. */
  async beforeApplicationShutdown(): Promise<void> {
    this.isOver = true;
    this.endTicks();
    await this.rounds;
  }

  /** True if the next round is to begin when the one in progress ends. */
  protected get isNextDue(): boolean {
    return this.isWoken;
  }

  private async run(): Promise<void> {
    while (this.isWoken && !this.isOver) {
      this.isWoken = false;
      try {
        await this.runRound();
        this.failures.end();
      } catch (error) {
        if (!this.isOver) this.failures.note(error);
      }
    }
    // In the same turn as the last look at isWoken: no call of wake() is lost.
    this.rounds = null;
  }
}

/** Logs the first of several failures in a row. */
export class FailureLog {
  private isFailing = false;

  /** @param failure what has not happened */
  constructor(
    private readonly logger: Logger,
    private readonly failure: string,
  ) {}

  note(error: unknown): void {
    if (!this.isFailing) this.logger.warn(`${this.failure}: ${(error as Error).message}`);
    this.isFailing = true;
  }

  end(): void {
    this.isFailing = false;
  }
}
