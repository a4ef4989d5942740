/** How often a property is tried: more at night, less for each of a thousand mutants. */
export function runs(usually: number, atNight: number): number {
  if (process.env.STRYKER_MUTATOR_WORKER) return Math.ceil(usually / 3);
  return process.env.NIGHTLY === '1' ? atNight : usually;
}
