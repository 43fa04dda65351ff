import { grouped, quantile, say, table } from '@vcds/test-kit/bench';

/** A workload: the steps of one repetition, each timed separately. */
export interface Work {
  readonly name: string;
  readonly once: () => readonly (() => Promise<unknown>)[];
}

/** The result of one round of one workload by some clients. */
export interface Lap {
  readonly name: string;
  readonly clients: number;
  /** Laps of one turn follow each other directly. */
  readonly turn: number;
  readonly perSecond: number;
  /** Milliseconds of each step of each repetition, by step. */
  readonly stepMs: readonly number[][];
  /** Processor time of this process and of the server, for one repetition. */
  readonly nodeMicros: number;
  readonly serverMicros: number;
}

/** Lets clients repeat a workload for a time. */
export async function lapOf(
  work: Work,
  clients: number,
  durationMs: number,
  serverCpuMs: () => Promise<number>,
): Promise<Omit<Lap, 'turn'>> {
  const stepMs: number[][] = work.once().map(() => []);
  let repetitions = 0;
  const serverBefore = await serverCpuMs();
  const cpu = process.cpuUsage();
  const startedMs = performance.now();
  const client = async (): Promise<void> => {
    while (performance.now() - startedMs < durationMs) {
      for (const [step, run] of work.once().entries()) {
        const sentMs = performance.now();
        await run();
        stepMs[step]?.push(performance.now() - sentMs);
      }
      repetitions += 1;
    }
  };
  await Promise.all(Array.from({ length: clients }, client));
  const elapsedMs = performance.now() - startedMs;
  const { user, system } = process.cpuUsage(cpu);
  const serverMs = (await serverCpuMs()) - serverBefore;
  return {
    name: work.name,
    clients,
    perSecond: (repetitions * 1000) / elapsedMs,
    stepMs,
    nodeMicros: (user + system) / repetitions,
    serverMicros: (serverMs * 1000) / repetitions,
  };
}

/** The laps of those turns, by number of clients, in which the baseline was least disturbed. */
export function quietest(laps: readonly Lap[], baseline: string, count: number): Lap[] {
  return [...new Set(laps.map(({ clients }) => clients))].flatMap((clients) => {
    const same = laps.filter((lap) => lap.clients === clients);
    const disturbance = ({ stepMs }: Lap): number => quantile(stepMs.flat(), 0.99);
    const quiet = same
      .filter(({ name }) => name === baseline)
      .sort((a, b) => disturbance(a) - disturbance(b))
      .slice(0, count)
      .map(({ turn }) => turn);
    return same.filter(({ turn }) => quiet.includes(turn));
  });
}

/** Prints a table: medians over the turns, quantiles over all repetitions. */
export function report(title: string, laps: readonly Lap[]): void {
  const heads = ['', 'clients', 'a second', 'p50 ms', 'p99 ms', 'Node µs', 'Redis µs'];
  const rows = unique(laps).map(([name, clients]) => {
    const turns = laps.filter((lap) => lap.name === name && lap.clients === clients);
    const steps = turns[0]?.stepMs.map((_, step) => turns.flatMap((lap) => lap.stepMs[step] ?? []));
    const at = (share: number): string =>
      (steps ?? []).map((times) => quantile(times, share).toFixed(2)).join(' + ');
    const middle = (of: (lap: Lap) => number) => grouped(quantile(turns.map(of), 0.5));
    const cpu = [middle((lap) => lap.nodeMicros), middle((lap) => lap.serverMicros)];
    return [name, clients, middle((lap) => lap.perSecond), at(0.5), at(0.99), ...cpu];
  });
  say(`\n${title}\n\n${table(heads, rows)}`);
}

function unique(laps: readonly Lap[]): [string, number][] {
  const seen = new Map<string, [string, number]>();
  for (const { name, clients } of laps) seen.set(`${name} ${clients}`, [name, clients]);
  return [...seen.values()];
}
