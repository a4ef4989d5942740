import { somebody, tokenOf } from '../support/app.js';
import { freshSlug } from '../support/builders.js';
import { search } from './checker.js';
import { lookAtTheEnd, WORKSPACES, work } from './clients.js';
import type { History } from './history.js';
import { Recorder } from './recorder.js';
import { describeHistory, minimize } from './report.js';

/** Instances of the service on one database. */
export interface Instances {
  count: number;
  /** The address of an instance; it may be down. */
  urlOf(instance: number): string;
}

interface Options {
  /** How long to run, in milliseconds, and at least for `least` histories. */
  time: number;
  least: number;
  /** Histories at once, each in a team of its own. */
  together: number;
  /** Runs beside some histories; `progress` counts starts and ends of their operations. */
  beside?: (progress: () => number) => Promise<void>;
}

/** The part of the histories that may be left undecided; one may in any case. */
const UNDECIDED = 0.02;

/**
 * Records histories for some time, and checks each.
 * @throws Error with a violation for a person to read, or if too many are undecided
 */
export async function check(name: string, instances: Instances, options: Options): Promise<void> {
  const { time, least, together, beside } = options;
  const first = Number(process.env.SEED ?? Math.floor(Math.random() * 1e6));
  const count = { histories: 0, operations: 0, unknown: 0, undecided: 0, violations: 0, steps: 0 };
  let report = '';
  const end = performance.now() + time;
  while (performance.now() < end || count.histories < least) {
    const seeds = Array.from({ length: together }, (_, n) => first + count.histories + n);
    const histories = await recordTogether(instances, seeds, beside);
    for (const [n, history] of histories.entries()) {
      const { verdict, steps } = search(history);
      count.histories++;
      count.operations += history.operations.length;
      count.unknown += history.operations.filter(({ response }) => response === null).length;
      count.steps = Math.max(count.steps, steps);
      if (verdict === 'undecided') count.undecided++;
      if (verdict !== 'violation') continue;
      count.violations++;
      report ||= `\nSEED=${seeds[n]}\n${describeHistory(minimize(history))}`;
    }
  }
  const summary = `${name}: ${Object.entries(count)
    .map(([what, n]) => `${n} ${what}`)
    .join(', ')}`;
  process.stdout.write(`linearizability, ${summary}\n`);
  if (count.violations > 0) throw new Error(`${summary}${report}`);
  if (count.undecided > Math.max(1, count.histories * UNDECIDED))
    throw new Error(`too many undecided: ${summary}`);
}

async function recordTogether(
  instances: Instances,
  seeds: readonly number[],
  beside?: Options['beside'],
): Promise<History[]> {
  const recorders = await Promise.all(seeds.map(() => newRecorder(instances)));
  const disturbing = beside?.(() => recorders.reduce((sum, { progress }) => sum + progress, 0));
  await Promise.all(recorders.map((one, n) => work(one, instances.count, Number(seeds[n]))));
  await disturbing;
  return Promise.all(
    recorders.map(async (recorder) => {
      await lookAtTheEnd(recorder, instances.count);
      recorder.close();
      return recorder.history();
    }),
  );
}

/** For two empty workspaces, in a team of their own. */
async function newRecorder({ urlOf }: Instances): Promise<Recorder> {
  const authorization = `Bearer ${tokenOf(somebody())}`;
  const headers = { authorization, 'content-type': 'application/json' };
  const slug = freshSlug();
  const make = async (path: string, given: object): Promise<string> => {
    const body = JSON.stringify(given);
    const made = await fetch(`${urlOf(0)}${path}`, { method: 'POST', headers, body });
    if (made.status !== 200) throw new Error(`POST ${path}: ${made.status}`);
    return ((await made.json()) as { _id: string })._id;
  };
  await make('/teams', { name: 'Team', slug });
  const workspaces = new Map<string, string>();
  for (const name of WORKSPACES) {
    workspaces.set(name, await make(`/teams/${slug}/workspaces`, { name }));
  }
  return new Recorder(urlOf, authorization, { slug, workspaces });
}
