import { Injectable } from '@nestjs/common';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { versionOfPackage } from './version.js';

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
    }).set({ version: versionOfPackage(), node: process.version }, 1);
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

  /** How values are distributed; whoever measures calls `observe()`. @param buckets upper bounds */
  histogram(name: string, help: string, buckets: number[]): Histogram {
    return new Histogram({ name, help, buckets, registers: [this.registry] });
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
