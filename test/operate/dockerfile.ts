import { cp, mkdir, readdir, readFile, stat } from 'node:fs/promises';
import { basename, join, relative } from 'node:path';
import {
  type Copy,
  DockerfileParser,
  type Env,
  type From,
  type Instruction,
  type JSONInstruction,
} from 'dockerfile-ast';
import { ended } from '../support/command.js';

/** A stage of a Dockerfile that was carried out in a folder. */
export interface Stage {
  /** Stands for the root of its files. */
  root: string;
  /** The working directory, from there. */
  workdir: string;
  env: Record<string, string>;
  user: string;
  command: string[];
  healthcheck: string[];
}

/**
 * Carries out the Dockerfile of this project without Docker: each stage in an empty folder below
 * `folder`, which gets nothing but what COPY brings, with the programs of this machine in the place of
 * the base image. An instruction that this function does not know is an error.
 *
 * @param env additional variables of RUN
 * @returns the last stage
 */
export async function carryOut(folder: string, env: Record<string, string>): Promise<Stage> {
  const stages: Stage[] = [];
  const names = new Map<string, Stage>();
  const letsIn = await contextFilter();
  const text = await readFile('Dockerfile', 'utf8');
  for (const instruction of DockerfileParser.parse(text).getInstructions()) {
    if (instruction.getKeyword() === 'FROM') {
      const root = join(folder, `stage-${stages.length}`);
      await mkdir(root);
      const made = { root, workdir: '/', env: {}, user: 'root', command: [], healthcheck: [] };
      stages.push(made);
      names.set(`${(instruction as From).getBuildStage()}`, made);
      continue;
    }
    const stage = stages.at(-1);
    if (stage === undefined) throw new Error(`${instruction} comes before FROM`);
    await STEPS[instruction.getKeyword()]?.(stage, instruction, { names, letsIn, env });
    if (!(instruction.getKeyword() in STEPS)) throw new Error(`${instruction} is not known here`);
  }
  return stages.at(-1) as Stage;
}

interface Build {
  names: Map<string, Stage>;
  letsIn: (file: string) => boolean;
  env: Record<string, string>;
}

const STEPS: Record<
  string,
  (stage: Stage, instruction: Instruction, build: Build) => void | Promise<void>
> = {
  EXPOSE: () => undefined,
  async WORKDIR(stage, instruction) {
    stage.workdir = join('/', words(instruction)[0] ?? '');
    await mkdir(join(stage.root, stage.workdir), { recursive: true });
  },
  ENV(stage, instruction) {
    for (const property of (instruction as Env).getProperties()) {
      stage.env[property.getName()] = property.getValue() ?? '';
    }
  },
  USER(stage, instruction) {
    stage.user = words(instruction)[0] ?? '';
  },
  CMD(stage, instruction) {
    stage.command = strings(instruction as JSONInstruction);
  },
  HEALTHCHECK(stage, instruction) {
    stage.healthcheck = JSON.parse(argumentsOf(instruction).replace(/^CMD /, ''));
  },
  COPY: copy,
  RUN: run,
};

const words = (instruction: Instruction): string[] =>
  instruction.getArguments().map((argument) => argument.getValue());

/** As one line, without flags. */
const argumentsOf = (instruction: Instruction): string => `${instruction.getArgumentsContent()}`;

const strings = (instruction: JSONInstruction): string[] =>
  instruction.getJSONStrings().map((argument) => argument.getJSONValue());

async function copy(stage: Stage, instruction: Instruction, { names, letsIn }: Build) {
  const all = words(instruction);
  const sources = all.slice(0, -1);
  const target = `${all.at(-1)}`;
  const to = join(stage.root, target.startsWith('/') ? '/' : stage.workdir, target);
  const name = (instruction as Copy).getFromFlag()?.getValue();
  const from = name ? names.get(name)?.root : '.';
  if (from === undefined) throw new Error(`${instruction}: there is no such stage`);
  for (const source of sources) {
    const path = join(from, source);
    // A folder is not copied itself: its contents are.
    const isFolder = (await stat(path)).isDirectory();
    const into = isFolder || !target.endsWith('/') ? to : join(to, basename(source));
    if (name) {
      await cp(path, into, { recursive: true, verbatimSymlinks: true });
      continue;
    }
    const files = isFolder ? await readdir(path, { recursive: true, withFileTypes: true }) : [];
    const below = files
      .filter((file) => file.isFile())
      .map((file) => join(file.parentPath, file.name));
    for (const file of (isFolder ? below : [path]).filter(letsIn)) {
      await cp(file, join(into, relative(path, file)));
    }
  }
}

/**
 * What .dockerignore lets into the build: the last pattern that matches a file, or a folder above it,
 * decides. Of the patterns it knows names, `*` and a leading `**`.
 */
async function contextFilter(): Promise<(file: string) => boolean> {
  const lines = (await readFile('.dockerignore', 'utf8')).split('\n');
  const patterns = lines
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => ({ letsIn: line.startsWith('!'), pattern: asRegExp(line.replace(/^!/, '')) }));
  return (file) => patterns.findLast(({ pattern }) => pattern.test(file))?.letsIn ?? true;
}

function asRegExp(pattern: string): RegExp {
  const [, anywhere, path = ''] = /^(\*\*\/)?([\w./*-]+)$/.exec(pattern) ?? [];
  if (path === '' || path.includes('**'))
    throw new Error(`.dockerignore: ${pattern} is not known here`);
  const text = path.replaceAll('.', '\\.').replaceAll('*', '[^/]*');
  return new RegExp(`^${anywhere ? '(.*/)?' : ''}${text}(/|$)`);
}

async function run(stage: Stage, instruction: Instruction, { env }: Build): Promise<void> {
  const command = argumentsOf(instruction);
  if (/(^|[\s'"=])\/\w/.test(command)) {
    throw new Error(`RUN ${command}: an absolute path would be one of this machine`);
  }
  const { status, output } = await ended('sh', ['-c', `umask 022; ${command}`], {
    cwd: join(stage.root, stage.workdir),
    env: { ...machine(), ...env, ...stage.env },
  });
  if (status !== 0) throw new Error(`RUN ${command}: status ${status}\n${output}`);
}

/** The environment of this process without what npm and jest have put there. */
function machine(): NodeJS.ProcessEnv {
  const theirs = /^(NODE_ENV|NODE_OPTIONS|INIT_CWD|npm_(?!config_)\w+|npm_config_\w*prefix)$/;
  const kept = Object.entries(process.env).filter(([name]) => !theirs.test(name));
  return { ...Object.fromEntries(kept), PATH: programPath() };
}

/** PATH without the programs of this project's packages. */
export const programPath = (): string =>
  `${process.env.PATH}`
    .split(':')
    .filter((folder) => !/node_modules|node-gyp-bin/.test(folder))
    .join(':');
