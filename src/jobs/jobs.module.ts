import { Global, Module } from '@nestjs/common';
import { PurgeCounts } from './purge-counts.js';
import { Retention } from './retention.js';
import { Statistics } from './statistics.js';

@Global()
@Module({ providers: [PurgeCounts, Retention, Statistics], exports: [PurgeCounts] })
export class JobsModule {}
