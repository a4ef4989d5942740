import type { FastifyReply } from 'fastify';
import { loadConfig } from '../../src/config/config.js';
import { SYSTEM_CLOCK } from '../../src/config/config.module.js';
import { Metrics } from '../../src/observability/metrics.js';
import { RateLimit, RequestCharges } from '../../src/rate-limit/rate-limit.js';

/** A request of Ada's, who has 10 points: whether its headers are sent, what they say, and what it costs later. */
function aRequest() {
  const limit = new RateLimit(
    loadConfig({ RATE_LIMIT_PER_MINUTE: '10' }),
    { ...SYSTEM_CLOCK, now: () => 0 },
    new Metrics(),
  );
  const said: string[] = [];
  const raw = { headersSent: false };
  const header = (name: string, value: string) => name === 'ratelimit' && said.push(value);
  const reply = { header, raw } as unknown as FastifyReply;
  return { limit, said, raw, reply, charges: new RequestCharges(limit, reply, 'ada') };
}

test('what was charged before the response is counted once, and its headers say so', async () => {
  const { said, charges } = aRequest();
  charges.add(2);
  charges.add(1);
  await charges.settle();
  expect(said).toEqual(['"user";r=7;t=60']);
  expect(charges.settle()).toBeNull();
});

test('what is charged after the response, as it took too long, counts as well', async () => {
  const { limit, said, raw, reply, charges } = aRequest();
  expect(charges.settle()).toBeNull();
  raw.headersSent = true;
  charges.add(3);
  expect(said).toEqual([]);
  await limit.count(reply, 'user', 'ada');
  expect(said).toEqual(['"user";r=6;t=60']);
});
