import { Worker } from 'node:worker_threads';
import { yieldToEventLoop } from '../../event-loop.js';
import { MAX_ATTEMPT } from '../limits.js';
import { type NameSources, SYSTEM_NAMES } from './names.js';
import { type Attempt, type Outcome } from './post.js';

/** What the thread needs to know. */
export interface Settings {
  allowedHosts: readonly string[];
  names: NameSources;
}

export interface Job {
  id: number;
  attempt: Attempt;
}

export interface Result {
  id: number;
  outcome: Outcome | null;
}

/** The heap of the thread; 64 attempts take a fifth of it. */
const LIMITS = { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 8 };
/** Milliseconds, beyond those of an attempt, in which an outcome comes: otherwise the thread hangs. */
const SLACK = 2_000;
/** Milliseconds after a loss in which nothing should be sent. */
const PAUSE = 1_000;

/**
 * Makes attempts in a thread of its own (attempts.worker.ts), which is started by the first one, and by the next one
 * after it was lost: because it ran out of memory, failed, or hangs.
 */
export class AttemptsThread {
  /** Tests have name servers of their own. */
  names: NameSources = SYSTEM_NAMES;
  private thread: Thread | null = null;
  private lostAt = Number.NEGATIVE_INFINITY;

  /** @param onLoss is told why the thread was lost */
  constructor(
    private readonly allowedHosts: readonly string[],
    private readonly onLoss: (reason: Error) => void,
  ) {}

  /** False for a second after a loss: the thread may be lost again at once. */
  get isReady(): boolean {
    return performance.now() - this.lostAt >= PAUSE;
  }

  /** @returns null: it has not begun in time, or nobody knows what came of it: the thread was lost, or stopped */
  send(attempt: Attempt): Promise<Outcome | null> {
    this.thread ??= this.start();
    return this.thread.send(attempt);
  }

  /** Ends the attempts in progress. */
  async stop(): Promise<void> {
    await this.thread?.stop();
  }

  private start(): Thread {
    const thread = new Thread({ allowedHosts: this.allowedHosts, names: this.names }, (reason) => {
      if (this.thread === thread) this.thread = null;
      if (!reason) return;
      this.lostAt = performance.now();
      this.onLoss(reason);
    });
    return thread;
  }
}

/** One thread, until it ends. */
class Thread {
  private readonly worker: Worker;
  private readonly waiting = new Map<number, (outcome: Outcome | null) => void>();
  private sent = 0;
  private reason: Error | null = new Error('it has ended by itself');

  /** @param onEnd is told why it was lost; null: it was stopped */
  constructor(settings: Settings, onEnd: (reason: Error | null) => void) {
    // Without the secrets of the environment, and without what the process loads first, such as a tracer.
    const isolation = { env: {}, execArgv: [], resourceLimits: LIMITS };
    const file = new URL('./attempts.worker.js', import.meta.url);
    this.worker = new Worker(file, { ...isolation, name: 'webhooks', workerData: settings });
    this.worker.on('message', ({ id, outcome }: Result) => this.waiting.get(id)?.(outcome));
    this.worker.on('error', (error: Error) => {
      this.reason = error;
    });
    this.worker.once('exit', () => {
      onEnd(this.reason);
      for (const settle of this.waiting.values()) settle(null);
    });
  }

  send(attempt: Attempt): Promise<Outcome | null> {
    const id = ++this.sent;
    return new Promise((resolve) => {
      const most = attempt.within + MAX_ATTEMPT + SLACK;
      const timer = setTimeout(() => this.endIfSilent(id), most);
      this.waiting.set(id, (outcome) => {
        clearTimeout(timer);
        this.waiting.delete(id);
        resolve(outcome);
      });
      this.worker.postMessage({ id, attempt } satisfies Job);
    });
  }

  stop(): Promise<void> {
    return this.end(null);
  }

  /** A busy process reads late: an outcome that is there already counts. */
  private async endIfSilent(id: number): Promise<void> {
    await yieldToEventLoop();
    if (this.waiting.has(id)) await this.end(HANGS);
  }

  private async end(reason: Error | null): Promise<void> {
    this.reason = reason;
    await this.worker.terminate();
  }
}

const HANGS = new Error('it does not respond');
