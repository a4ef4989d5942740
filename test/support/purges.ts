import type { BackgroundJob } from '../../src/jobs/background-job.js';
import type { InsideService } from './app.js';

/** Runs a round of a purge, after those that requests have started: one that runs at the same time would skip. */
export async function purgeRound(service: InsideService, name: string): Promise<void> {
  const purge = service.provider<BackgroundJob>(name);
  // biome-ignore lint/complexity/useLiteralKeys: private, and nobody but a test waits for it
  await purge['rounds'];
  await purge.runRound();
}
