/**
 * The demonstration data: an invented market, generated line by line for the importer. Each record
 * depends only on the seed, its type and its index, so memory does not grow with the data set.
 *
 * The history: the changes of the last days before `today`, day by day. A scenario has a share of
 * the startups or funds as its subjects. It begins for each on a day of its own, evenly spread over
 * the history; each step follows a number of days later. The subjects of a step on a day are
 * computed, so the history needs no memory.
 */
import type { ImportLine } from '@vcds/importer';
import { baseLines, fundLines, startupLines } from './base.ts';
import { fundOf } from './funds.ts';
import { type Company, stampOf } from './profile.ts';
import { permuted, Random } from './random.ts';
import { FUND_SCENARIOS, type Scenario, STARTUP_SCENARIOS } from './scenarios.ts';
import { BLOCKS, type DatasetOptions, type DatasetSpec, datasetSpec, positionsOn } from './spec.ts';
import { startupOf } from './startups.ts';

/**
 * All lines of a data set: the records before the history, then the history by day. No line refers
 * to a later one; equal options give equal lines. Throws a RangeError for options out of bounds.
 */
export function* generateDataset(options: DatasetOptions): Iterable<ImportLine> {
  const spec = datasetSpec(options);
  yield* baseLines(spec);
  yield* historyLines(spec);
}

/** A small data set for tests, of a fixed day: 300 startups, with all closed values and changes. */
export function datasetLines(options: Partial<DatasetOptions> = {}): ImportLine[] {
  return [...generateDataset({ startups: 300, today: '2026-01-01', ...options })];
}

/** All changes, by day. */
function* historyLines(spec: DatasetSpec): Iterable<ImportLine> {
  const { size, end } = BLOCKS.startup;
  // Startups that show closed values have no scenario.
  const plain = Math.floor(spec.startup.base / size) * (size - end);
  const total = plain + Math.max(0, (spec.startup.base % size) - end);
  const startupChanges = changesOf(spec, STARTUP_SCENARIOS, total, (position) => {
    const start = Math.floor(position / (size - end)) * size;
    return startupOf(spec, start + end + (position % (size - end)));
  });
  const fundChanges = changesOf(spec, FUND_SCENARIOS, spec.fund.base, (at) => fundOf(spec, at));
  for (let day = spec.historyDay; day < spec.today; day += 1) {
    for (const index of arrivals(spec, 'fund', day)) yield* fundLines(fundOf(spec, index), day);
    for (const index of arrivals(spec, 'startup', day)) {
      yield* startupLines(startupOf(spec, index), day);
    }
    yield* startupChanges(day);
    yield* fundChanges(day);
  }
}

/** The indexes of the startups or funds that enter the database on a day. */
function arrivals(spec: DatasetSpec, kind: 'startup' | 'fund', day: number): number[] {
  const { base, all } = spec[kind];
  return [...positionsOn(spec, day, all - base)].map((position) => base + position);
}

/** The lowest number of subjects of a scenario, so that small data sets have every kind of change. */
const SUBJECTS_MIN = 5;

/** The changes of a day by all scenarios; no subject has two scenarios. */
function changesOf<C extends Company>(
  spec: DatasetSpec,
  scenarios: readonly Scenario<C>[],
  total: number,
  companyAt: (position: number) => C,
) {
  let reached = 0;
  const planned = scenarios.map(([name, share, ...steps]) => {
    const offset = reached;
    const wanted = Math.max(Math.floor(share * total), SUBJECTS_MIN);
    const count = Math.max(0, Math.min(wanted, total - offset));
    reached += count;
    return { name, steps, offset, count };
  });
  return function* changesOn(day: number): Iterable<ImportLine> {
    for (const { name, steps, offset, count } of planned) {
      for (const [afterDays, probability, act] of steps) {
        const begun = day - afterDays;
        for (const at of positionsOn(spec, begun, count)) {
          const company = companyAt(permuted(offset + at, total, spec.seed, scenarios.length));
          const random = new Random(spec.seed, name, company.index, afterDays);
          const stamp = stampOf(day, company.index * 97);
          if (random.chance(probability)) yield* act({ company, day, stamp, begun, random });
        }
      }
    }
  };
}
