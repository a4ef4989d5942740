import { RedisServer } from '../operate/external/redis-server.js';
import { type ServiceProcess, startProcess } from '../operate/process.js';
import { findProgram } from '../support/programs.js';
import { type Haproxy, startHaproxy } from './haproxy.js';

/** Nobody in a test asks as often; it is counted all the same. */
const GENEROUS = '1000000';

/**
 * Starts `count` processes of the built service on one database, with one Redis where it is
 * installed, and a balancer in front of them.
 */
export async function startInstances(
  count: number,
  databaseUrl: string,
  env: Record<string, string>,
): Promise<Haproxy> {
  const redis = findProgram('redis-server') === null ? null : await RedisServer.start();
  const limit = { ...(redis && { REDIS_URL: redis.url }), RATE_LIMIT_PER_MINUTE: GENEROUS };
  const settings = { DATABASE_URL: databaseUrl, ...limit, TRUST_PROXY: '1', ...env };
  const instances: ServiceProcess[] = [];
  const end = async () => {
    const ends = await Promise.all(instances.map((instance) => instance.end()));
    await redis?.stop();
    const wrong = ends.findIndex(({ status }) => status !== 0);
    if (wrong >= 0) throw new Error(`an instance ended badly:\n${instances[wrong]?.output()}`);
  };
  try {
    const starts = Array.from({ length: count }, () => startProcess(settings));
    for (const started of await Promise.allSettled(starts)) {
      if (started.status === 'rejected') throw started.reason;
      instances.push(started.value);
    }
    const ports = instances.map(({ port }) => port);
    const balancer = await startHaproxy(ports, { compresses: false });
    return {
      url: balancer.url,
      stop: async () => {
        await balancer.stop();
        await end();
      },
    };
  } catch (error) {
    await end();
    throw error;
  }
}
