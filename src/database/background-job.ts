import {
  type BeforeApplicationShutdown,
  Inject,
  Logger,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { CLOCK, type Clock } from '../config/config.module.js';

/**
 * Work that every instance does by itself at an interval, in short transactions. Its rounds never
 * overlap. The first of several failed rounds is logged; the next one starts at its time.
 */
export abstract class BackgroundJob implements OnApplicationBootstrap, BeforeApplicationShutdown {
  protected readonly logger: Logger;
  @Inject(CLOCK) protected readonly clock!: Clock;
  private endTicks = (): void => undefined;
  private rounds: Promise<void> | null = null;
  private isWoken = false;
  private isFailing = false;
  /** True from the beginning of the shutdown: begin no further transaction. */
  protected isOver = false;

  /**
   * @param name of the job in the log
   * @param failure what has not happened if a round fails, for the log
   * @param interval milliseconds between two rounds
   */
  protected constructor(
    name: string,
    private readonly failure: string,
    private readonly interval: number,
  ) {
    this.logger = new Logger(name);
  }

  /** One round. */
  abstract runRound(): Promise<void>;

  onApplicationBootstrap(): void {
    this.endTicks = this.clock.every(this.interval, () => this.wake());
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

  private async run(): Promise<void> {
    while (this.isWoken && !this.isOver) {
      this.isWoken = false;
      try {
        await this.runRound();
        this.isFailing = false;
      } catch (error) {
        const isNews = !this.isFailing && !this.isOver;
        if (isNews) this.logger.warn(`${this.failure}: ${(error as Error).message}`);
        this.isFailing = true;
      }
    }
    // In the same turn as the last look at isWoken: no call of wake() is lost.
    this.rounds = null;
  }
}
