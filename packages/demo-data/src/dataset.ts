/**
 * The demonstration data: an invented market, generated line by line for the importer. Each record
 * depends only on the seed, its type and its index, so memory does not grow with the data set.
 */
import type { ImportLine } from '@vcds/importer';
import { baseLines } from './base.ts';
import { historyLines } from './history.ts';
import { type DatasetOptions, datasetSpec } from './spec.ts';

/** A generated data set. */
export type DemoDataset = Iterable<ImportLine>;

/**
 * All lines of a data set: the records before the history, then the history by day. No line refers
 * to a later one; equal options give equal lines. Throws a RangeError for options out of bounds.
 */
export function* generateDataset(options: DatasetOptions): DemoDataset {
  const spec = datasetSpec(options);
  yield* baseLines(spec);
  yield* historyLines(spec);
}

/** A small data set for tests, of a fixed day: 300 startups, with all closed values and changes. */
export function datasetLines(options: Partial<DatasetOptions> = {}): ImportLine[] {
  return [...generateDataset({ startups: 300, today: '2026-01-01', ...options })];
}
