import { readFileSync } from 'node:fs';

/** The kernel counts CPU time in ticks of 10 ms for all programs, whatever its own clock is. */
const TICK = 10_000;

/**
 * CPU time that these processes have used so far, in microseconds; null: none given, or no /proc to
 * read it from.
 */
export function cpuMicroseconds(pids: readonly number[]): number | null {
  if (pids.length === 0) return null;
  try {
    return pids.reduce((sum, pid) => sum + cpuOf(pid), 0);
  } catch {
    return null;
  }
}

function cpuOf(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
  // The name of the program comes second, in parentheses, and may contain anything.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) * TICK;
}
