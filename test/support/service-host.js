import { createServer } from 'node:http';

/**
 * Runs services for the tests, outside jest: its module registry would load the whole application
 * again for each test file. One process for each of jest's workers, for all files of a run.
 *
 *     node test/support/service-host.js FOLDER     FOLDER: the transpiled sources
 *
 *     POST /          body: the environment → { id, url }, or { error }
 *     PUT /<id>       body: milliseconds by which its clock is moved forward
 *     GET /<id>       header `workspace`: its id → { waiting }, the commands in the queue of its tree
 *     DELETE /<id>    stops that service
 */
const folder = process.argv[2];
const [{ createApp }, { loadConfig }, { TreeWriter }] = await Promise.all([
  import(`${folder}/app.js`),
  import(`${folder}/config/config.js`),
  import(`${folder}/collections/writer/tree-writer.js`),
]);

const services = new Map();
let started = 0;

/** The system's clock, which `advance` moves forward: tasks of an interval that fits run once. */
function createClock() {
  let ahead = 0;
  const tasks = new Set();
  return {
    now: () => performance.now() + ahead,
    date: () => Date.now() + ahead,
    every: (interval, run) => {
      const task = { interval, run };
      const timer = setInterval(run, interval).unref();
      tasks.add(task);
      return () => {
        clearInterval(timer);
        tasks.delete(task);
      };
    },
    advance: (milliseconds) => {
      ahead += milliseconds;
      for (const { interval, run } of tasks) if (interval <= milliseconds) run();
    },
  };
}

async function start(env) {
  const clock = createClock();
  const app = await createApp(loadConfig(env), null, clock);
  await app.listen(0, '127.0.0.1');
  const id = String(++started);
  services.set(id, { app, clock });
  return { id, url: await app.getUrl() };
}

async function stop(id) {
  // Its clock can be moved until it has stopped.
  await services.get(id).app.close();
  services.delete(id);
  return {};
}

/** Those that have arrived and wait for the batch in progress: nothing that a caller sees says so. */
function waitingIn(app, workspaceId) {
  const { queues } = app.get(TreeWriter, { strict: false }).queue;
  return { waiting: [...(queues.get(workspaceId)?.lines.values() ?? [])].flat().length };
}

async function handle(request) {
  let body = '';
  for await (const chunk of request) body += chunk;
  if (request.method === 'POST') return start(JSON.parse(body));
  const id = request.url.slice(1);
  if (request.method === 'DELETE') return stop(id);
  if (request.method === 'GET') return waitingIn(services.get(id).app, request.headers.workspace);
  services.get(id).clock.advance(Number(body));
  return {};
}

const server = createServer(async (request, response) => {
  const result = await handle(request).catch((error) => ({ error: error.message }));
  response.end(JSON.stringify(result));
});
// A test that keeps its own process busy would send its next request on a connection closed meanwhile.
server.keepAliveTimeout = 0;
server.listen(0, '127.0.0.1', () => process.send({ port: server.address().port }));
process.once('disconnect', () => process.exit(0));
