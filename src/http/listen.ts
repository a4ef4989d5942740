import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { Config } from '../config/config.js';

/**
 * Takes connections on PORT and HOST, and returns the address. Asks Fastify itself: Nest's listen()
 * would log a failure, too, and it is to be told once.
 * @throws Error with one sentence that names the setting to change
 */
export async function listen(app: NestFastifyApplication, config: Config): Promise<string> {
  const { port, host } = config;
  await app.init();
  try {
    return await app.getHttpAdapter().getInstance().listen({ port, host });
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException;
    const sentences: Record<string, string> = {
      EADDRINUSE: `PORT: another program listens on port ${port} of ${host} already: stop it, or set PORT to another one.`,
      EACCES: `PORT: this user may not listen on port ${port}: set PORT to one from 1024.`,
      EADDRNOTAVAIL: `HOST: this machine has no address ${host}.`,
      ENOTFOUND: `HOST: there is no host ${host}.`,
    };
    throw new Error(sentences[code] ?? `PORT, HOST: ${message}`, { cause: error });
  }
}
