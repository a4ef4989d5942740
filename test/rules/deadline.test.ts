import { EventEmitter, once } from 'node:events';
import { jest } from '@jest/globals';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { enforceDeadline, outsideDeadline } from '../../src/http/deadline.js';

type Hook = (request: FastifyRequest, reply: FastifyReply, ...rest: unknown[]) => void;

let hooks: Map<string, Hook>;
let waiting: Set<string>;
let late: Map<FastifyRequest, string>;
beforeEach(() => {
  jest.useFakeTimers();
  hooks = new Map();
  waiting = new Set();
  late = new Map();
  const fastify = {
    addHook: (name: string, hook: Hook) => hooks.set(name, hook),
    decorateRequest: () => undefined,
  };
  enforceDeadline(
    fastify as unknown as FastifyInstance,
    (error, request) => {
      late.set(request, error.message);
    },
    (callerId) => waiting.has(callerId),
  );
});
afterEach(() => {
  jest.useRealTimers();
});

/** A request of Ada's, and what ends it. */
function aRequest(method: string) {
  const request = { method, user: { id: 'ada' } } as unknown as FastifyRequest;
  const raw = { destroyed: false };
  const reply = { raw } as unknown as FastifyReply;
  const respond = () => hooks.get('onSend')?.(request, reply, '', () => undefined);
  hooks.get('preHandler')?.(request, reply, () => undefined);
  const leave = () => {
    raw.destroyed = true;
  };
  return { request, respond, leave };
}

const seconds = (count: number) => jest.advanceTimersByTime(count * 1000);

test('a request has nine seconds until its first byte', () => {
  const [get, put, answered] = ['GET', 'PUT', 'GET'].map(aRequest) as ReturnType<typeof aRequest>[];
  seconds(8.75);
  answered?.respond();
  expect(late.size).toBe(0);
  seconds(0.25);
  expect([...late]).toEqual([
    [get?.request, 'the response took longer than 9 seconds: try again'],
    [put?.request, expect.stringContaining('the outcome of this change is unknown')],
  ]);
});

test('nobody is told whose caller is gone', () => {
  const [gone, patient] = [aRequest('GET'), aRequest('GET')];
  seconds(5);
  gone.leave();
  seconds(5);
  expect([...late.keys()]).toEqual([patient.request]);
});

test('a read is not late while its caller waits for a connection, a change is', () => {
  const [get, head, put] = ['GET', 'HEAD', 'PUT'].map((method) => aRequest(method).request);
  seconds(5);
  waiting.add('ada');
  seconds(30);
  expect([...late.keys()]).toEqual([put]);
  waiting.clear();
  // Others may wait as long as they like.
  waiting.add('bob');
  seconds(3.75);
  expect(late.size).toBe(1);
  seconds(0.5);
  expect([...late.keys()]).toEqual([put, get, head]);
});

test('what has a bound of its own does not count, and the time begins again after it', async () => {
  const { request } = aRequest('PUT');
  seconds(5);
  const bodies = new EventEmitter();
  const work = outsideDeadline(request, () => once(bodies, 'received'));
  seconds(60);
  bodies.emit('received');
  await work;
  seconds(8.5);
  expect(late.size).toBe(0);
  seconds(0.75);
  expect([...late.keys()]).toEqual([request]);
});
