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

/** The time, wherever behaviour depends on it. Tests pass a clock that they move forward. */
export interface Clock {
  /** Milliseconds from an arbitrary start, monotonic: for durations. */
  now(): number;
  /** Milliseconds since 1970: to compare with the times in tokens. */
  date(): number;
}

/** Injection token of the clock. */
export const CLOCK = Symbol('clock');

export const SYSTEM_CLOCK: Clock = { now: () => performance.now(), date: () => Date.now() };
