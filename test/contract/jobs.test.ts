import { readFileSync } from 'node:fs';
import { ADVISORY_LOCKS } from '../../src/database/advisory-locks.js';
import { JOBS, type JobName } from '../../src/jobs/jobs.js';
import { startStillService } from '../support/app.js';

const names = Object.keys(JOBS) as JobName[];

test('the jobs of the service are those of the listing, each once', async () => {
  const service = await startStillService();
  try {
    const jobs = service.jobs.map(({ job }) => job);
    expect(jobs.sort()).toEqual([...names].sort());
  } finally {
    await service.stop();
  }
});

test('docs/monitor.md has the listing', () => {
  const page = readFileSync('docs/monitor.md', 'utf8');
  const rows = page.match(/^\| `\w+` \| every .*$/gm) ?? [];
  expect(rows).toEqual(
    names.map((name) => {
      const { interval, locks, does } = JOBS[name];
      const every = interval === 60_000 ? 'minute' : `${interval / 1000} s`;
      return `| \`${name}\` | every ${every} | ${locks.map((lock) => ADVISORY_LOCKS[lock]).join(', ')} | ${does} |`;
    }),
  );
});
