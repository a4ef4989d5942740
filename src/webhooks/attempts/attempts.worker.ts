import { parentPort, workerData } from 'node:worker_threads';
import { AllowedHosts } from './addresses.js';
import type { Job, Result, Settings } from './attempts-thread.js';
import { Names } from './names.js';
import { post } from './post.js';

// The thread that calls receivers: names, connections, TLS and HTTP, and nothing else. What strangers send is read
// here, with an event loop and a heap of its own.

const { allowedHosts, names } = workerData as Settings;
const allowed = new AllowedHosts(allowedHosts);
const { begin: beginLookup } = new Names(allowed, names);

parentPort?.on('message', async ({ id, attempt }: Job) => {
  const outcome = await post(attempt, { allowed, beginLookup }).catch(() => null);
  parentPort?.postMessage({ id, outcome } satisfies Result);
});
