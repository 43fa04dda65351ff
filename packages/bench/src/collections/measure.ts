import type { Figure, Run } from '../report/comparison.ts';
import { say } from '../support/figures.ts';
import { play } from '../support/play.ts';
import { familyProcessorMs, processorMs } from '../support/processor.ts';
import type { Line } from './lines.ts';
import type { System } from './systems.ts';

/** Of a run: requests a second, and the processor time of a request in Node and PostgreSQL. */
export const HTTP_FIGURES: readonly Figure[] = [
  { key: 'perSecond', title: 'requests/s' },
  { key: 'processorMs', title: 'processor ms' },
];

/** How long and how often. */
export interface MeasureOptions {
  readonly clients: number;
  readonly runs: number;
  readonly durationMs: number;
  /** The process of PostgreSQL. */
  readonly postgresPid: number;
}

/**
 * Measures the systems in turns; the order rotates. Of each the runs, by name. A system that answers a
 * call with an error has no runs.
 */
export async function measureLine(
  line: Line,
  systems: readonly System[],
  options: MeasureOptions,
): Promise<ReadonlyMap<string, readonly Run[]>> {
  const runs = new Map<System, Run[]>();
  for (const system of systems) if (system.playedOf(line) !== undefined) runs.set(system, []);
  for (let turn = -1; turn < options.runs; turn += 1) {
    const able = [...runs.keys()];
    for (let at = 0; at < able.length; at += 1) {
      const system = able[(turn + 1 + at) % able.length];
      if (system === undefined) continue;
      try {
        const run = await runOnce(line, system, options);
        // The first turn fills the caches.
        if (turn >= 0) runs.get(system)?.push(run);
      } catch (error) {
        say(`${system.name}, ${line.title}, ${options.clients} clients: ${error}`);
        runs.delete(system);
      }
    }
  }
  return new Map([...runs].map(([{ name }, own]) => [name, own]));
}

async function runOnce(line: Line, system: System, options: MeasureOptions): Promise<Run> {
  const played = system.playedOf(line);
  if (played === undefined) throw new Error(`${system.name} cannot answer ${line.title}.`);
  const [node, postgres] = [processorMs(system.pid), familyProcessorMs(options.postgresPid)];
  const { latencyMs, elapsedMs } = await play(played, options.clients, options.durationMs);
  const calls = latencyMs.length;
  const usedMs = processorMs(system.pid) - node + familyProcessorMs(options.postgresPid) - postgres;
  return { perSecond: (calls / elapsedMs) * 1_000, processorMs: usedMs / calls };
}
