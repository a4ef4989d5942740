import {
  type BeforeApplicationShutdown,
  Inject,
  Injectable,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { CLOCK, type Clock } from '../config/config.module.js';
import { badRequest, DomainError } from '../errors/domain-error.js';
import { yieldToEventLoop } from '../event-loop.js';
import { Metrics } from '../observability/metrics.js';
import {
  BODY_WINDOW,
  MAX_BODIES_OF_ALL,
  MAX_BODIES_OF_CALLER,
  MAX_BODY_BYTES,
  MIN_BODY_RATE,
  MIN_BODY_STALL,
  SMALL_BODY,
} from './limits.js';

/** Milliseconds between two checks. */
const CHECK_STEP = 1_000;

/** A body that is being received: it counts until end() is called. */
export interface BodyInReceipt {
  callerId: string;
  /** Bytes that it announces. */
  bytes: number;
  /** Bytes that have arrived. */
  received: number;
  /** True from when it is cut. */
  isCut: boolean;
  /** Called if it is cut, with the error for its caller. */
  onCut(error: DomainError): void;
  /** How fast it arrives: maintained by BodiesInReceipt. */
  arrival: {
    /** Bytes that had arrived at the last check. */
    received: number;
    /** When some had arrived, as far as checks have seen. */
    lastProgress: number;
    /** Milliseconds of this window, and bytes that had arrived before it. */
    waited: number;
    receivedBefore: number;
  };
}

/**
 * Bounds what bodies hold in memory while they arrive, counted by what they announce.
 *
 * - 16 MiB for one caller: beyond that, 429 before a byte is read.
 * - 96 MiB in all: beyond that, the caller with the most loses the bodies that have stood still for a second; if
 *   that makes no room, the new body gets 429. Bodies of up to 64 KiB are exempt in both ways.
 * - A body that arrives with less than 16 KiB a second over ten seconds is cut.
 *
 * A busy process reads late: what it has not read yet is not the fault of the sender. So it looks at bodies right
 * after a turn of the event loop in which everything was read that had arrived, and its own delay does not count.
 */
@Injectable()
export class BodiesInReceipt implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly open = new Set<BodyInReceipt>();
  /** Bytes announced by each caller, and by all. */
  private readonly byCaller = new Map<string, number>();
  private announced = 0;
  private lastCheck: number;
  private readonly refused;
  private endChecks = (): void => undefined;

  constructor(
    @Inject(CLOCK) private readonly clock: Clock,
    metrics: Metrics,
  ) {
    this.lastCheck = clock.now();
    metrics.gauge(
      'teamspaces_body_bytes',
      'Bytes of request bodies that are being received: announced, and received so far.',
      'state',
      () => [
        ['announced', this.announced],
        ['received', [...this.open].reduce((sum, { received }) => sum + received, 0)],
      ],
    );
    this.refused = metrics.counter(
      'teamspaces_bodies_refused_total',
      'Request bodies that were not received, by reason: too much of one caller, too much of all, cut because they stood still, cut because they were slow.',
      ['reason'],
    );
    for (const reason of ['caller', 'all', 'still', 'slow'] as const) {
      this.refused.inc({ reason }, 0);
    }
  }

  onApplicationBootstrap(): void {
    let lastTick = performance.now();
    this.endChecks = this.clock.every(CHECK_STEP, async () => {
      const tick = performance.now();
      const delay = Math.max(0, tick - lastTick - CHECK_STEP);
      lastTick = tick;
      await yieldToEventLoop();
      this.check(delay);
    });
  }

  beforeApplicationShutdown(): void {
    this.endChecks();
  }

  /**
   * Makes room for a body, before any of it is read.
   * @param bytes that it announces; null: nothing
   * @throws DomainError rate_limit_exceeded
   */
  async begin(callerId: string, bytes: number | null): Promise<BodyInReceipt> {
    const size = bytes ?? MAX_BODY_BYTES;
    this.assertRoomOfCaller(callerId, size);
    if (size > SMALL_BODY && this.isFull(size)) {
      await yieldToEventLoop();
      if (this.isFull(size)) this.makeRoom();
      if (this.isFull(size)) throw this.refuse('all', tooMuchOfAll());
      this.assertRoomOfCaller(callerId, size);
    }
    this.byCaller.set(callerId, (this.byCaller.get(callerId) ?? 0) + size);
    this.announced += size;
    const now = this.clock.now();
    const waited = this.lastCheck - now;
    const arrival = { received: 0, lastProgress: now, waited, receivedBefore: 0 };
    const onCut = () => undefined;
    const body = { callerId, bytes: size, received: 0, isCut: false, onCut, arrival };
    this.open.add(body);
    return body;
  }

  /** The body has arrived, or never will. */
  end(body: BodyInReceipt): void {
    if (!this.open.delete(body)) return;
    const { callerId, bytes } = body;
    this.announced -= bytes;
    const left = (this.byCaller.get(callerId) ?? 0) - bytes;
    if (left > 0) this.byCaller.set(callerId, left);
    else this.byCaller.delete(callerId);
  }

  private isFull(size: number): boolean {
    return this.announced + size > MAX_BODIES_OF_ALL;
  }

  private assertRoomOfCaller(callerId: string, size: number): void {
    const held = this.byCaller.get(callerId) ?? 0;
    if (held + size > MAX_BODIES_OF_CALLER) throw this.refuse('caller', tooMuchOfCaller());
  }

  /** Cuts what arrives too slowly. @param delay milliseconds by which this process was late for the check */
  private check(delay: number): void {
    const now = this.clock.now();
    const elapsed = now - this.lastCheck - delay;
    this.lastCheck = now;
    for (const body of this.open) {
      if (isTooSlow(body, now, elapsed)) this.cut(body, 'slow', tooSlow());
    }
  }

  /** Cuts what stands still of the caller with the most. */
  private makeRoom(): void {
    const now = this.clock.now();
    const [[most] = []] = [...this.byCaller].sort(([, a], [, b]) => b - a);
    for (const body of this.open) {
      const { callerId, bytes, received, arrival } = body;
      const isStill = received === arrival.received && now - arrival.lastProgress >= MIN_BODY_STALL;
      if (callerId === most && bytes > SMALL_BODY && isStill) this.cut(body, 'still', stoodStill());
    }
  }

  private cut(body: BodyInReceipt, reason: 'still' | 'slow', error: DomainError): void {
    this.end(body);
    body.isCut = true;
    body.onCut(this.refuse(reason, error));
  }

  private refuse(reason: 'caller' | 'all' | 'still' | 'slow', error: DomainError): DomainError {
    this.refused.inc({ reason });
    return error;
  }
}

function isTooSlow({ received, arrival }: BodyInReceipt, now: number, elapsed: number): boolean {
  if (received !== arrival.received) {
    arrival.received = received;
    arrival.lastProgress = now;
  }
  arrival.waited += elapsed;
  if (arrival.waited < BODY_WINDOW) return false;
  const isSlow = received - arrival.receivedBefore < (arrival.waited / 1000) * MIN_BODY_RATE;
  arrival.waited = 0;
  arrival.receivedBefore = received;
  return isSlow;
}

const tooMuch = (message: string): DomainError =>
  new DomainError('rate_limit_exceeded', message, { retryAfterSeconds: 1 });

const tooMuchOfCaller = () =>
  tooMuch('your request bodies that are being received exceed 16 MiB: send fewer at once');

const tooMuchOfAll = () =>
  tooMuch('the request bodies that are being received exceed 96 MiB: try again in 1 second');

const stoodStill = () =>
  tooMuch('the body stood still for a second while others needed its room: send it again');

const tooSlow = () =>
  badRequest('the body arrived too slowly: it must arrive with at least 16 KiB a second');

/** The Content-Length; null: the length of the body is not known. */
export function announcedBytes({ headers }: Pick<FastifyRequest, 'headers'>): number | null {
  const { 'content-length': length = '0', 'transfer-encoding': encoding } = headers;
  return encoding === undefined ? Number(length) : null;
}
