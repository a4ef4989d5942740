import { Databases } from './databases.js';
import { Loader } from './load.js';
import { type Options, parseOptions } from './options.js';
import { compareAll } from './ratios.js';

const MODES: Record<
  Options['mode'],
  (databases: Databases, loader: Loader, options: Options) => Promise<void>
> = { ratios: compareAll, growth: compareAll, memory: compareAll };

/** `npm run bench`: see options.ts. Whatever happens, its children end and its databases go. */
async function main(): Promise<void> {
  const options = parseOptions(process.argv.slice(2));
  const databases = await Databases.connect(options.databaseUrl);
  const loader = new Loader();
  try {
    await Promise.race([MODES[options.mode](databases, loader, options), interrupted()]);
  } finally {
    loader.stop();
    await databases.close();
  }
}

function interrupted(): Promise<never> {
  return new Promise((_, reject) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
      process.once(signal, () => reject(new Error(`Ended by ${signal}`)));
    }
  });
}

main().then(
  () => process.exit(0),
  (error: unknown) => {
    console.error(error instanceof Error ? error.message : error);
    process.exit(1);
  },
);
