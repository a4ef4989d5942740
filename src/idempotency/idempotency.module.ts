import { Global, Module } from '@nestjs/common';
import { ExpiredKeys } from './expired-keys.js';
import { IdempotencyKeysRepository } from './idempotency-keys.repository.js';
import { Replays } from './replays.js';

/** Global: guard and filter belong to the modules whose controllers they stand before. */
@Global()
@Module({
  providers: [IdempotencyKeysRepository, Replays, ExpiredKeys],
  exports: [IdempotencyKeysRepository, Replays],
})
export class IdempotencyModule {}
