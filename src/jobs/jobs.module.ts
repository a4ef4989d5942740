import { Global, Module } from '@nestjs/common';
import { PurgeCounts } from './purge-counts.js';
import { Retention } from './retention.js';

@Global()
@Module({ providers: [PurgeCounts, Retention], exports: [PurgeCounts] })
export class JobsModule {}
