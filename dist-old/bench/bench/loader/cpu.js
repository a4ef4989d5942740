import { readFileSync } from 'node:fs';
/** The kernel counts CPU time in ticks of 10 ms for all programs, whatever its own clock is. */
const TICK = 10_000;
/** CPU time that a process has used so far, in microseconds; null: no /proc to read it from. */
export function cpuMicroseconds(pid) {
    try {
        const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
        // The name of the program comes second, in parentheses, and may contain anything.
        const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
        return (Number(fields[11]) + Number(fields[12])) * TICK;
    }
    catch {
        return null;
    }
}
