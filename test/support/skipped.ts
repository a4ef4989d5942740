/**
 * `describe` or `test` that skips. The reason becomes part of the name, where skip-reporter.js finds it.
 */
export function skipped<Runner extends jest.Describe | jest.It>(
  run: Runner,
  reason: string,
): Runner {
  const named = (name: string) => `${name} [skipped: ${reason}]`;
  const skip = (name: string, ...rest: unknown[]) =>
    Reflect.apply(run.skip, null, [named(name), ...rest]);
  const each =
    (...table: unknown[]) =>
    (name: string, ...rest: unknown[]) =>
      Reflect.apply(Reflect.apply(run.skip.each, null, table), null, [named(name), ...rest]);
  return Object.assign(skip, { each, skip, only: skip }) as unknown as Runner;
}
