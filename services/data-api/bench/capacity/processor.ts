import { readdirSync, readFileSync } from 'node:fs';
import type { RedisClient } from '@vcds/service-kit';

/** Of Linux: the processor times in /proc are in hundredths of a second. */
const TICK_MS = 10;

/** Counters of all processes at a moment. */
export interface Reading {
  readonly atMs: number;
  readonly counters: Readonly<Record<string, number>>;
}

/** Reads the processor milliseconds of each process, and what a call can cause beside. */
export interface Meters {
  /** The URL of the internal listener of each service by name. */
  readonly services: Readonly<Record<string, string>>;
  /** The process id of PostgreSQL. */
  readonly postgresPid: number;
  readonly redis: RedisClient;
  readonly logBytes: () => number;
}

export async function readMeters({
  services,
  postgresPid,
  redis,
  logBytes,
}: Meters): Promise<Reading> {
  const counters: Record<string, number> = { 'PostgreSQL ms': postgresMs(postgresPid) };
  for (const [name, url] of Object.entries(services)) {
    counters[`${name} ms`] = (await metric(url, 'process_cpu_seconds_total')) * 1_000;
  }
  const info = await redis.info();
  const of = (name: string) => Number(new RegExp(`^${name}:([\\d.]+)`, 'm').exec(info)?.[1]);
  counters['Redis ms'] = (of('used_cpu_user') + of('used_cpu_sys')) * 1_000;
  counters['Redis commands'] = of('total_commands_processed');
  counters['log bytes'] = logBytes();
  return { atMs: performance.now(), counters };
}

/** The value of a metric without regard to its labels. */
export async function metric(url: string, name: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text();
  return Number(new RegExp(`^${name}(?:\\{.*\\})? (\\S+)$`, 'm').exec(text)?.[1]);
}

/** Of the server and of all its sessions, ended ones included. */
function postgresMs(pid: number): number {
  const own = ticksOf(pid);
  const children = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  const running = children.flatMap((name) => {
    const ticks = ticksOf(Number(name));
    return ticks?.parent === pid ? [ticks.self] : [];
  });
  return ((own?.self ?? 0) + (own?.ended ?? 0) + running.reduce((a, b) => a + b, 0)) * TICK_MS;
}

/** Undefined of a process that has ended. */
function ticksOf(pid: number) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number);
    const [parent = 0] = fields.slice(1);
    const [user = 0, system = 0, endedUser = 0, endedSystem = 0] = fields.slice(11, 15);
    return { parent, self: user + system, ended: endedUser + endedSystem };
  } catch {
    return undefined;
  }
}
