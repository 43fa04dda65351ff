import { quantile } from '@vcds/test-kit/bench';
import type { Line } from './lines.ts';
import { play } from './play.ts';
import { familyProcessorMs, processorMs } from './processor.ts';
import type { System } from './systems.ts';

/** The figures of one system in one run. */
export interface Run {
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Milliseconds of processor a request, of Node and of PostgreSQL. */
  readonly nodeMs: number;
  readonly postgresMs: number;
}

/** How long and how often. */
export interface MeasureOptions {
  readonly clients: number;
  readonly runs: number;
  readonly durationMs: number;
  /** The process of PostgreSQL. */
  readonly postgresPid: number;
}

/** Measures the systems in turns; the order rotates. Of each the runs, by name. */
export async function measureLine(
  line: Line,
  systems: readonly System[],
  options: MeasureOptions,
): Promise<ReadonlyMap<string, readonly Run[]>> {
  const able = systems.filter((system) => system.playedOf(line) !== undefined);
  const runs = new Map(able.map(({ name }) => [name, [] as Run[]]));
  for (const system of able) await runOnce(line, system, options);
  for (let turn = 0; turn < options.runs; turn += 1) {
    for (let at = 0; at < able.length; at += 1) {
      const system = able[(turn + at) % able.length];
      if (system !== undefined) runs.get(system.name)?.push(await runOnce(line, system, options));
    }
  }
  return runs;
}

async function runOnce(line: Line, system: System, options: MeasureOptions): Promise<Run> {
  const played = system.playedOf(line);
  if (played === undefined) throw new Error(`${system.name} cannot answer ${line.title}.`);
  const [node, postgres] = [processorMs(system.pid), familyProcessorMs(options.postgresPid)];
  const { latencyMs, elapsedMs } = await play(played, options.clients, options.durationMs);
  const calls = latencyMs.length;
  return {
    perSecond: (calls / elapsedMs) * 1_000,
    p50Ms: quantile(latencyMs, 0.5),
    p99Ms: quantile(latencyMs, 0.99),
    nodeMs: (processorMs(system.pid) - node) / calls,
    postgresMs: (familyProcessorMs(options.postgresPid) - postgres) / calls,
  };
}
