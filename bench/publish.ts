import { readFileSync, writeFileSync } from 'node:fs';
import { arch, availableParallelism, cpus, loadavg, platform } from 'node:os';
import { join } from 'node:path';
import { ROOT } from './children.js';
import type { Databases } from './databases.js';
import type { Options } from './options.js';

/** What a mode has found out. */
export interface Findings {
  /** Markdown of the section of this mode in docs/performance.md. */
  markdown: string;
  results: unknown;
  /** Files beside docs/performance.md. */
  files?: Record<string, string>;
}

const DOCS = join(ROOT, 'docs');

/** A machine with other work to do gives figures that say little: they must not pass unseen. */
export function warnIfBusy(): void {
  const [load = 0] = loadavg();
  if (load < availableParallelism() / 2) return;
  console.warn(`The machine is busy (load ${load.toFixed(1)}): the figures will say little.`);
}

/** Prints what was found, and writes it where the options want it. */
export async function publish(
  { markdown, results, files = {} }: Findings,
  options: Options,
  databases: Databases,
): Promise<void> {
  const machine = await machineOf(databases);
  console.log(`\n${markdown}\n\n${machine}`);
  if (options.json) {
    const { mode, rounds, seconds, minutes } = options;
    const all = { machine, mode, rounds, seconds, minutes, results };
    writeFileSync(options.json, `${JSON.stringify(all, null, 2)}\n`);
  }
  if (!options.docs) return;
  for (const [name, text] of Object.entries(files)) writeFileSync(join(DOCS, name), text);
  const page = join(DOCS, 'performance.md');
  const rewritten = replaceSection(
    readFileSync(page, 'utf8'),
    options.mode,
    `${markdown}\n\n${machine}`,
  );
  writeFileSync(page, rewritten);
}

async function machineOf(databases: Databases): Promise<string> {
  const date = new Date().toISOString().slice(0, 10);
  const model = cpus()[0]?.model.trim() || arch();
  const system = `${availableParallelism()} cores (${model}), ${platform()}`;
  return `Measured on ${date}: ${system}, Node ${process.versions.node}, PostgreSQL ${await databases.version()}, all databases vacuumed and analyzed after seeding.`;
}

/** Puts text between the two marks of a section. @throws Error where the marks are missing */
function replaceSection(page: string, section: string, text: string): string {
  const [begin, end] = [`<!-- bench:${section} -->`, `<!-- /bench:${section} -->`];
  const [from, to] = [page.indexOf(begin), page.indexOf(end)];
  if (from === -1 || to < from) throw new Error(`docs/performance.md has no ${begin} … ${end}`);
  return `${page.slice(0, from + begin.length)}\n\n${text}\n\n${page.slice(to)}`;
}
