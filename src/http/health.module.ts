import { Module } from '@nestjs/common';
import { TerminusModule } from '@nestjs/terminus';
import { HealthController } from './health.controller.js';
import { HealthRepository } from './health.repository.js';
import { HealthService } from './health.service.js';
import { Shutdown } from './shutdown.js';

/** Is it alive, is it ready, and how does it end. */
@Module({
  // A failed check is no error of ours: health.service.ts logs why it failed.
  imports: [TerminusModule.forRoot({ logger: false })],
  controllers: [HealthController],
  providers: [HealthRepository, HealthService, Shutdown],
})
export class HealthModule {}
