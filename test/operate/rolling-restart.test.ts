import { Agent } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { startHaproxy } from '../instances/haproxy.js';
import { somebody, tokenOf } from '../support/app.js';
import { build } from '../support/build.js';
import { createTestDatabase } from '../support/database.js';
import { assertInvariants } from '../support/invariants.js';
import { describeWith } from '../support/programs.js';
import { send } from './load.js';
import { endProcesses, type ServiceProcess, startProcess } from './process.js';

const TIMEOUT = 180_000;
const WRITERS = 8;
const READERS = 8;
const PATCHERS = 4;

const authorization = `Bearer ${tokenOf(somebody())}`;
const headers = { authorization, 'content-type': 'application/json' };
const PATH = '/teams/acme/workspaces/docs/collections';

interface Listed {
  id: string;
  name: string;
}

beforeAll(build, 300_000);
afterEach(endProcesses, 60_000);

/** One request; anything but a 200 that is whole is a failure. */
async function call<Body>(
  url: string,
  method: string,
  path: string,
  body?: object,
  agent?: Agent,
): Promise<Body> {
  const shot = { method, path, headers, ...(body && { body: JSON.stringify(body) }) };
  const { response, text } = await send(url, shot, agent);
  if (response.statusCode !== 200) throw new Error(`${method} ${response.statusCode} ${text}`);
  return JSON.parse(text) as Body;
}

/** Clients with connections of their own, kept alive, that ask without a pause until `end()`. */
function startLoad(url: string, pages: readonly Listed[]) {
  const acknowledged: Listed[][] = [];
  const patches = new Map<string, number>();
  const failures: string[] = [];
  let reads = 0;
  let isOver = false;
  const repeat = async (once: (agent: Agent) => Promise<void>) => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    while (!isOver) {
      await once(agent).catch((error: NodeJS.ErrnoException) => {
        failures.push(`${error.code ?? ''} ${error.message}`);
      });
    }
    agent.destroy();
  };
  const writers = Array.from({ length: WRITERS }, (_, writer) => {
    const mine: Listed[] = [];
    acknowledged.push(mine);
    return repeat(async (agent) => {
      const name = `${writer}.${mine.length}`;
      mine.push(await call(url, 'POST', PATH, { name, object: 'item' }, agent));
    });
  });
  const readers = Array.from({ length: READERS }, () =>
    repeat(async (agent) => {
      await call(url, 'GET', '/teams/acme', undefined, agent);
      reads++;
    }),
  );
  // Without a key: what is sent twice is there twice.
  const patchers = pages.map(({ id }) =>
    repeat(async (agent) => {
      const n = patches.get(id) ?? 0;
      await call(
        url,
        'PATCH',
        `${PATH}/${id}/content`,
        [{ op: 'add', path: '/list/-', value: n }],
        agent,
      );
      patches.set(id, n + 1);
    }),
  );
  return {
    end: async () => {
      isOver = true;
      await Promise.all([...writers, ...readers, ...patchers]);
      return { acknowledged, failures, reads, patches };
    },
  };
}

describeWith('haproxy')('two instances behind a balancer', () => {
  test(
    'are restarted one after the other under load, and not one request fails',
    async () => {
      const database = await createTestDatabase();
      const env = {
        DATABASE_URL: database.url,
        LOG_LEVEL: 'warn',
        PLAN_LIMITS: '{"free":{"pages":0}}',
        SHUTDOWN_DELAY_MS: '1500',
      };
      let instances: ServiceProcess[] = [await startProcess(env), await startProcess(env)];
      const balancer = await startHaproxy(instances.map(({ port }) => port));
      try {
        await call(balancer.url, 'POST', '/teams', { name: 'Acme', slug: 'acme' });
        await call(balancer.url, 'POST', '/teams/acme/workspaces', { name: 'Docs' });
        const pages: Listed[] = [];
        for (let n = 0; n < PATCHERS; n++) {
          const page = { name: `patched ${n}`, object: 'item', content: { list: [] } };
          pages.push(await call<Listed>(balancer.url, 'POST', PATH, page));
        }
        const load = startLoad(balancer.url, pages);
        await sleep(1_000);
        for (const old of instances) {
          expect((await old.end()).status).toBe(0);
          const restarted = await startProcess({ ...env, PORT: String(old.port) });
          instances = instances.map((one) => (one === old ? restarted : one));
          // The balancer asks it, and it takes its share of the load.
          await sleep(1_000);
        }
        const { acknowledged, failures, reads, patches } = await load.end();
        expect(failures).toEqual([]);

        for (const { id } of pages) {
          const path = `${PATH}/${id}`;
          const { content } = await call<{ content: object }>(balancer.url, 'GET', path);
          expect(content).toEqual({
            list: Array.from({ length: patches.get(id) ?? 0 }, (_, n) => n),
          });
        }
        const tree = await call<Listed[]>(balancer.url, 'GET', PATH);
        const listed = tree.filter(({ name }) => !name.startsWith('patched'));
        const ids = listed.map(({ id }) => id);
        expect(new Set(ids)).toEqual(new Set(acknowledged.flat().map(({ id }) => id)));
        expect(ids).toHaveLength(acknowledged.flat().length);
        // Each writer waited for its response: what it made first comes first.
        for (const [writer, mine] of acknowledged.entries()) {
          const own = listed.filter(({ name }) => name.startsWith(`${writer}.`));
          expect(own.map(({ id }) => id)).toEqual(mine.map(({ id }) => id));
        }
        await assertInvariants(database.url);
        console.log(
          `rolling restart: ${ids.length} creates, ${reads} reads and ${[...patches.values()]} patches, all 200, nothing lost or done twice`,
        );
      } finally {
        await balancer.stop();
        await endProcesses();
        await database.drop();
      }
    },
    TIMEOUT,
  );
});
