import type { Socket } from 'node:net';
import { jest } from '@jest/globals';
import type { FastifyInstance } from 'fastify';
import { SYSTEM_CLOCK } from '../../src/config/config.module.js';
import { Connection, type Connections, closeSlowReaders } from '../../src/http/connections.js';

const KIB = 1024;
const MIB = 1024 * KIB;

/** A connection to a reader that a test controls. */
interface Reader {
  isClosed: boolean;
  /** So many bytes wait for it from now on. */
  wait(bytes: number): void;
  /** It has taken so many more bytes; as many wait as before. */
  take(bytes: number): void;
}

let now: number;
let open: Connection[];
beforeEach(() => {
  jest.useFakeTimers();
  now = 1_000_000;
  open = [];
  const fastify = { addHook: () => undefined, server: { once: () => undefined } };
  const connections = { all: () => open.values() };
  closeSlowReaders(fastify as unknown as FastifyInstance, connections as unknown as Connections, {
    ...SYSTEM_CLOCK,
    now: () => now,
  });
});
afterEach(() => {
  jest.useRealTimers();
});

function aReader(callerId = 'ada'): Reader {
  const socket = {
    writableLength: 0,
    _handle: { bytesWritten: 0, writeQueueSize: 0 },
    destroy() {
      reader.isClosed = true;
      open = open.filter((one) => one !== connection);
    },
  };
  const connection = new Connection(socket as unknown as Socket);
  connection.reading.callerId = callerId;
  open.push(connection);
  const reader: Reader = {
    isClosed: false,
    wait: (bytes) => {
      // The system takes the first byte of a response, whether the reader does or not.
      if (bytes > 0 && socket.writableLength === 0) reader.take(1);
      socket.writableLength = bytes;
    },
    take: (bytes) => {
      socket._handle.bytesWritten += bytes;
    },
  };
  return reader;
}

/** Seconds pass, in each of which the readers take something. */
function pass(seconds: number, each: () => void = () => undefined): void {
  for (let second = 0; second < seconds; second++) {
    each();
    now += 1_000;
    jest.advanceTimersByTime(1_000);
  }
}

test('who takes nothing for 30 seconds while something waits is closed', () => {
  const [stalled, idle] = [aReader(), aReader()];
  pass(100);
  stalled.wait(1);
  pass(29);
  expect(stalled.isClosed).toBe(false);
  stalled.take(1);
  pass(29);
  expect(stalled.isClosed).toBe(false);
  pass(2);
  expect([stalled.isClosed, idle.isClosed]).toEqual([true, false]);
});

test('who takes less than 16 KiB a second over a minute is closed, also after a fast start', () => {
  const [slow, enough, patient] = [aReader(), aReader(), aReader()];
  for (const reader of [slow, enough, patient]) reader.wait(MIB);
  pass(60, () => {
    for (const reader of [slow, enough, patient]) reader.take(MIB);
  });
  pass(59, () => {
    slow.take(16 * KIB - 1);
    enough.take(16 * KIB);
    // In one go, at the end of the minute.
    patient.take(1);
  });
  patient.take(60 * 16 * KIB);
  expect([slow, enough, patient].map(({ isClosed }) => isClosed)).toEqual([false, false, false]);
  pass(3, () => {
    slow.take(16 * KIB - 1);
    enough.take(16 * KIB);
    patient.take(16 * KIB);
  });
  expect([slow, enough, patient].map(({ isClosed }) => isClosed)).toEqual([true, false, false]);
});

test('only the time in which something waits counts for the speed', () => {
  const reader = aReader();
  reader.wait(MIB);
  pass(30, () => reader.take(16 * KIB));
  reader.wait(0);
  pass(600);
  reader.wait(MIB);
  pass(29, () => reader.take(16 * KIB));
  expect(reader.isClosed).toBe(false);
  pass(120, () => reader.take(16 * KIB));
  expect(reader.isClosed).toBe(false);
});

describe('more than 96 MiB that wait', () => {
  test('cost the caller with the most the connections that have read nothing for longest', () => {
    const few = aReader('bob');
    few.wait(20 * MIB);
    pass(5);
    const [longest, longer, reading] = [aReader(), aReader(), aReader()];
    longest.wait(30 * MIB);
    pass(1);
    longer.wait(30 * MIB);
    pass(1);
    reading.wait(10 * MIB);
    pass(5, () => reading.take(MIB));
    expect([few, longest, longer, reading].map(({ isClosed }) => isClosed)).toEqual(
      Array(4).fill(false),
    );
    reading.wait(17 * MIB);
    pass(1, () => reading.take(MIB));
    expect([few, longest, longer, reading].map(({ isClosed }) => isClosed)).toEqual([
      false,
      true,
      false,
      false,
    ]);
    pass(5, () => reading.take(MIB));
    expect([few, longer, reading].map(({ isClosed }) => isClosed)).toEqual(Array(3).fill(false));
  });

  test('cost nobody a connection that has read within a second', () => {
    const [reading, stalled] = [aReader(), aReader('bob')];
    reading.wait(90 * MIB);
    stalled.wait(7 * MIB);
    pass(20, () => reading.take(MIB));
    expect([reading.isClosed, stalled.isClosed]).toEqual([false, false]);
    pass(2);
    expect([reading.isClosed, stalled.isClosed]).toEqual([true, false]);
  });

  test('are counted over all callers, and those without a token are one', () => {
    const [known, ...unknown] = [aReader('ada'), aReader(''), aReader('')];
    known.wait(40 * MIB);
    pass(1);
    for (const reader of unknown) reader.wait(30 * MIB);
    pass(3);
    expect([known, ...unknown].filter(({ isClosed }) => isClosed)).toEqual([unknown[0]]);
  });
});
