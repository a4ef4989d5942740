import { type DynamicModule, Module } from '@nestjs/common';
import { CLOCK, type Clock } from './clock.js';
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
