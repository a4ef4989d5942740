import { resolve } from 'node:path';
import { Presets, SingleBar } from 'cli-progress';
import { createClient, type TeamspacesClient } from 'teamspaces-client';
import {
  exportFolder,
  type ImportPlan,
  importFolder,
  type Place,
  syncFolder,
  UnsuitableFilesError,
  WorkspaceNotFoundError,
} from 'teamspaces-markdown';
import { interruptionSignal } from './interruption.js';
import { counted, print, printJson, textOf, withoutBreaks } from './print.js';
import { connect, type Target } from './service.js';

/** Paths that a list shows. */
const SHOWN = 10;

/** A bar in a terminal; otherwise a line now and then. */
const BAR = {
  stream: process.stdout,
  noTTYOutput: true,
  notTTYSchedule: 5_000,
  // The command itself handles interruptions.
  gracefulExit: false,
};

const OF_TOTAL = '{bar} {value} of {total}, {eta_formatted} left';
/** For what has no known end. */
const COUNT = '{value} pages read';

/**
 * Imports a folder of Markdown files into collections and pages, and reports progress. The flag is
 * `--dry-run`: reports what an import would create, and creates nothing.
 */
export const runImport = (target: Target): Promise<void> =>
  withBar(
    target,
    'The import is incomplete; run the same command again to continue.',
    async (api, place, bar) => {
      const { url, team, workspace, argument: folder, flag: dryRun } = target;
      const done = await importFolder(api, {
        ...{ ...place, dryRun },
        onPlan: (plan) => {
          tell(plan);
          if (dryRun) return;
          print(`Importing ${folder} into ${team}/${workspace} at ${url}`);
          bar.start(plan.pages + plan.collections, 0);
        },
        onProgress: (items) => bar.update(items),
      });
      bar.stop();
      const created = `${counted(done.pages, 'page')} and ${counted(done.collections, 'collection')}`;
      const present = `${counted(done.present, 'page')} were there already`;
      print(`${dryRun ? 'An import would create' : 'Imported'} ${created}; ${present}.`);
      say('The order in the workspace differs from the folder in', done.outOfOrder);
      say('More than one page was created from', done.duplicates);
    },
  );

/**
 * Makes a workspace equal to a folder of Markdown files. The flag is `--dry-run`: compares, and changes nothing.
 */
export const runSync = (target: Target): Promise<void> =>
  withBar(
    target,
    'The sync is incomplete; run the same command again to continue.',
    async (api, place, bar) => {
      const { url, team, workspace, argument, flag: dryRun, options } = target;
      const { name, prune = false, json = false } = options;
      const done = await syncFolder(api, {
        ...{ ...place, dryRun, prune: prune === true },
        ...(typeof name === 'string' && { name }),
        onProgress: (applied, total) => {
          if (json || total === 1) return;
          if (!bar.isActive) {
            print(`Syncing ${argument} to ${team}/${workspace} at ${url}`);
            bar.start(total, 0);
          }
          bar.update(applied);
        },
      });
      bar.stop();
      if (json) return printJson(done);
      const { created, updated, moved, unchanged, pruned, leftOut } = done;
      say('Skipped, as they are not Markdown', leftOut);
      const counts = { created, updated, moved, unchanged, pruned };
      const words = Object.entries(counts).map(([what, n]) => `${n.toLocaleString('en')} ${what}`);
      print(`${dryRun ? 'A sync would make' : 'Synced'}: ${words.join(', ')}.`);
    },
  );

/**
 * Writes a workspace to a folder of Markdown files, and reports progress. The flag is `--force`:
 * replaces files of the same name.
 */
export const runExport = (target: Target): Promise<void> =>
  withBar(
    target,
    'The export was not finished.',
    async (api, place, bar) => {
      const { url, team, workspace, argument: folder, flag: force, options } = target;
      const { pages, collections } = await exportFolder(api, {
        ...{ ...place, force },
        ...(typeof options.name === 'string' && { name: options.name }),
        onProgress: (read) => {
          if (!bar.isActive) {
            print(`Exporting ${team}/${workspace} at ${url} to ${folder}`);
            bar.start(0, 0);
          }
          bar.update(read);
        },
      });
      bar.stop();
      print(`Exported ${counted(pages, 'page')} and ${counted(collections, 'collection')}.`);
    },
    COUNT,
  );

/**
 * Runs `work` with a bar that it may start.
 * @param unfinished the sentence if `work` fails after it has started the bar
 */
async function withBar(
  target: Target,
  unfinished: string,
  work: (api: TeamspacesClient, place: Place & { folder: string }, bar: SingleBar) => Promise<void>,
  format = OF_TOTAL,
): Promise<void> {
  const bar = new SingleBar({ ...BAR, format }, Presets.shades_classic);
  try {
    const { team, workspace } = target;
    // npm runs scripts in the project's folder, wherever it was called.
    const folder = resolve(process.env.INIT_CWD ?? '.', target.argument);
    const api = await connect(target);
    await work(api, { team, workspace, folder, signal: interruptionSignal() }, bar);
  } catch (error) {
    if (bar.isActive) {
      bar.stop();
      print(unfinished);
    }
    if (error instanceof UnsuitableFilesError) {
      throw new Error(['Nothing was imported:', ...listed(error.problems).map(textOf)].join('\n'));
    }
    throw await explained(withoutBreaks(error), target);
  }
}

function tell({ leftOut, different }: ImportPlan): void {
  say('Skipped, as they are not Markdown', leftOut);
  say('Existing pages whose content differs from the file; they were not changed', different);
}

function say(what: string, lines: readonly string[]): void {
  if (lines.length > 0) print(`${what} (${lines.length}):`, ...listed(lines));
}

function listed(lines: readonly string[]): string[] {
  const shown = lines.slice(0, SHOWN).map((line) => `  ${line}`);
  if (lines.length > SHOWN) shown.push(`  … and ${lines.length - SHOWN} more`);
  return shown;
}

/** The same error; if the service does not find a workspace, one that lists those that there are. */
async function explained(error: unknown, target: Target): Promise<unknown> {
  if (!(error instanceof WorkspaceNotFoundError)) return error;
  const sentence = await alternatives(target).catch(() => null);
  return sentence === null ? error : new Error(sentence);
}

/** A sentence that names what is missing, the team or the workspace; null: neither. */
async function alternatives({ url, token, team, workspace }: Target): Promise<string | null> {
  const api = createClient({ baseUrl: url, token, retry: { attempts: 1 } });
  const teams = (await api.GET('/teams')).map(({ meta }) => meta.slug);
  if (!teams.includes(team)) {
    return `There is no team "${team}" that this token may see: ${inWords(teams)}.`;
  }
  const params = { path: { team_slug: team } };
  const found = await api.GET('/teams/{team_slug}/workspaces', { params });
  const workspaces = found.map(({ meta }) => meta.slug);
  if (workspaces.includes(workspace)) return null;
  return `There is no workspace "${workspace}" in ${team} that this token may see: ${inWords(workspaces)}.`;
}

/** `there is a, b, or c` */
const inWords = (slugs: readonly string[]): string =>
  `there is ${new Intl.ListFormat('en', { type: 'disjunction' }).format(slugs) || 'none'}`;
