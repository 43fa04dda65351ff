/**
 * The demonstration world: an invented market, generated line by line for the importer. Every
 * record is derived from (seed, kind, index) alone, so that memory does not grow with the world and
 * the same options give the same lines, byte for byte. `docs/demonstration-data.md` describes it.
 */
import type { ImportLine } from '@vcds/importer';
import { baseLines } from './base.ts';
import { historyLines } from './history.ts';
import { planWorld, type WorldOptions } from './plan.ts';

export type { WorldOptions } from './plan.ts';
export { demonstrationSource } from './stamp.ts';

/**
 * All lines of a world: the base first, in which no line refers to a later one, then its history,
 * whose days rise. Throws a RangeError for options out of bounds.
 */
export function* generateWorld(options: WorldOptions): Generator<ImportLine, void, undefined> {
  const plan = planWorld(options);
  yield* baseLines(plan);
  yield* historyLines(plan);
}

/**
 * A small world at once, for tests: 300 startups unless told otherwise, the day fixed, with every
 * closed value and every kind of change in it.
 */
export function worldLines(options: Partial<WorldOptions> = {}): ImportLine[] {
  return [...generateWorld({ startups: 300, today: '2026-01-01', ...options })];
}
