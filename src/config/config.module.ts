import { type DynamicModule, Module } from '@nestjs/common';
import type { Config } from './config.js';

/** Injection token of the parsed configuration. */
export const CONFIG = Symbol('config');

@Module({})
export class ConfigModule {
  static with(config: Config, clock: Clock): DynamicModule {
    return {
      module: ConfigModule,
      global: true,
      providers: [
        { provide: CONFIG, useValue: config },
        { provide: CLOCK, useValue: clock },
      ],
      exports: [CONFIG, CLOCK],
    };
  }
}

/**
 * The time of what tests move forward: tokens, counters, slow callers and jobs. Other timeouts and pauses use timers
 * and performance.now().
 */
export interface Clock {
  /** Milliseconds from an arbitrary start, monotonic: for durations. */
  now(): number;
  /** Milliseconds since 1970: to compare with the times in tokens. */
  date(): number;
  /** Runs a task at an interval in milliseconds, until the function that it returns is called. */
  every(interval: number, task: () => void): () => void;
}

/** Injection token of the clock. */
export const CLOCK = Symbol('clock');

export const SYSTEM_CLOCK: Clock = {
  now: () => performance.now(),
  date: () => Date.now(),
  every: (interval, task) => {
    const timer = setInterval(task, interval).unref();
    return () => clearInterval(timer);
  },
};
