import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';

/** What /health/live took, in milliseconds, asked every 25 ms by a process of its own. */
export interface LiveTimes {
  asked: number;
  median: number;
  max: number;
  /**
   * The most processor time that the service's event loop took during one of them, as Linux counts it:
   * what a single piece of its work takes at most, whatever else this machine does meanwhile.
   */
  maxProcessor: number;
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
  const times = [], processor = [];
  let failed = 0, over = false;
  process.stdin.resume().on('end', () => { over = true; });
  // The first figure of the process's first thread: nanoseconds on a processor.
  const used = () => Number(readFileSync('/proc/' + pid + '/schedstat', 'utf8').split(' ')[0]) / 1e6;
  const ask = () => new Promise((done) => {
    const before = used();
    const start = performance.now();
    const end = () => {
      times.push(performance.now() - start);
      processor.push(used() - before);
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
      maxProcessor: Math.max(...processor), failed,
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
