import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { ended } from './command.js';
import { aFolder } from './folders.js';
import { isHidden } from './programs.js';

/** What a test that needs packages of npm is skipped for; also its name in `TEST_WITHOUT`. */
export const REGISTRY = 'npm-registry';

const UNREACHABLE =
  /\b(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ENETUNREACH|ETIMEDOUT|ENOTCACHED|ERR_SOCKET_TIMEOUT)\b/;
const LIMITS = ['--fetch-retries=1', '--fetch-retry-mintimeout=1000', '--fetch-timeout=60000'];
/** The errors of npm are read here: `npm run --silent` would hide them. */
const ERRORS = '--loglevel=error';
const ALONE = ['--no-save', '--no-package-lock', '--ignore-scripts', '--no-audit', '--no-fund'];

/** Installed packages with programs. */
export interface NpmPrograms {
  /** The Node.js. */
  node: string;
  /** Where the packages are. */
  modules: string;
}

/**
 * Installs packages into a folder of their own, which removeFolders() takes away: programs that only a test
 * runs, and that would make up most of what developers of this project install.
 *
 * @param packages each with its exact version
 * @param options.node the oldest Node.js that they run on, with a newer one in case this process is older
 * @returns null: the registry cannot be reached
 */
export async function installFromNpm(
  packages: string[],
  { node }: { node: { oldest: string; otherwise: string } },
): Promise<NpmPrograms | null> {
  if (isHidden(REGISTRY)) return null;
  const isOld = !isAtLeast(process.versions.node, node.oldest);
  const all = [...packages, ...(isOld ? [nodePackage(node.otherwise)] : [])];
  const folder = await aFolder({ 'package.json': '{}' });
  const env = { ...process.env, NODE_OPTIONS: '', npm_config_prefer_offline: 'true' };
  const args = ['install', ERRORS, ...ALONE, ...LIMITS, ...all];
  const { status, output } = await ended('npm', args, { cwd: folder, env });
  const modules = join(folder, 'node_modules');
  if (status === 0) return { node: isOld ? join(modules, '.bin/node') : process.execPath, modules };
  await rm(folder, { recursive: true });
  if (UNREACHABLE.test(output)) return null;
  throw new Error(`npm ${args.join(' ')}:\n${output}`);
}

/** The package with the program of Node.js for this platform, which needs no script to be installed. */
const nodePackage = (version: string): string => {
  const { platform, arch } = process;
  const prefix = platform === 'darwin' && arch === 'arm64' ? 'node-bin' : 'node';
  return `${prefix}-${platform}-${arch}@${version}`;
};

function isAtLeast(version: string, oldest: string): boolean {
  return version.localeCompare(oldest, 'en', { numeric: true }) >= 0;
}
