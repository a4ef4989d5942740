import { setImmediate } from 'node:timers/promises';
import { SYSTEM_CLOCK } from '../../src/config/config.module.js';
import type { DomainError } from '../../src/errors/domain-error.js';
import { BodiesInReceipt, type BodyInReceipt } from '../../src/http/bodies-in-receipt.js';
import { Metrics } from '../../src/observability/metrics.js';

const KIB = 1024;
const MIB = 1024 * KIB;

let now: number;
let check: () => void;
let bodies: BodiesInReceipt;
let cut: Map<BodyInReceipt, DomainError>;
beforeEach(() => {
  now = 1_000_000;
  cut = new Map();
  const every = (_: number, task: () => void) => {
    check = task;
    return () => undefined;
  };
  bodies = new BodiesInReceipt({ ...SYSTEM_CLOCK, now: () => now, every }, new Metrics());
  bodies.onApplicationBootstrap();
});

async function begin(callerId: string, bytes: number | null): Promise<BodyInReceipt> {
  const body = await bodies.begin(callerId, bytes);
  body.onCut = (error) => cut.set(body, error);
  return body;
}

const many = (callerId: string, count: number, bytes: number) =>
  Promise.all(Array.from({ length: count }, () => begin(callerId, bytes)));

/** Seconds pass, in each of which something arrives. */
async function pass(seconds: number, each: () => void = () => undefined): Promise<void> {
  for (let second = 0; second < seconds; second++) {
    each();
    now += 1_000;
    check();
    await setImmediate();
    await setImmediate();
  }
}

const REFUSED = { code: 'rate_limit_exceeded', retryAfterSeconds: 1 };

describe('of one caller', () => {
  test('bodies of 16 MiB are received, and no byte more until one has ended', async () => {
    const [first] = await many('ada', 8, 2 * MIB);
    await expect(begin('ada', 1)).rejects.toMatchObject(REFUSED);
    await begin('bob', 2 * MIB);
    bodies.end(first as BodyInReceipt);
    bodies.end(first as BodyInReceipt);
    await begin('ada', 2 * MIB);
    await expect(begin('ada', 1)).rejects.toMatchObject(REFUSED);
  });

  test('a body that announces nothing counts as 2 MiB', async () => {
    for (let n = 0; n < 8; n++) await begin('ada', null);
    await expect(begin('ada', null)).rejects.toMatchObject(REFUSED);
  });
});

describe('more than 96 MiB of all', () => {
  test('cost the caller with the most what has stood still for a second, but no small body', async () => {
    const most = await many('ada', 6, 2 * MIB);
    const others = (
      await Promise.all(['b', 'c', 'd', 'e', 'f', 'g', 'h'].map((who) => many(who, 12, MIB)))
    ).flat();
    const small = await begin('ada', 64 * KIB);
    const arriving = most[0] as BodyInReceipt;
    await pass(1, () => {
      arriving.received += 1;
    });
    now += 500;
    arriving.received += 1;
    now += 499;
    // More than 96 MiB are in receipt: a small one is never too much.
    await begin('i', 64 * KIB);
    await begin('i', MIB);
    expect([...cut.keys()]).toEqual(most.slice(1));
    expect([...cut.values()]).toEqual(Array(5).fill(expect.objectContaining(REFUSED)));
    expect(cut.has(small)).toBe(false);
    // Room is there again.
    await many('j', 8, MIB);
    expect(others.some((body) => cut.has(body))).toBe(false);
  });

  test('are refused if nothing of the caller with the most stands still', async () => {
    const moving = await many('ada', 8, 2 * MIB);
    for (const who of ['b', 'c', 'd', 'e', 'f']) await many(who, 15, MIB);
    await many('g', 5, MIB);
    await pass(3, () => {
      for (const body of moving) body.received += 20 * KIB;
    });
    now += 999;
    await expect(begin('h', 65 * KIB)).rejects.toMatchObject(REFUSED);
    await begin('h', 64 * KIB);
    expect(cut.size).toBe(0);
    now += 1;
    await begin('h', 65 * KIB);
    expect([...cut.keys()]).toEqual(moving);
  });

  test('cost nobody a body whose bytes have arrived while the process was busy', async () => {
    const waiting = await many('ada', 8, 2 * MIB);
    for (const who of ['b', 'c', 'd', 'e', 'f']) await many(who, 8, 2 * MIB);
    now += 5_000;
    const refused = begin('h', MIB);
    // Before the end of the same turn of the event loop.
    for (const body of waiting) body.received += 1;
    await expect(refused).rejects.toMatchObject(REFUSED);
    expect(cut.size).toBe(0);
  });
});

describe('a body with less than 16 KiB a second', () => {
  test('is cut after ten seconds, also a small one, and also after a fast start', async () => {
    const [slow, small, enough, late] = [
      await begin('ada', MIB),
      await begin('ada', 64 * KIB),
      await begin('bob', MIB),
      await begin('bob', MIB),
    ];
    late.received += 500 * KIB;
    await pass(9, () => {
      slow.received += 16 * KIB - 1;
      enough.received += 16 * KIB;
    });
    expect(cut.size).toBe(0);
    await pass(1, () => {
      slow.received += 16 * KIB;
      enough.received += 16 * KIB;
    });
    expect([...cut.keys()]).toEqual([slow, small]);
    expect(cut.get(slow)).toMatchObject({ code: 'bad_request', retryAfterSeconds: null });
    await pass(9, () => {
      enough.received += 16 * KIB;
    });
    expect([cut.has(enough), cut.has(late)]).toEqual([false, false]);
    await pass(1, () => {
      enough.received += 16 * KIB;
    });
    expect([cut.has(enough), cut.has(late)]).toEqual([false, true]);
  });

  test('is counted from its own beginning', async () => {
    await pass(1);
    now += 500;
    const body = await begin('ada', MIB);
    now += 500;
    check();
    await setImmediate();
    await pass(9);
    expect(cut.size).toBe(0);
    await pass(1);
    expect([...cut.keys()]).toEqual([body]);
  });

  test('is not cut for what the process itself was late', async () => {
    const body = await begin('ada', MIB);
    const { now: tick } = performance;
    const start = performance.now();
    try {
      // Both clocks go on by twelve seconds, and the check that was due after one comes only now.
      performance.now = () => start + 12_000;
      now += 12_000;
      check();
    } finally {
      performance.now = tick;
    }
    await setImmediate();
    expect(cut.has(body)).toBe(false);
  });
});
