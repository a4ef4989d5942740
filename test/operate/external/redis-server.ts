import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { Redis } from 'ioredis';
import { findProgram } from '../../support/programs.js';
import { freePort, until } from '../process.js';

/** A Redis of the test's own, that it may take away and bring back. */
export class RedisServer {
  private child: ChildProcess | null = null;
  private constructor(readonly port: number) {}

  static async start(): Promise<RedisServer> {
    const server = new RedisServer(await freePort());
    await server.start();
    return server;
  }

  get url(): string {
    return `redis://127.0.0.1:${this.port}`;
  }

  async start(): Promise<void> {
    const options = ['--port', String(this.port), '--bind', '127.0.0.1', '--save', ''];
    const program = findProgram('redis-server') ?? 'redis-server';
    this.child = spawn(program, [...options, '--appendonly', 'no'], { stdio: 'ignore' });
    await once(this.child, 'spawn');
    await until(() => this.isUp());
  }

  /** Ends it; with SIGSTOP it keeps running, but no longer responds. */
  async stop(signal: 'SIGKILL' | 'SIGSTOP' = 'SIGKILL'): Promise<void> {
    const { child } = this;
    if (child === null || child.exitCode !== null || child.signalCode !== null) return;
    const ended = signal === 'SIGKILL' ? once(child, 'exit') : undefined;
    child.kill(signal);
    await ended;
  }

  private async isUp(): Promise<boolean> {
    const redis = new Redis(this.url, { lazyConnect: true, retryStrategy: () => null });
    redis.on('error', () => undefined);
    try {
      return (await redis.ping()) === 'PONG';
    } catch {
      return false;
    } finally {
      redis.disconnect();
    }
  }
}
