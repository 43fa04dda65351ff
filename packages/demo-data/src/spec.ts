import * as lists from '@vcds/venture-model';
import { dayOf } from './days.ts';
import { OUTCOMES } from './words/tables.ts';

/** The options of a data set. */
export interface DatasetOptions {
  /** The number of startups, 1 to 4,000,000; all other counts are in proportion. Data sets of fewer
   * than 300 do not have every closed value. Default 10,000. */
  readonly startups?: number;
  /** An integer of 32 bits that selects the data set. Default 1. */
  readonly seed?: number;
  /** The day after the end of the history, `YYYY-MM-DD`. */
  readonly today: string;
}

export type Kind = 'startup' | 'fund';

export const HISTORY_DAYS = 180;

/** One angel investor for this many startups. */
export const STARTUPS_PER_ANGEL = 20;

/**
 * Computes the counts and days of a data set. Records of indexes below `base` exist before the first
 * day of the history. Throws a RangeError for options out of bounds.
 */
export function datasetSpec({ startups = 10_000, seed = 1, today }: DatasetOptions) {
  checkInteger('startups', startups, 1, 4_000_000);
  checkInteger('seed', seed, 0, 2 ** 32 - 1);
  const base = startups - Math.floor(startups * 0.025);
  const funds = Math.max(BLOCKS.fund.size, Math.floor(startups * 0.071));
  return Object.freeze({
    seed,
    startup: { base, all: startups },
    fund: { base: funds, all: funds + Math.floor(startups * 0.004) },
    /** People who invest their own money. */
    angels: Math.floor(base / STARTUPS_PER_ANGEL),
    historyDay: dayOf(today) - HISTORY_DAYS,
    today: dayOf(today),
  });
}

export type DatasetSpec = ReturnType<typeof datasetSpec>;

function checkInteger(name: string, value: number, low: number, high: number): void {
  if (!Number.isInteger(value) || value < low || value > high) {
    throw new RangeError(`${name} must be an integer from ${low} to ${high}, not ${value}`);
  }
}

/** The positions of those of `count` events, spread evenly over the history, that fall on a day. */
export function* positionsOn({ historyDay }: DatasetSpec, day: number, count: number) {
  const firstFrom = (from: number): number =>
    Math.ceil((Math.min(Math.max(from - historyDay, 0), HISTORY_DAYS) * count) / HISTORY_DAYS);
  for (let at = firstFrom(day); at < firstFrom(day + 1); at += 1) yield at;
}

/** The day on which a record enters the database; null if it was there before the history. */
export function arrivalDay(spec: DatasetSpec, kind: Kind, index: number): number | null {
  const { base, all } = spec[kind];
  if (index < base) return null;
  return spec.historyDay + Math.floor(((index - base) * HISTORY_DAYS) / (all - base));
}

/** The closed lists whose values some records of each block have, one value each. */
type List = 'stage' | 'bucket' | 'nextStage' | 'source' | 'status' | 'outcome' | 'type';

/** The records of a block from `start` to `end` show a value, in the order of the lists. */
const block = (size: number, start: number, shows: [List, readonly { name: string }[]][]) => {
  const values = shows.flatMap(([list, named]) =>
    named.map(({ name }, at) => ({ list, name, number: at + 1 })),
  );
  return { size, start, end: start + values.length, values };
};

export const BLOCKS = {
  startup: block(300, 0, [
    ['stage', lists.stages],
    ['bucket', lists.memberBuckets],
    ['nextStage', lists.stages],
    ['source', lists.primarySources],
    ['status', lists.operatingStatuses],
    ['outcome', OUTCOMES.map((name) => ({ name }))],
  ]),
  fund: block(60, 16, [
    ['status', lists.operatingStatuses],
    ['type', lists.investorTypes],
    ['stage', lists.stages],
    ['bucket', lists.memberBuckets],
  ]),
};

/** The value of a list that a record shows, with its number from 1; null if it shows none. */
export function shown(kind: Kind, list: List, index: number) {
  const { size, start, values } = BLOCKS[kind];
  const value = values[(index % size) - start];
  return value?.list === list ? value : null;
}
