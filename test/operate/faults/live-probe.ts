import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';

/** What /health/live took, in milliseconds, asked every 25 ms by a process of its own. */
export interface LiveTimes {
  asked: number;
  median: number;
  max: number;
  /**
   * The longest time without what the service and the probe waited for a processor meanwhile, as
   * Linux counts it: on a busy machine that is all but a few milliseconds of a time, and says nothing
   * about the service. Where nobody counts it, nothing is taken off.
   */
  maxOwn: number;
  /** Responses other than 200, or none. */
  failed: number;
}

export interface LiveProbe {
  stop(): Promise<LiveTimes>;
}

const CODE = `
  const { get, Agent } = require('node:http');
  const { readFileSync } = require('node:fs');
  const [url, pid] = process.argv.slice(1);
  const agent = new Agent({ keepAlive: true });
  const times = [], own = [];
  let failed = 0, over = false;
  process.stdin.resume().on('end', () => { over = true; });
  const waited = () => {
    const of = (id) => {
      try { return Number(readFileSync('/proc/' + id + '/schedstat', 'utf8').split(' ')[1]) / 1e6; }
      catch { return 0; }
    };
    return of(pid) + of('self');
  };
  const ask = () => new Promise((done) => {
    const before = waited();
    const start = performance.now();
    const end = () => {
      const took = performance.now() - start;
      times.push(took);
      own.push(Math.max(0, took - (waited() - before)));
      done();
    };
    const request = get(url, { agent, timeout: 5000 }, (response) => {
      if (response.statusCode !== 200) failed++;
      response.resume().on('end', end);
    });
    request.on('timeout', () => request.destroy());
    request.on('error', () => { failed++; end(); });
  });
  (async () => {
    while (!over) {
      await ask();
      await new Promise((wake) => setTimeout(wake, 25));
    }
    agent.destroy();
    times.sort((a, b) => a - b);
    console.log(JSON.stringify({
      asked: times.length, median: times[times.length >> 1], max: times.at(-1),
      maxOwn: Math.max(...own), failed,
    }));
  })();`;

/** @param pid of the service */
export function probeLive(url: string, pid: number): LiveProbe {
  const child = spawn(process.execPath, ['-e', CODE, `${url}/health/live`, String(pid)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const output = text(child.stdout);
  return {
    stop: async () => {
      child.stdin.end();
      return JSON.parse(await output) as LiveTimes;
    },
  };
}
