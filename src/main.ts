import { setFlagsFromString } from 'node:v8';
import { Logger } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { createApp } from './app.js';
import { type Config, listenFailure, loadConfig, nearMisses } from './config/config.js';
import { checkConnection } from './database/connection.js';

/** The process: configuration, database, listen, shut down. */
async function main(): Promise<void> {
  // Where a machine has much memory, V8 lets the heap grow fourfold before it looks for what is not
  // used any more. Half as much again keeps the process under 256 MiB (bench: memory).
  setFlagsFromString('--heap-growing-percent=50');
  // Under load, V8 comes to allocate what node-postgres makes of a row in the old generation, where finished
  // rows keep what they refer to until a full collection: a sixth of the CPU time of a list of 20 teams.
  setFlagsFromString('--no-allocation-site-pretenuring');
  const given = loadConfig(process.env);
  const { config, onListen, token, stop } = await (given.production
    ? start(given)
    : develop(given));
  try {
    const app = await createApp(config, token);
    for (const sentence of nearMisses(process.env)) new Logger('configuration').warn(sentence);
    const address = await listen(app, config);
    // Before the message: a program that reads it may stop the service at once.
    const end = signalled();
    await onListen(address);
    await end;
    setTimeout(() => process.exit(0), config.shutdownDelayMs + MAX_SHUTDOWN).unref();
    await app.close();
  } finally {
    await stop();
  }
}

/** In production all is given, and the migrations are deployed on their own: teamspaces migrate. */
async function start(config: Config) {
  if (config.databaseUrl !== null) await checkConnection(config.databaseUrl);
  const onListen = (address: string) => new Logger('teamspaces').log(`listening on ${address}`);
  return { config, onListen, token: null, stop: async () => undefined };
}

/** Outside production the service helps itself. Production loads none of it. */
async function develop(config: Config) {
  const { startDevelopment } = await import('./development/start.js');
  return startDevelopment(config);
}

/**
 * Accepts connections on PORT and HOST, and returns the address. Calls Fastify itself: Nest's
 * listen() would log a failure a second time.
 * @throws Error with one sentence that names the setting to change
 */
async function listen(app: NestFastifyApplication, config: Config): Promise<string> {
  const { port, host } = config;
  await app.init();
  try {
    return await app.getHttpAdapter().getInstance().listen({ port, host });
  } catch (error) {
    throw listenFailure('PORT', port, host, error);
  }
}

/** Milliseconds, beyond SHUTDOWN_DELAY_MS, after which the process ends whatever is left. */
const MAX_SHUTDOWN = 9_500;
/** Milliseconds in which a second signal is the same one: npm passes on what the terminal sent. */
const SAME_SIGNAL = 500;

/** Resolves at the first SIGINT or SIGTERM; the next one, if meant, ends the process at once. */
function signalled(): Promise<void> {
  return new Promise((resolve) => {
    let first: number | null = null;
    const onSignal = () => {
      first ??= performance.now();
      if (performance.now() - first > SAME_SIGNAL) process.exit(1);
      resolve();
    };
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, onSignal);
  });
}

main().then(
  () => process.exit(0),
  (error: unknown) => {
    console.error(error instanceof Error ? error.message : error);
    process.exit(1);
  },
);
