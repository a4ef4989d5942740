import { Global, Module } from '@nestjs/common';
import { Metrics } from './metrics.js';
import { MetricsServer } from './metrics-server.js';
import { PoolMetrics } from './pool-metrics.js';

/** Log, metrics and traces. */
@Global()
@Module({ providers: [Metrics, MetricsServer, PoolMetrics], exports: [Metrics] })
export class ObservabilityModule {}
