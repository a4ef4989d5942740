import { createServer, type Server } from 'node:http';
import {
  Global,
  Inject,
  Injectable,
  Module,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
} from '@nestjs/common';
import { RETRY_REASONS } from '@teamspaces/pg-lanes/driver-errors';
import type { PoolStatus } from '@teamspaces/pg-lanes/gated-pool';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { type Config, listenFailure, readPackage } from '../config/config.js';
import { CONFIG } from '../config/config.module.js';
import { Database } from '../database/database.js';

/** Upper bounds of the latency buckets, in seconds. */
const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/**
 * The metrics of one application, for Prometheus. A module registers its metrics here, once, when
 * it is created:
 *
 *     metrics.gauge('teamspaces_cache_bytes', 'Bytes that are remembered.', 'cache', () => [
 *       ['trees', cache.size],
 *     ]);
 */
@Injectable()
export class Metrics {
  private readonly registry = new Registry();
  private readonly requests = new Histogram({
    name: 'teamspaces_http_request_duration_seconds',
    help: 'Time from a request to the end of its response.',
    labelNames: ['method', 'route', 'status'],
    buckets: BUCKETS,
    registers: [this.registry],
  });

  constructor() {
    new Gauge({
      name: 'teamspaces_build_info',
      help: 'The version of the service, and of Node: always 1.',
      labelNames: ['version', 'node'],
      registers: [this.registry],
    }).set({ version: readPackage().version, node: process.version }, 1);
  }

  /**
   * Values that are read whenever Prometheus scrapes, one for each value of `label`: `read` must be
   * fast.
   */
  gauge(name: string, help: string, label: string, read: () => [string, number][]): void {
    new Gauge({
      name,
      help,
      labelNames: [label],
      registers: [this.registry],
      collect() {
        for (const [of, value] of read()) this.set({ [label]: of }, value);
      },
    });
  }

  /** A condition that is checked whenever Prometheus scrapes: 1 if it holds, otherwise 0. */
  condition(name: string, help: string, holds: () => Promise<boolean>): void {
    new Gauge({
      name,
      help,
      registers: [this.registry],
      async collect() {
        this.set((await holds()) ? 1 : 0);
      },
    });
  }

  /** A number that only grows; callers use `inc()`. Names end in `_total`. */
  counter<Label extends string = never>(
    name: string,
    help: string,
    labelNames: Label[] = [],
  ): Counter<Label> {
    return new Counter({ name, help, labelNames, registers: [this.registry] });
  }

  /** How values are distributed; callers use `observe()`. @param buckets upper bounds */
  histogram<Label extends string = never>(
    name: string,
    help: string,
    buckets: number[],
    labelNames: Label[] = [],
  ): Histogram<Label> {
    return new Histogram({ name, help, buckets, labelNames, registers: [this.registry] });
  }

  /**
   * Counts a request whose response was sent.
   * @param route the template, never the path: slugs and ids would create an unbounded number of series
   * @param status `aborted` if the caller left before the response was sent
   */
  observeRequest(method: string, route: string, status: string, seconds: number): void {
    this.requests.observe({ method, route, status }, seconds);
  }

  /**
   * Adds the metrics of Node: memory, garbage collection, event-loop delay. Collecting them has a
   * cost.
   */
  watchProcess(): void {
    collectDefaultMetrics({ register: this.registry });
  }

  /** All metrics in the text format of Prometheus. */
  read(): Promise<string> {
    return this.registry.metrics();
  }

  get contentType(): string {
    return this.registry.contentType;
  }
}

/**
 * Metrics of each connection pool (open, in use, waiting callers), and of retried transactions.
 */
@Injectable()
class PoolMetrics {
  constructor(database: Database, metrics: Metrics) {
    const show = (name: string, help: string, of: (pool: PoolStatus) => number) =>
      metrics.gauge(`teamspaces_database_connections_${name}`, help, 'pool', () =>
        Object.entries(database.poolStatus()).map(([pool, status]) => [pool, of(status)]),
      );
    show('in_use', 'Connections to PostgreSQL in use.', ({ total, idle }) => total - idle);
    show('open', 'Open connections to PostgreSQL.', ({ total }) => total);
    show('waiting', 'Callers waiting for a connection.', ({ waiting }) => waiting);
    const retries = metrics.counter(
      'teamspaces_transaction_retries_total',
      'Retried transactions, by reason.',
      ['reason'],
    );
    for (const reason of RETRY_REASONS) retries.inc({ reason }, 0);
    database.retries.countBy((reason) => retries.inc({ reason }));
  }
}

/**
 * Serves /metrics on METRICS_PORT, on a listener of its own: the balancer never leads there, and it
 * keeps responding while the service drains.
 */
@Injectable()
class MetricsServer implements OnApplicationBootstrap, OnApplicationShutdown {
  private server: Server | null = null;

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly metrics: Metrics,
  ) {}

  /** @throws Error with one sentence that names the setting to change */
  async onApplicationBootstrap(): Promise<void> {
    const { metricsPort, host } = this.config;
    if (metricsPort === null) return;
    this.metrics.watchProcess();
    const server = createServer((request, response) => {
      if (request.method !== 'GET' || request.url !== '/metrics') {
        response.writeHead(404).end();
        return;
      }
      this.metrics.read().then(
        (text) => response.writeHead(200, { 'content-type': this.metrics.contentType }).end(text),
        () => response.writeHead(500).end(),
      );
    });
    this.server = server;
    await new Promise<void>((resolve, reject) => {
      const fail = (error: Error) =>
        reject(listenFailure('METRICS_PORT', metricsPort, host, error));
      server.once('error', fail).listen(metricsPort, host, resolve);
    });
  }

  onApplicationShutdown(): void {
    this.server?.close();
    this.server?.closeAllConnections();
  }
}

/** Log, metrics and traces. */
@Global()
@Module({ providers: [Metrics, MetricsServer, PoolMetrics], exports: [Metrics] })
export class ObservabilityModule {}
