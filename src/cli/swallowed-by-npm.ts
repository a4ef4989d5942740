import type { Command } from '@commander-js/extra-typings';

/**
 * Tells whoever forgot npm's `--`. `npm run token --sub ada` gives the option to npm, which keeps it
 * and passes on `ada`; what is left of it is `npm_config_sub` in the environment.
 * @returns what to say, or null: npm took nothing
 */
export function swallowedByNpm(
  program: Command,
  argv: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): string | null {
  const [name, ...rest] = argv;
  const command = program.commands.find((known) => known.name() === name);
  // Whoever passed an option knows the `--`; .npmrc may have an `email` or a `force` of its own.
  if (!command || env.npm_lifecycle_event !== name || rest.some((text) => text.startsWith('-'))) {
    return null;
  }
  const taken = command.options
    .map(({ long }) => long ?? '')
    .filter((long) => env[`npm_config_${long.slice(2).replaceAll('-', '_')}`]);
  const usesArguments = command.registeredArguments.length > 0;
  if (taken.length === 0 && (usesArguments || rest.length === 0)) return null;
  const what = taken.length > 0 ? `npm took ${taken.join(', ')} for itself` : 'npm took options';
  return `${what}: put -- in front of the options, as in npm run ${name} -- ${taken[0] ?? '--help'} …`;
}
