import { readdirSync, readFileSync } from 'node:fs';

/** Clock ticks of /proc on Linux. */
const MS_PER_TICK = 10;

/** Processor time and memory of processes, of Linux. */
interface ProcessFigures {
  readonly parent: number;
  readonly ms: number;
  readonly reapedMs: number;
  readonly residentBytes: number;
}

function figuresOf(pid: number | string): ProcessFigures | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The name in parentheses may have spaces.
    const fields = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number);
    const [user = 0, system = 0, reapedUser = 0, reapedSystem = 0] = fields.slice(11, 15);
    return {
      parent: fields[1] ?? 0,
      ms: (user + system) * MS_PER_TICK,
      reapedMs: (reapedUser + reapedSystem) * MS_PER_TICK,
      residentBytes: (fields[21] ?? 0) * 4096,
    };
  } catch {
    return undefined;
  }
}

/** Milliseconds of processor time that a process has used, in all threads. */
export const processorMs = (pid: number): number => figuresOf(pid)?.ms ?? 0;

/** Bytes of memory of a process. */
export const residentBytes = (pid: number): number => figuresOf(pid)?.residentBytes ?? 0;

/** Milliseconds that a server has used with its child processes, also those that have ended. */
export function familyProcessorMs(pid: number): number {
  const own = figuresOf(pid);
  let ms = (own?.ms ?? 0) + (own?.reapedMs ?? 0);
  for (const entry of readdirSync('/proc')) {
    if (!/^\d+$/.test(entry)) continue;
    const child = figuresOf(entry);
    if (child?.parent === pid) ms += child.ms;
  }
  return ms;
}
