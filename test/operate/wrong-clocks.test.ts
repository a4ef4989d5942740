import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { tokenOf } from '../support/app.js';
import { createTestDatabase } from '../support/database.js';
import {
  type DeliveryBody,
  type Received,
  type Receiver,
  startReceiver,
  verify,
  WEBHOOK_ENV,
} from '../support/receiver.js';
import { sql } from '../support/sql.js';
import { endProcesses, type ServiceProcess, startProcess, until } from './process.js';

const receivers: Receiver[] = [];
afterAll(async () => {
  await endProcesses();
  for (const receiver of receivers) await receiver.stop();
});

const MINUTE = 60_000;
/** Milliseconds for which writers write before each death of an instance, and how many die. */
const [WRITING, DEATHS] = process.env.NIGHTLY === '1' ? [2 * MINUTE, 6] : [15_000, 1];
const WORKSPACES = ['docs', 'wiki'];
const ada = { sub: 'ada', email: 'ada@example.com', name: 'Ada' };

/** Sends a request as Ada. @returns the body of the response, which must be 200 */
async function send<Body>({ url }: ServiceProcess, route: string, body?: object): Promise<Body> {
  const [method = '', path] = route.split(' ');
  const response = await fetch(`${url}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${tokenOf(ada)}`,
      ...(body && { 'content-type': 'application/json' }),
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (response.status !== 200) throw new Error(text);
  return JSON.parse(text) as Body;
}

/** Starts an instance whose clock is wrong by these milliseconds. */
const startWrong = (databaseUrl: string, wrongBy: number): Promise<ServiceProcess> =>
  startProcess({
    DATABASE_URL: databaseUrl,
    ...WEBHOOK_ENV,
    NODE_OPTIONS: `--import=${pathToFileURL('test/support/wrong-clock.js')}`,
    CLOCK_IS_WRONG_BY: String(wrongBy),
  });

/** A message about a workspace, as its receiver has seen it. */
interface Call {
  message: Received;
  begun: number;
  ended: number;
}

interface Hook {
  id: string;
  secret: string;
  /** By the slug of the workspace, in the order of their begin. */
  calls: Map<string, Call[]>;
}

/** Makes a webhook whose receiver fails at each third message, once, and answers slowly. */
async function aHook(service: ServiceProcess): Promise<Hook> {
  const receiver = await startReceiver();
  receivers.push(receiver);
  const calls = new Map(WORKSPACES.map((slug): [string, Call[]] => [slug, []]));
  const seen = new Set<string>();
  receiver.always((response) => {
    const message = receiver.received.at(-1) as Received;
    const call = { message, begun: performance.now(), ended: Number.POSITIVE_INFINITY };
    calls.get(message.body.data.workspace.slug)?.push(call);
    // Before the service can have the response, and so before its pause begins; or when its instance was killed.
    const end = () => {
      call.ended = Math.min(call.ended, performance.now());
    };
    response.once('close', end);
    const fails = !seen.has(message.id) && seen.add(message.id).size % 3 === 0;
    setTimeout(() => {
      end();
      response.writeHead(fails ? 503 : 200).end();
    }, 500).unref();
  });
  const made = await send<{ _id: string; secret: string }>(service, 'POST /teams/acme/webhooks', {
    url: receiver.url,
    events: ['workspace.changed'],
  });
  return { id: made._id, secret: made.secret, calls };
}

/** Writes to each workspace, through each instance in turn, until it is told to stop. */
function startWriters(services: () => ServiceProcess[]) {
  let isOver = false;
  const write = async (slug: string) => {
    for (let n = 0; !isOver; n++) {
      const all = services();
      const service = all[n % all.length] as ServiceProcess;
      const path = `/collections?team_slug=acme&workspace_slug=${slug}`;
      // An instance may die meanwhile.
      await send(service, `POST ${path}`, {}).catch(() => undefined);
      await sleep(150);
    }
  };
  const all = Promise.all(WORKSPACES.map(write));
  return async () => {
    isOver = true;
    await all;
  };
}

/** What is wrong about the calls of a webhook about one workspace. */
function problemsOf({ secret }: Hook, calls: readonly Call[]): string[] {
  const problems: string[] = [];
  const texts = new Map<string, string>();
  const ids: string[] = [];
  for (const [n, { message, begun }] of calls.entries()) {
    const { id, text } = message;
    try {
      verify(secret, message);
    } catch (error) {
      problems.push(`message ${n} is refused: ${(error as Error).message}`);
    }
    const before = calls[n - 1];
    // A millisecond for what the database rounds.
    const pause = before ? begun - before.ended : Number.POSITIVE_INFINITY;
    if (pause < 4_990) problems.push(`message ${n} came ${Math.round(pause)} ms after the last`);
    if (ids.at(-1) !== id) ids.push(id);
    if ((texts.get(id) ?? text) !== text) problems.push(`message ${n} is another than before`);
    texts.set(id, text);
  }
  const inOrder = [...texts.keys()].sort();
  if (ids.join() !== inOrder.join()) problems.push(`messages are not in order: ${ids}`);
  return problems;
}

test(
  'one message at a time, and one in five seconds, in order and never lost, whatever the clocks of instances say',
  async () => {
    const database = await createTestDatabase();
    const start = (wrongBy: number) => startWrong(database.url, wrongBy);
    const services = [await start(10 * MINUTE), await start(-10 * MINUTE)];
    const first = services[0] as ServiceProcess;
    await send(first, 'POST /teams', { name: 'Acme', slug: 'acme' });
    for (const slug of WORKSPACES) {
      await send(first, 'POST /teams/acme/workspaces', { name: slug });
    }
    const hooks = [await aHook(first), await aHook(services[1] as ServiceProcess)];
    const calls = () => hooks.flatMap((hook) => [...hook.calls.values()]);
    for (let deaths = 0; deaths < DEATHS; deaths++) {
      const stop = startWriters(() => services);
      try {
        await sleep(WRITING);
        // While messages are on their way.
        await until(() => calls().some((all) => all.at(-1)?.ended === Number.POSITIVE_INFINITY));
        const dying = services.shift() as ServiceProcess;
        await dying.end('SIGKILL');
        const counts = calls().map(({ length }) => length);
        // For a minute at most.
        await until(() => calls().every(({ length }, n) => length > (counts[n] ?? 0)));
        services.push(await start((deaths % 2 === 0 ? 10 : -10) * MINUTE));
      } finally {
        await stop();
      }
    }
    const survivor = services[0] as ServiceProcess;
    for (const slug of WORKSPACES) {
      const path = `/teams/acme/workspaces/${slug}`;
      const { version } = await send<{ version: string }>(survivor, `GET ${path}`);
      for (const hook of hooks) {
        const isNewest = (all: readonly Call[] = []) =>
          all.at(-1)?.message.body.data.version === version;
        await until(() => isNewest(hook.calls.get(slug)));
      }
    }
    for (const hook of hooks) {
      for (const [slug, all] of hook.calls) {
        expect([slug, problemsOf(hook, all)]).toEqual([slug, []]);
      }
      const path = `/teams/acme/webhooks/${hook.id}/deliveries`;
      const times = (await send<DeliveryBody[]>(survivor, `GET ${path}`)).map(({ at }) => at);
      expect(times).toEqual([...times].sort().reverse());
    }
    await endProcesses();
    await database.drop();
  },
  DEATHS * (WRITING + 3 * MINUTE) + 5 * MINUTE,
);

test('an instance whose clock is ahead writes and says no time that has not come yet', async () => {
  const database = await createTestDatabase();
  const service = await startWrong(database.url, 10 * MINUTE);
  const said: unknown[] = [];
  const call = async (route: string, body?: object) => {
    const record = await send<{ _id: string; id: string }>(service, route, body);
    said.push(record);
    return record;
  };
  await call('POST /teams', { name: 'Acme', slug: 'acme' });
  await call('PUT /teams/acme', { name: 'Acme Ltd' });
  await call('POST /teams/acme/invite-code');
  await call('POST /teams/acme/invites', {
    invites: [{ email: 'bo@example.com', role: 'member' }],
  });
  const { _id } = await call('POST /teams/acme/workspaces', { name: 'Docs' });
  await call('PUT /teams/acme/workspaces/docs', { name: 'Documents' });
  await call('DELETE /teams/acme/workspaces/docs');
  await call('GET /teams/acme/trash');
  await call(`POST /teams/acme/trash/${_id}/restore`);
  const items = '/collections?team_slug=acme&workspace_slug=docs';
  await call(`POST ${items}`, {});
  const receiver = await startReceiver();
  receivers.push(receiver);
  const hook = await call('POST /teams/acme/webhooks', { url: receiver.url });
  await call(`POST /teams/acme/webhooks/${hook._id}/secret`);
  await call(`POST /teams/acme/webhooks/${hook._id}/test`);
  await receiver.arrival(2);
  await call(`GET /teams/acme/webhooks/${hook._id}/deliveries`);
  await call('GET /teams/acme/audit-log');
  said.push(receiver.received.map(({ body }) => body));
  const times = JSON.stringify(said).match(/"\w+":"\d{4}-[^"]+Z"/g) ?? [];
  const now = new Date().toISOString();
  const future = times.filter(
    (time) => !/expires/.test(time) && String(time.split('":"')[1]) > now,
  );
  expect([times.length > 20, future]).toEqual([true, []]);
  expect(await futureTimes(database.url)).toEqual([]);
  await endProcesses();
  await database.drop();
});

/** Columns with times that have not come yet, but for those that say when something ends or is due. */
async function futureTimes(databaseUrl: string): Promise<string[]> {
  const columns = await sql<{ table: string; column: string }>(
    databaseUrl,
    `SELECT table_name AS table, column_name AS column FROM information_schema.columns
     WHERE table_schema = 'public' AND data_type = 'timestamp with time zone'
       AND column_name NOT IN ('expires_at', 'due_at', 'leased_until')`,
  );
  const future: string[] = [];
  for (const { table, column } of columns) {
    const rows = await sql(databaseUrl, `SELECT FROM "${table}" WHERE "${column}" > now()`);
    if (rows.length > 0) future.push(`${table}.${column}`);
  }
  return future;
}
