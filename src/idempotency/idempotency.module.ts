import { Module } from '@nestjs/common';
import { KeysPurge } from './keys-purge.js';

@Module({ providers: [KeysPurge] })
export class IdempotencyModule {}
